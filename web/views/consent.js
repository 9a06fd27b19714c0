// Decisions of the user: what is allowed, and what never. Each can be taken back.
import { send } from '../lib/api.js';
import { badge, button, fill, h, notice, untrusted } from '../lib/dom.js';
import { write } from '../lib/json.js';
import { loadDecisions } from '../lib/session.js';
import { clock, count } from '../lib/text.js';
import { failurePlace } from '../parts/call_panel.js';

const KINDS = {
    tool: 'call the tool',
    resource: 'read',
    sampling: 'ask a model',
    root: 'know the folder',
    app: 'let the app',
};
const WORDS = { session: ['for this session', 'ok'], always: ['always', 'ok'], never: ['never', 'bad'] };

function mount(host, app) {
    const failure = failurePlace();
    const place = h('div');
    const past = h('div');
    fill(
        host,
        h('h1', null, 'Consent'),
        h(
            'p',
            null,
            'Nothing is called, read or shared before you decide. A decision “always” holds for a tool exactly as it is defined now: a changed tool asks again.',
        ),
        failure.place,
        h('h2', null, 'Standing decisions'),
        place,
        h('h2', null, 'What you decided so far'),
        past,
    );
    let shown;
    const draw = () => {
        const { decisions } = app.state;
        const key = write(decisions);
        if (key !== shown) fill(place, list(decisions, failure));
        shown = key;
    };
    const drawPast = () => fill(past, decidedList([...app.state.decided.values()].reverse()));
    app.watch(['decisions'], draw);
    app.watch(['decided'], drawPast);
    draw();
    drawPast();
    loadDecisions();
}

const DECIDED = {
    once: ['allowed once', 'ok'],
    session: ['allowed for this session', 'ok'],
    always: ['always allowed', 'ok'],
    refuse: ['refused', 'bad'],
    never: ['never', 'bad'],
    gone: ['not needed any more', ''],
};

/** Each question of this session and its answer, the newest first. */
function decidedList(decided) {
    if (decided.length === 0) return notice('empty', 'Nothing was asked yet.');
    return h(
        'ul.decided',
        null,
        decided.map((one) =>
            h(
                'li',
                null,
                h('span.dim', null, clock(one.at)),
                ' ',
                badge(...(DECIDED[one.decision] ?? [one.decision])),
                ` ${KINDS[one.kind] ?? one.kind} `,
                untrusted(one.subject, { max: 200 }),
            ),
        ),
    );
}

function list(decisions, failure) {
    if (decisions === null) return notice('loading', 'Loading…');
    if (decisions.length === 0) return notice('empty', 'No standing decisions. The next call asks.');
    return h(
        'div.table-box',
        { tabindex: '0', role: 'region', 'aria-label': 'Decisions' },
        h(
            'table.stacked',
            null,
            h(
                'thead',
                null,
                h(
                    'tr',
                    null,
                    ['Server', 'May', 'Decision', 'Since', 'Use', ''].map((text) =>
                        text ? h('th', { scope: 'col' }, text) : h('td'),
                    ),
                ),
            ),
            h(
                'tbody',
                null,
                decisions.map((one) => row(one, failure)),
            ),
        ),
    );
}

function row(one, failure) {
    const revoke = button(
        'Revoke',
        () =>
            failure.run(async () => {
                await send('revoke', { decision_id: one.decision_id });
                await loadDecisions();
            }),
        { 'data-role': 'revoke', 'aria-label': `Revoke the decision about ${one.subject}` },
    );
    return h(
        'tr',
        null,
        h('td', null, untrusted(one.server, { max: 100 })),
        h(
            'td',
            null,
            `${KINDS[one.kind] ?? one.kind} `,
            untrusted(one.subject, { max: 200 }),
            one.fingerprint ? h('div.dim', { title: 'fingerprint of the definition' }, one.fingerprint) : null,
        ),
        h('td', null, badge(...(WORDS[one.decision] ?? [one.decision]))),
        h('td', null, one.at === 0 ? 'an earlier run' : new Date(one.at).toLocaleString()),
        h('td', null, one.uses === 0 ? 'not used since' : `used ${count(one.uses, 'time')} since`),
        h('td', null, revoke),
    );
}

export const consent = { id: 'consent', title: 'Consent', key: '8', mount };
