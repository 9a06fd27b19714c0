// A searchable list beside the details of one entry: tools, resources, templates and prompts.
import { button, fill, h, notice, problem, untrusted } from '../lib/dom.js';
import { write } from '../lib/json.js';
import { go, link } from '../lib/router.js';
import { load } from '../lib/session.js';
import { count, plain } from '../lib/text.js';
import '../lib/virtual_list.js';

/**
 * @typedef {object} Kind
 * @property {string} id the view, and the part of the state
 * @property {string} one @property {string} many
 * @property {(entry: any) => string} key what names an entry
 * @property {(entry: any) => string} words what the search looks at
 * @property {(entry: any, app: any) => any[]} [marks] badges of a row
 * @property {(entry: any, app: any) => HTMLElement} details
 * @property {(key: string, app: any) => HTMLElement} [unknown] details of an entry that the list does not have
 */

/** Makes a view from a kind of entries. @param {Kind} kind */
export function catalog(kind, { title, key }) {
    return { id: kind.id, title, key, mount: (host, app, argument) => mount(kind, title, host, app, argument) };
}

function mount(kind, title, host, app, argument) {
    let current = argument;
    let found = [];
    const search = h('input', {
        type: 'search',
        'aria-label': `Search ${kind.many}`,
        placeholder: `Search ${kind.many}  ( / )`,
        autocomplete: 'off',
        spellcheck: 'false',
    });
    const summary = h('p.dim', { role: 'status' });
    const list = document.createElement('tn-list');
    list.id = `${kind.id}-list`;
    const state = h('div');
    const details = h('div.details', { role: 'region', 'aria-label': 'Details' });
    const rowKey = (entry) =>
        `${kind.key(entry) === current}${write([kind.key(entry), entry.title, entry.description, app.state[kind.id].decisions?.[entry.name]])}`;
    list.setup({
        rowHeight: 52,
        label: title,
        key: (index) => rowKey(found[index]),
        row: (index) => row(kind, found[index], app, current),
        open: (index) => go(kind.id, kind.key(found[index])),
    });
    fill(
        host,
        h(
            'div.catalog',
            null,
            h(
                'div.catalog-list',
                null,
                h(
                    'div.row',
                    null,
                    h('h1', null, title),
                    button('Refresh', () => load(kind.id, true), { class: 'quiet' }),
                ),
                search,
                summary,
                state,
                list,
            ),
            details,
        ),
    );

    const drawList = () => {
        const part = app.state[kind.id];
        const words = search.value.trim().toLowerCase();
        const all = part.items ?? [];
        found = words === '' ? all : all.filter((entry) => kind.words(entry).toLowerCase().includes(words));
        fill(state, stateOf(kind, part, app, all, found, words));
        summary.textContent = part.items
            ? words
                ? `${found.length} of ${count(all.length, kind.one, kind.many)}`
                : count(all.length, kind.one, kind.many)
            : '';
        list.hidden = found.length === 0;
        list.show(found.length);
    };
    const drawDetails = () => {
        host.classList.toggle('has-details', current !== '');
        const entry = (app.state[kind.id].items ?? []).find((one) => kind.key(one) === current);
        const back = h('a.back', { href: link(kind.id) }, `← all ${kind.many}`);
        if (entry) fill(details, back, kind.details(entry, app));
        else if (current !== '' && kind.unknown) fill(details, back, kind.unknown(current, app));
        else if (current !== '' && app.state[kind.id].items)
            fill(
                details,
                back,
                notice('empty', `The server has no ${kind.one} with this name now.`, h('p', null, untrusted(current))),
            );
        else fill(details, notice('empty', `Choose a ${kind.one} to see it.`));
        shownEntry = write(entry);
    };
    let shownEntry;
    search.addEventListener('input', drawList);
    search.addEventListener('keydown', (event) => {
        if (event.key === 'ArrowDown') {
            list.focus();
            list.select(0);
            event.preventDefault();
        }
        if (event.key === 'Enter' && found.length > 0) go(kind.id, kind.key(found[0]));
    });
    app.watch([kind.id, 'status'], () => {
        drawList();
        const entry = (app.state[kind.id].items ?? []).find((one) => kind.key(one) === current);
        if (write(entry) !== shownEntry || (!entry && app.state[kind.id].items)) drawDetails();
    });
    load(kind.id);
    drawList();
    drawDetails();
    return (next) => {
        current = next;
        drawList();
        drawDetails();
    };
}

function stateOf(kind, part, app, all, found, words) {
    if (app.state.status?.state !== 'ready')
        return notice(
            'empty',
            'Not connected',
            h('p', null, h('a', { href: link('server') }, 'Connect to a server first')),
        );
    if (part.error) return problem(part.error);
    const incomplete = part.problem ? notice('empty', untrusted(part.problem)) : null;
    if (!part.items) return notice('loading', 'Loading…');
    if (all.length === 0) return incomplete ?? notice('empty', `The server has no ${kind.many}.`);
    return found.length === 0 ? notice('empty', `No ${kind.one} matches “${plain(words)}”.`) : incomplete;
}

function row(kind, entry, app, current) {
    const name = kind.key(entry);
    const about = entry.title ?? entry.annotations?.title ?? entry.description ?? '';
    return h(
        `div.entry${name === current ? '.current' : ''}`,
        null,
        h('div.entry-name', null, untrusted(name, { max: 120 }), kind.marks?.(entry, app)),
        h('div.entry-about', null, untrusted(String(about), { max: 160 })),
    );
}
