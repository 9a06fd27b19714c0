// Decisions of the user: what is allowed, and what never. Each can be taken back.
import { send } from '../lib/api.js';
import { badge, button, fill, h, notice, untrusted } from '../lib/dom.js';
import { loadDecisions } from '../lib/session.js';
import { count } from '../lib/text.js';
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
    fill(
        host,
        h('h1', null, 'Consent'),
        h(
            'p',
            null,
            'Nothing is called, read or shared before you decide. A decision “always” holds for a tool exactly as it is defined now: a changed tool asks again.',
        ),
        failure.place,
        place,
    );
    const draw = () => fill(place, list(app.state.decisions, failure));
    app.watch(['decisions'], draw);
    draw();
    loadDecisions();
}

function list(decisions, failure) {
    if (decisions === null) return notice('loading', 'Loading…');
    if (decisions.length === 0) return notice('empty', 'No standing decisions. The next call asks.');
    return h(
        'div.table-box',
        { tabindex: '0', role: 'region', 'aria-label': 'Decisions' },
        h(
            'table',
            null,
            h(
                'thead',
                null,
                h(
                    'tr',
                    null,
                    ['Server', 'May', 'Decision', 'Since', 'Used', ''].map((text) =>
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
        h('td', null, new Date(one.at).toLocaleString()),
        h('td', null, count(one.uses, 'time')),
        h('td', null, revoke),
    );
}

export const consent = { id: 'consent', title: 'Consent', key: '8', mount };
