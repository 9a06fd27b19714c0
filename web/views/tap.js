// Between a real client and a real server: breakpoints, and the messages that wait at them.
import { send } from '../lib/api.js';
import { badge, button, copyButton, fill, h, keyedList, notice, uniqueId, untrusted } from '../lib/dom.js';
import { link } from '../lib/router.js';
import { failurePlace } from '../parts/call_panel.js';
import { httpExchange } from '../parts/http_exchange.js';
import { stderrList } from '../parts/stderr_list.js';

const DIRECTIONS = { any: 'both directions', sent: 'client → server', received: 'server → client' };

const SHOWN_EXCHANGES = 50;

function mount(host, app) {
    const failure = failurePlace();
    const rulesPlace = h('div');
    const heldPlace = h('div');
    const exchangesPlace = h('section', { 'aria-label': 'HTTP requests', hidden: true });
    const cards = new Map();
    if (app.state.status && app.state.status.mode !== 'tap')
        return void fill(
            host,
            h('h1', null, 'Tap'),
            notice(
                'empty',
                'This page does not tap now.',
                h(
                    'p',
                    null,
                    'Start it between a client and a server, with this command in the configuration of the client: ',
                    h('code', null, 'tenon inspect --tap -- command'),
                ),
                h(
                    'p',
                    null,
                    'For a server with a URL, start ',
                    h('code', null, 'tenon inspect --tap URL'),
                    ' and give the client the second address that it prints.',
                ),
            ),
        );
    fill(
        host,
        h('h1', null, 'Tap'),
        h(
            'p',
            null,
            'A real client talks to a real server through this program. All messages are in the ',
            h('a', { href: link('history') }, 'history'),
            '.',
        ),
        clientAddress(app.state.status?.tap_address),
        failure.place,
        h('section', { 'aria-label': 'Held messages' }, h('h2', null, 'Held messages'), heldPlace),
        h('section', { 'aria-label': 'Breakpoints' }, h('h2', null, 'Breakpoints'), rulesPlace),
        exchangesPlace,
        stderrList(app),
    );
    const draw = () => {
        const { held } = app.state;
        for (const [id, card] of cards)
            if (!held.has(id)) {
                card.remove();
                cards.delete(id);
            }
        if (held.size === 0) fill(heldPlace, notice('empty', 'No message waits.'));
        else heldPlace.querySelector('.notice')?.remove();
        for (const one of held.values())
            if (!cards.has(one.held)) {
                cards.set(one.held, heldCard(one, failure));
                heldPlace.append(cards.get(one.held));
            }
    };
    app.watch(['held'], draw);
    draw();
    const list = h('ol.steps');
    fill(
        exchangesPlace,
        h('h2', null, 'HTTP requests'),
        h('p.dim', null, 'The newest first. Secrets are masked here, and passed on as they are.'),
        list,
    );
    const showExchanges = keyedList(list, exchange);
    const drawExchanges = () => {
        const { items } = app.state.exchanges;
        exchangesPlace.hidden = items.length === 0;
        showExchanges(
            items
                .slice(-SHOWN_EXCHANGES)
                .reverse()
                .map((one) => [one, one]),
        );
    };
    app.watch(['exchanges'], drawExchanges);
    drawExchanges();
    rulesEditor(rulesPlace, failure);
    return undefined;
}

const exchange = (one) =>
    httpExchange(one, h('strong', null, one.method, one.stream ? ', a stream of events' : ''));

/** Where the client must connect to, for a server with a URL. */
function clientAddress(text) {
    if (!text) return null;
    return h(
        'div.banner.plain',
        null,
        h('p', null, 'Let the client connect to this address in place of the server:'),
        h('p.big-address', null, h('code', null, text), ' ', copyButton('Copy', () => text)),
    );
}

function heldCard(one, failure) {
    const text = h('textarea.code.grows', { rows: '6', id: uniqueId('held'), spellcheck: 'false' });
    text.value = one.text;
    const release = () =>
        failure.run(() =>
            send('release', { held: one.held, ...(text.value === one.text ? {} : { text: text.value }) }),
        );
    return h(
        'article.question',
        { 'data-held': one.held },
        h(
            'h3',
            null,
            badge(DIRECTIONS[one.direction] ?? one.direction, 'info'),
            ' ',
            untrusted(one.method || 'message'),
        ),
        h('label', { for: text.id }, 'Message; a change is sent as you write it'),
        text,
        h(
            'div.actions',
            null,
            button('Send on', release, { class: 'primary', 'data-action': 'run' }),
            button('Drop', () => failure.run(() => send('drop', { held: one.held })), { 'data-role': 'drop' }),
        ),
    );
}

function rulesEditor(place, failure) {
    let rules = [];
    const direction = h(
        'select',
        { 'aria-label': 'Direction' },
        Object.entries(DIRECTIONS).map(([value, text]) => h('option', { value }, text)),
    );
    const method = h('input', {
        type: 'text',
        'aria-label': 'Method',
        placeholder: 'tools/call, or * for all',
        spellcheck: 'false',
    });
    const list = h('div');
    let last; // one change after the other: a late answer must not undo a newer one
    const change = (next) => {
        const before = last;
        last = failure.run(async () => {
            await before;
            const rulesOf = next?.(rules);
            rules = (await send('breakpoints', rulesOf ? { rules: rulesOf } : {})).rules;
            draw();
        });
    };
    const draw = () =>
        fill(
            list,
            rules.length === 0
                ? h('p.dim', null, 'No breakpoints: every message passes.')
                : h(
                      'ul',
                      null,
                      rules.map((rule) =>
                          h(
                              'li',
                              null,
                              `${DIRECTIONS[rule.direction]} `,
                              untrusted(rule.method),
                              ' ',
                              button('Remove', () => change((now) => now.filter((one) => !same(one, rule))), {
                                  class: 'quiet',
                                  'aria-label': `Remove the breakpoint ${rule.method}`,
                              }),
                          ),
                      ),
                  ),
        );
    fill(
        place,
        list,
        h(
            'div.row',
            null,
            direction,
            method,
            button(
                'Add breakpoint',
                () => {
                    const rule = { direction: direction.value, method: method.value.trim() || '*' };
                    change((now) => [...now.filter((one) => !same(one, rule)), rule]);
                },
                { 'data-role': 'add-breakpoint' },
            ),
        ),
    );
    change();
}

const same = (a, b) => a.direction === b.direction && a.method === b.method;

export const tap = { id: 'tap', title: 'Tap', key: 'b', mount };
