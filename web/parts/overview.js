// What a new user wants to know first: which tools exist, what the server just said, whether it conforms, what was allowed.
import { badge, fill, h, untrusted } from '../lib/dom.js';
import { link } from '../lib/router.js';
import { clock, count } from '../lib/text.js';

const DECIDED = { refuse: 'refused', never: 'never allowed', gone: 'not needed any more' };

/** A section that follows the state. The focus stays on its card. */
export function overview(app) {
    const place = h('section', { 'aria-label': 'What happened' });
    const draw = () => {
        const links = () => [...place.querySelectorAll('a')];
        const focused = links().indexOf(document.activeElement);
        fill(place, app.state.status?.state === 'ready' ? [cards(app.state), lastWords(app.state.messages)] : null);
        if (focused >= 0) links()[focused]?.focus({ preventScroll: true });
    };
    app.watch(
        ['messages', 'tools', 'resources', 'prompts', 'decisions', 'decided', 'check', 'server', 'status'],
        draw,
    );
    draw();
    return place;
}

function card(view, title, value, note, tone = '') {
    return h(
        `a.card${tone ? '.' + tone : ''}`,
        { href: link(view) },
        h('span.card-title', null, title),
        h('span.card-value', null, value),
        h('span.card-note', null, note),
    );
}

const size = (part) => (part.items ? String(part.items.length) : '…');

/** The first names of a list, in the look of server text. */
function names(part, key, otherwise) {
    const all = (part.items ?? []).slice(0, 20).map((one) => String(one[key]));
    return all.length > 0 ? untrusted(all.join(', '), { max: 120 }) : otherwise;
}

function cards(state) {
    const { messages, check } = state;
    return h(
        'div.cards',
        null,
        card('tools', 'Tools', size(state.tools), names(state.tools, 'name', 'which tools exist')),
        card('resources', 'Resources', size(state.resources), names(state.resources, 'uri', 'what can be read')),
        card('prompts', 'Prompts', size(state.prompts), names(state.prompts, 'name', 'prepared messages')),
        card(
            'history',
            'Messages',
            String(messages.last?.number ?? 0),
            messages.broken ? `${count(messages.broken, 'message')} broke a rule` : 'none broke a rule so far',
            messages.broken ? 'warn' : 'ok',
        ),
        conformance(check),
        allowed(state),
    );
}

function conformance({ running, done }) {
    if (running) return card('check', 'Conforms?', '…', 'the check is running');
    if (!done) return card('check', 'Conforms?', '?', 'not checked yet');
    return done.failed
        ? card('check', 'Conforms?', `${done.failed} failed`, `${done.passed} rules passed`, 'bad')
        : card('check', 'Conforms?', 'yes', `${done.passed} rules passed`, 'ok');
}

function allowed({ decisions, decided }) {
    const standing = (decisions ?? []).filter((one) => one.decision !== 'never').length;
    const last = [...decided.values()].at(-1);
    const words = last ? ['last: ', DECIDED[last.decision] ?? 'allowed', ' ', untrusted(last.subject, { max: 60 })] : null;
    return card('consent', 'Allowed without asking', String(standing), words ?? 'nothing was asked yet');
}

/** The last message of the server. */
function lastWords({ received }) {
    if (!received) return null;
    return h(
        'p.last-words',
        null,
        h('strong', null, 'The server just said: '),
        badge(received.kind, received.kind === 'error' || received.kind === 'invalid' ? 'bad' : ''),
        ' ',
        untrusted(received.method || '–', { max: 60 }),
        h('span.dim', null, ` ${clock(received.at)} `),
        received.verdicts.length ? badge(`✗ ${received.verdicts[0].rule}`, 'bad') : badge('✓ breaks no rule', 'ok'),
        ' ',
        untrusted(received.text ?? '', { max: 160 }),
        ' ',
        h('a', { href: link('history', String(received.number)) }, 'See the message'),
    );
}
