// Asks the user before something is sent. It is a modal dialog in the browser's top layer with the page's own head, which no
// text of a server can imitate: such text is always in its own box.
import { send } from '../lib/api.js';
import { badge, button, fill, h, problem, untrusted, untrustedBlock } from '../lib/dom.js';
import { jsonView, rawJson } from '../lib/json_view.js';
import { store } from '../lib/session.js';
import { count } from '../lib/text.js';
import { annotationList } from './annotations.js';
import { openDialog } from './dialog.js';

const QUESTIONS = {
    tool: 'May this tool run?',
    resource: 'May this resource be read?',
    sampling: 'May the server ask a model?',
    root: 'May this folder be named to the server?',
    app: 'May the app do this?',
};
const BY = {
    you: 'You started this.',
    app: 'An app of the server wants this. You did not start it.',
    server: 'The server wants this. You did not start it.',
};

/** The choices, from the narrowest to the widest, then the two ways to say no. */
function choices(consent) {
    const always = consent.kind === 'tool' ? 'Always, as it is defined now' : 'Always';
    return [
        ['once', 'Allow once'],
        ['session', 'For this session'],
        ['always', always],
        ['refuse', 'Refuse'],
        ['never', 'Never'],
    ];
}

let open = null;

/** Shows the oldest open question, and follows the list of them. */
export function watchConsents() {
    store.watch(['consents'], show);
}

function show() {
    const next = store.state.consents.values().next().value;
    if (open && open.consent !== next?.consent) close();
    if (next && !open) ask(next);
    if (open) fill(open.more, more());
}

function close() {
    const { dialog } = open;
    open = null;
    dialog.close();
}

function more() {
    const others = store.state.consents.size - 1;
    return others > 0 ? `${count(others, 'more decision')} after this one.` : '';
}

function ask(consent) {
    const failed = h('div');
    const rest = h('p.dim');
    const decide = async (decision) => {
        try {
            await send('decide', { consent: consent.consent, decision });
        } catch (error) {
            fill(failed, problem(error));
        }
    };
    const dialog = openDialog(
        'consent-dialog',
        QUESTIONS[consent.kind] ?? 'May this happen?',
        [
            describe(consent),
            failed,
            h(
                'div.decisions',
                { role: 'group', 'aria-label': 'Decision' },
                choices(consent).map(([decision, label]) =>
                    button(label, () => decide(decision), {
                        class: decision === 'once' ? 'primary' : undefined,
                        'data-decision': decision,
                    }),
                ),
            ),
            rest,
        ],
        { closable: false },
    );
    open = { consent: consent.consent, dialog, more: rest };
    // A browser may close a dialog that must stay, for example when Escape is pressed twice. Then it opens again.
    dialog.addEventListener('close', () => {
        if (open?.dialog !== dialog) return;
        open = null;
        show();
    });
    // A dialog that opens by itself must not be answered by a key that was meant for something else.
    if (consent.by === 'you') dialog.querySelector('[data-decision="once"]').focus();
    else dialog.querySelector('h2').focus();
}

function describe(consent) {
    return h(
        'div',
        null,
        h(
            'dl.facts',
            null,
            h('dt', null, 'Server'),
            h('dd', null, untrusted(consent.server)),
            h('dt', null, consent.kind === 'tool' ? 'Tool' : 'What'),
            h('dd', null, untrusted(consent.subject)),
        ),
        h('p', null, BY[consent.by] ?? ''),
        consent.changed
            ? h('p.banner.warn', null, 'The definition of this tool changed since you decided. Read it again.')
            : null,
        consent.definition?.description
            ? h(
                  'div',
                  null,
                  h('h3', null, 'What the server says about it'),
                  untrustedBlock(consent.definition.description, 2000),
              )
            : null,
        annotationList(consent.definition?.annotations),
        h('h3', null, consent.kind === 'resource' ? 'This will be asked for' : 'This will be sent'),
        h(
            'div.sends',
            { tabindex: '0', role: 'region', 'aria-label': 'What will be sent' },
            jsonView(consent.sends ?? {}),
        ),
        consent.definition ? rawJson('Definition of the tool', consent.definition) : null,
        consent.by === 'you' ? null : badge('not started by you', 'warn'),
    );
}
