// Resources: reading, and following their changes.
import { send } from '../lib/api.js';
import { address, badge, button, fill, h, untrusted, untrustedBlock } from '../lib/dom.js';
import { rawJson } from '../lib/json_view.js';
import { link } from '../lib/router.js';
import { start, store } from '../lib/session.js';
import { clock, count, size } from '../lib/text.js';
import { callPanel, failurePlace } from '../parts/call_panel.js';
import { catalog } from '../parts/catalog.js';

/** Buttons for the URI that `uriOf` returns now: read, and subscribe or unsubscribe. */
function actions(uriOf, app, failure) {
    const follow = button(
        'Subscribe',
        () =>
            failure.run(async () => {
                const on = app.state.subscribed.includes(uriOf());
                store.update(await send(on ? 'unsubscribe' : 'subscribe', { uri: uriOf() }));
            }),
        { 'data-role': 'subscribe' },
    );
    const appLink = h('a', null, 'Open as an app');
    const draw = () => {
        follow.textContent = app.state.subscribed.includes(uriOf()) ? 'Unsubscribe' : 'Subscribe';
        appLink.hidden = !uriOf().startsWith('ui://');
        appLink.href = link('apps', uriOf());
    };
    app.watch(['subscribed'], draw);
    const read = () => failure.run(() => start('read', { uri: uriOf() }, { kind: 'resource', name: uriOf() }));
    return {
        element: h(
            'div.actions',
            null,
            button('Read', read, { class: 'primary', 'data-action': 'run', title: 'Ctrl Enter' }),
            follow,
            appLink,
        ),
        draw,
    };
}

/** When a subscribed resource changed. */
function updates(uriOf, app) {
    const element = h('div');
    const draw = () => {
        const times = app.state.changes.items.filter((one) => one.uri === uriOf());
        fill(
            element,
            times.length
                ? h(
                      'details',
                      null,
                      h('summary', null, `${count(times.length, 'change')}; the last at ${clock(times.at(-1).at)}`),
                      h(
                          'ul',
                          null,
                          times
                              .slice(-50)
                              .reverse()
                              .map((one) => h('li', null, clock(one.at))),
                      ),
                  )
                : null,
        );
    };
    app.watch(['changes'], draw);
    return { element, draw };
}

/** Reads a URI and shows what came. The URI may change: call `draw` then. */
export function readPanel(uriOf, app) {
    const failure = failurePlace();
    const parts = [actions(uriOf, app, failure), updates(uriOf, app)];
    const calls = callPanel(app, (call) => call.kind === 'resource' && call.name === uriOf());
    const draw = () => {
        for (const part of parts) part.draw();
        calls.redraw();
    };
    draw();
    return { element: h('div', null, parts[0].element, failure.place, parts[1].element, calls), draw };
}

function facts(one) {
    return h(
        'dl.facts',
        null,
        h('dt', null, 'Address'),
        h('dd', null, address(one.uri)),
        one.mimeType ? [h('dt', null, 'Type'), h('dd', null, untrusted(one.mimeType))] : null,
        typeof one.size === 'number'
            ? [h('dt', null, 'Size'), h('dd', null, size(one.size), ' ', badge('claimed by the server'))]
            : null,
    );
}

function details(one, app) {
    return h(
        'article',
        null,
        h('h2', null, untrusted(one.title ?? one.name ?? one.uri)),
        facts(one),
        one.description ? untrustedBlock(one.description, 5000) : null,
        readPanel(() => String(one.uri), app).element,
        rawJson('Definition as the server sent it', one),
    );
}

/** An address that is not in the list, for example from a link in a result. */
const unknown = (uri, app) =>
    h(
        'article',
        null,
        h('h2', null, untrusted(uri)),
        h('p.dim', null, 'The list of the server does not have this address. It may be readable.'),
        readPanel(() => uri, app).element,
    );

export const resources = catalog(
    {
        id: 'resources',
        one: 'resource',
        many: 'resources',
        key: (one) => String(one.uri),
        details,
        unknown,
        words: (one) => `${one.uri} ${one.name ?? ''} ${one.title ?? ''} ${one.description ?? ''}`,
    },
    { title: 'Resources', key: '3' },
);
