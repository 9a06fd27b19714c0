// Resources: reading, and following their changes.
import { send } from '../lib/api.js';
import { address, badge, button, h, untrusted, untrustedBlock } from '../lib/dom.js';
import { rawJson } from '../lib/json_view.js';
import { link } from '../lib/router.js';
import { start, store } from '../lib/session.js';
import { clock, count, size } from '../lib/text.js';
import { callPanel, failurePlace } from '../parts/call_panel.js';
import { catalog } from '../parts/catalog.js';

/** Buttons for one URI: read, and subscribe or unsubscribe. */
function actions(uri, app, failure) {
    const follow = h('span');
    const draw = () => {
        const on = app.state.subscribed.includes(uri);
        follow.replaceChildren(button(on ? 'Unsubscribe' : 'Subscribe', () => failure.run(async () => {
            const { subscribed } = await send(on ? 'unsubscribe' : 'subscribe', { uri });
            store.update({ subscribed });
        }), { 'data-role': 'subscribe' }));
    };
    app.watch(['subscribed'], draw);
    draw();
    return h('div.actions', null, button('Read', () => failure.run(() => start('read', { uri }, { kind: 'resource', name: uri })), { class: 'primary', 'data-action': 'run', title: 'Ctrl Enter' }), follow,
        uri.startsWith('ui://') ? h('a', { href: link('apps', uri) }, 'Open as an app') : null);
}

/** When a subscribed resource changed. */
function updates(uri, app) {
    const place = h('div');
    const draw = () => {
        const times = app.state.changes.items.filter((one) => one.uri === uri);
        place.replaceChildren(times.length ? h('details', null, h('summary', null, `${count(times.length, 'change')}; the last at ${clock(times.at(-1).at)}`), h('ul', null, times.slice(-50).reverse().map((one) => h('li', null, clock(one.at))))) : '');
    };
    app.watch(['changes'], draw);
    draw();
    return place;
}

/** Reads one URI and shows what came. */
export function readPanel(uri, app) {
    const failure = failurePlace();
    return h('div', null, actions(uri, app, failure), failure.place, updates(uri, app), callPanel(app, (call) => call.kind === 'resource' && call.name === uri));
}

function facts(one) {
    return h('dl.facts', null, h('dt', null, 'Address'), h('dd', null, address(one.uri)),
        one.mimeType ? [h('dt', null, 'Type'), h('dd', null, untrusted(one.mimeType))] : null,
        typeof one.size === 'number' ? [h('dt', null, 'Size'), h('dd', null, size(one.size), ' ', badge('claimed by the server'))] : null);
}

function details(one, app) {
    return h('article', null, h('h2', null, untrusted(one.title ?? one.name ?? one.uri)), facts(one), one.description ? untrustedBlock(one.description, 5000) : null,
        readPanel(String(one.uri), app), rawJson('Definition as the server sent it', one));
}

/** An address that is not in the list, for example from a link in a result. */
const unknown = (uri, app) => h('article', null, h('h2', null, untrusted(uri)), h('p.dim', null, 'The list of the server does not have this address. It may be readable.'), readPanel(uri, app));

export const resources = catalog({
    id: 'resources', one: 'resource', many: 'resources', key: (one) => String(one.uri), details, unknown,
    words: (one) => `${one.uri} ${one.name ?? ''} ${one.title ?? ''} ${one.description ?? ''}`,
}, { title: 'Resources', key: '3' });
