// Apps of the server (ui:// resources) in a frame on another origin. They can do nothing but send messages, and each message
// goes through the program, which asks for consent.
import { send } from '../lib/api.js';
import { address, badge, button, fill, h, notice, problem, untrusted } from '../lib/dom.js';
import { write } from '../lib/json.js';
import { jsonView, rawJson } from '../lib/json_view.js';
import { link } from '../lib/router.js';
import { load, start } from '../lib/session.js';
import { Bounded } from '../lib/store.js';
import { clock } from '../lib/text.js';
import { failurePlace, pendingView } from '../parts/call_panel.js';

const MAX_MESSAGES = 200;
const MAX_MESSAGE = 1_000_000;

const appOf = (tool) => tool._meta?.ui?.resourceUri ?? tool._meta?.['ui/resourceUri'];

const appsOf = (state) =>
    [
        ...new Set([...(state.resources.items ?? []).map((one) => one.uri), ...(state.tools.items ?? []).map(appOf)]),
    ].filter((uri) => typeof uri === 'string' && uri.startsWith('ui://'));

/** The last result of a tool of this app: the app shows it. */
function lastCall(uri, state) {
    const tools = new Set((state.tools.items ?? []).filter((tool) => appOf(tool) === uri).map((tool) => tool.name));
    return [...state.calls.values()]
        .reverse()
        .find((call) => call.kind === 'tool' && tools.has(call.name) && call.outcome?.result)?.call;
}

function mount(host, app, argument) {
    const failure = failurePlace();
    const list = h('div');
    const place = h('div');
    let running = null;
    fill(
        host,
        h('h1', null, 'Apps'),
        h(
            'p.dim',
            null,
            'Pages that the server brings. They run in a frame without access to this page, and what they want to do needs your consent.',
        ),
        list,
        failure.place,
        place,
    );
    const drawList = () => {
        const apps = appsOf(app.state);
        fill(
            list,
            apps.length === 0
                ? notice('empty', 'The server has no apps.')
                : h(
                      'ul',
                      null,
                      apps.map((uri) => h('li', null, h('a', { href: link('apps', uri) }, untrusted(uri)))),
                  ),
        );
    };
    const close = () => {
        running?.stop();
        running = null;
    };
    const open = (uri) => {
        close();
        fill(place);
        if (uri === '') return;
        fill(
            place,
            h('h2', null, untrusted(uri)),
            button(
                'Open the app',
                () =>
                    failure.run(async () => {
                        const last = lastCall(uri, app.state);
                        const call = await start('app_open', last === undefined ? { uri } : { uri, call: last }, {
                            kind: 'app',
                            name: uri,
                        });
                        close();
                        running = runApp(call, place, app, uri);
                    }),
                { class: 'primary', 'data-action': 'run' },
            ),
        );
    };
    app.watch(['resources', 'tools'], drawList);
    app.onStop(close);
    load('resources');
    load('tools');
    drawList();
    open(argument);
    return open;
}

/** Waits for the app, then shows it and its messages. */
function runApp(id, place, app, uri) {
    const frameBox = h('div.app-frame');
    const log = h('ul.app-messages');
    const links = h('div');
    const stops = [];
    let frame = null;
    let opened = null;
    fill(
        place,
        h('h2', null, untrusted(uri)),
        h('p', null, badge('content of the server', 'warn'), ' Everything inside of the frame is made by the server.'),
        frameBox,
        links,
        h('h3', null, 'Messages of the app'),
        log,
    );
    const shown = new Bounded(MAX_MESSAGES);
    const note = (direction, message) => {
        shown.push(message);
        log.prepend(
            h(
                'li',
                null,
                h('time', null, clock(Date.now())),
                ` ${direction} `,
                untrusted(message?.method ?? 'answer', { max: 80 }),
                rawJson('message', message),
            ),
        );
        while (log.children.length > MAX_MESSAGES) log.lastChild.remove();
    };
    const post = (message) => {
        note('to the app', message);
        frame?.contentWindow?.postMessage(JSON.parse(write(message)), '*'); // an app expects the numbers of JSON.parse
    };
    const draw = () => {
        const call = app.state.calls.get(id);
        if (!call || opened) return;
        if (call.state !== 'done') return void fill(frameBox, pendingView(call).element);
        if (call.outcome.error || !call.outcome.app)
            return void fill(frameBox, problem(call.outcome.error ?? new Error('This resource is not an app.')));
        opened = call.outcome.app;
        frame = h('iframe', {
            sandbox: 'allow-scripts allow-forms',
            referrerpolicy: 'no-referrer',
            src: opened.url,
            title: 'App of the server',
        });
        fill(
            frameBox,
            frame,
            h(
                'details',
                null,
                h('summary', null, 'What the frame may do'),
                h('p', null, 'Content Security Policy: ', untrusted(opened.csp ?? '')),
                jsonView(opened.permissions ?? {}),
            ),
        );
        app.state.apps.set(opened.app, (event) => {
            if (event.app === opened.app) fromProgram(event);
        });
    };
    const fromProgram = (event) => {
        if (event.message) post(event.message);
        if (event.open) links.append(h('p', null, 'The app wants you to open ', address(event.open)));
    };
    const fromApp = async (event) => {
        if (!frame || event.source !== frame.contentWindow || typeof event.data !== 'object' || event.data === null)
            return;
        let text;
        try {
            text = JSON.stringify(event.data);
        } catch {
            return;
        }
        if (text.length > MAX_MESSAGE) return void note('too large, refused:', { method: 'message' });
        const message = JSON.parse(text);
        note('from the app', message);
        try {
            const { reply } = await send('app_message', { app: opened.app, message });
            if (reply) post(reply);
        } catch (error) {
            if (message.id !== undefined)
                post({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: error.message } });
        }
    };
    addEventListener('message', fromApp);
    stops.push(app.store.watch(['calls'], draw), () => removeEventListener('message', fromApp));
    draw();
    return {
        stop() {
            stops.forEach((stop) => stop());
            if (opened) {
                app.state.apps.delete(opened.app);
                send('app_close', { app: opened.app }).catch(() => {});
            }
            fill(place);
        },
    };
}

export const apps = { id: 'apps', title: 'Apps', key: 'a', mount };
