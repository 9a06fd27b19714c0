// The frame of the page: top bar, navigation, the current view, dialogs and shortcuts.
import { badge, button, fill, h, untrusted } from './lib/dom.js';
import { go, link, start } from './lib/router.js';
import { begin, store } from './lib/session.js';
import { applyTheme, setTheme, theme } from './lib/settings.js';
import { watchConsents } from './parts/consent_dialog.js';
import { openHelp } from './parts/help.js';
import { openPalette } from './parts/palette.js';
import { holdWhilePressed } from './parts/press.js';
import { installShortcuts } from './parts/shortcuts.js';
import { isUsed, VIEWS } from './views/all.js';

const { state } = store;
let shown = null;

const STATES = {
    idle: ['not connected', ''],
    connecting: ['connecting…', 'info'],
    ready: ['connected', 'ok'],
    failed: ['failed', 'bad'],
    closed: ['closed', 'warn'],
};

function connectionBadge() {
    if (state.link === 'down') return badge('program not reachable', 'bad');
    if (state.link === 'refused') return badge('access refused', 'bad');
    if (!state.status) return badge('starting…', 'info');
    return badge(...STATES[state.status.state]);
}

const THEMES = { auto: 'light', light: 'dark', dark: 'auto' };

function themeButton() {
    return button(
        `Theme: ${theme()}`,
        (event) => {
            setTheme(THEMES[theme()]);
            event.target.textContent = `Theme: ${theme()}`;
        },
        { class: 'quiet', id: 'theme' },
    );
}

function drawTop() {
    const { status } = state;
    const target = status?.target;
    fill(
        document.getElementById('top'),
        h('a.brand', { href: link('server') }, 'tenon inspect'),
        h(
            'span.target',
            null,
            status?.mode === 'tap' ? badge('tap', 'info') : null,
            target ? untrusted(target.name ?? target.text, { max: 200 }) : null,
            connectionBadge(),
        ),
        h(
            'span.top-tools',
            null,
            button('Menu', () => document.getElementById('frame').classList.toggle('menu-open'), {
                class: 'quiet menu-button',
                id: 'menu',
                'aria-controls': 'views',
            }),
            button('Go to… Ctrl K', openPalette, { class: 'quiet', id: 'palette-button' }),
            themeButton(),
            button('Keys ?', openHelp, { class: 'quiet', id: 'help-button' }),
        ),
    );
}

/** How many things wait in a view. */
function waiting(view) {
    const counts = {
        questions: state.questions.size,
        consent: state.consents.size,
        tap: state.held.size,
        live: [...state.calls.values()].filter((call) => call.state === 'running').length,
        history: state.messages.broken,
    };
    return counts[view.id] ?? 0;
}

const SIZES = { tools: 'tools', resources: 'resources', templates: 'templates', prompts: 'prompts' };

function drawNav() {
    const nav = document.getElementById('views');
    const current = shown?.view.id;
    fill(
        nav,
        h(
            'ul',
            null,
            VIEWS.filter((view) => isUsed(view, state)).map((view) =>
                h(
                    'li',
                    null,
                    h(
                        'a',
                        { href: link(view.id), 'aria-current': view.id === current ? 'page' : undefined },
                        h('span.nav-key', { 'aria-hidden': 'true' }, view.key),
                        h('span.nav-title', null, view.title),
                        navCount(view),
                    ),
                ),
            ),
        ),
    );
}

function navCount(view) {
    const n = waiting(view);
    const words = view.id === 'history' ? 'messages break a rule' : view.id === 'live' ? 'running' : 'waiting';
    if (n > 0)
        return h(
            `span.badge.${view.id === 'live' ? 'info' : 'warn'}`,
            null,
            String(n),
            h('span.sr', null, ` ${words}`),
        );
    const items = SIZES[view.id] ? state[view.id].items : null;
    return items?.length ? h('span.nav-size', null, String(items.length)) : null;
}

/** A line above the view when something needs the user, or nothing can work. */
function drawBanner() {
    const banner = document.getElementById('banner');
    if (!banner) return;
    if (state.link === 'down')
        return fill(
            banner,
            h(
                'p.banner.bad',
                { role: 'alert' },
                'The program does not answer; trying again. What you see may be old. If you stopped it, start tenon inspect again and open its new URL.',
            ),
        );
    if (state.link === 'refused')
        return fill(
            banner,
            h(
                'p.banner.bad',
                { role: 'alert' },
                'The program refuses this page. Its URL works once: start tenon inspect again, and open the new URL.',
            ),
        );
    const n = state.questions.size;
    const signIn = state.signIn && state.status?.state !== 'ready';
    fill(
        banner,
        n > 0 && shown?.view.id !== 'questions'
            ? h(
                  'p.banner.warn',
                  { role: 'status' },
                  n === 1 ? 'The server asks a question. ' : `The server asks ${n} questions. `,
                  h('a', { href: link('questions') }, 'Answer'),
              )
            : null,
        signIn && shown?.view.id !== 'signin'
            ? h(
                  'p.banner.warn',
                  { role: 'status' },
                  'The server wants you to sign in. ',
                  h('a', { href: link('signin') }, 'See the page'),
              )
            : null,
    );
}

function show({ view: id, argument }) {
    const view = VIEWS.find((one) => one.id === id);
    if (!view) return id === 'main' ? undefined : go('server');
    document.getElementById('frame').classList.remove('menu-open');
    if (shown?.view === view && shown.update) shown.update(argument);
    else mount(view, argument);
    document.title = `${view.title} – tenon inspect`;
    drawNav();
    drawBanner();
}

function mount(view, argument) {
    shown?.stop();
    const host = h('div.view', { id: `view-${view.id}` });
    const main = document.getElementById('main');
    const moved = document.activeElement?.closest('#views') || document.activeElement === document.body;
    fill(main, h('div', { id: 'banner' }), host);
    const stops = [];
    const app = {
        store,
        state,
        watch: (keys, run) => {
            stops.push(store.watch(keys, run));
        },
        onStop: (run) => stops.push(run),
    };
    const update = view.mount(host, app, argument);
    shown = { view, update, stop: () => stops.forEach((stop) => stop()) };
    main.scrollTop = 0;
    if (moved && view !== VIEWS[0]) main.focus({ preventScroll: true });
}

/** The page of a tap begins with the tap. */
let begun = false;
function chooseFirst() {
    if (begun || !state.status) return;
    begun = true;
    if (shown?.view === VIEWS[0] && !isUsed(VIEWS[0], state)) go('tap');
}

applyTheme();
store.watch(['status'], chooseFirst);
store.watch(['status', 'link'], drawTop);
store.watch(
    ['status', 'tools', 'resources', 'templates', 'prompts', 'questions', 'consents', 'held', 'calls', 'messages'],
    drawNav,
);
store.watch(['link', 'questions', 'status', 'signIn'], drawBanner);
drawTop();
watchConsents();
installShortcuts(VIEWS);
holdWhilePressed(store);
start(show);
begin();
