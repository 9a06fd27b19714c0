// Ctrl K: goes to a view or to an entry of the server by a part of its name.
import { fill, h, untrusted } from '../lib/dom.js';
import { go } from '../lib/router.js';
import { store } from '../lib/session.js';
import { isUsed, VIEWS } from '../views/all.js';
import { openDialog } from './dialog.js';

const MAX_SHOWN = 12;

function* entries() {
    for (const view of VIEWS.filter((one) => isUsed(one, store.state)))
        yield { kind: 'view', text: view.title, own: true, go: () => go(view.id) };
    const { tools, resources, templates, prompts } = store.state;
    for (const tool of tools.items ?? [])
        yield { kind: 'tool', text: String(tool.name), go: () => go('tools', tool.name) };
    for (const one of resources.items ?? [])
        yield { kind: 'resource', text: String(one.uri), go: () => go('resources', one.uri) };
    for (const one of templates.items ?? [])
        yield { kind: 'template', text: String(one.uriTemplate), go: () => go('templates', one.uriTemplate) };
    for (const one of prompts.items ?? [])
        yield { kind: 'prompt', text: String(one.name), go: () => go('prompts', one.name) };
}

function find(words) {
    const found = [];
    for (const entry of entries()) {
        if (entry.text.toLowerCase().includes(words)) found.push(entry);
        if (found.length === MAX_SHOWN) break;
    }
    return found;
}

/** Opens the palette. */
export function openPalette() {
    let found = [];
    let current = 0;
    const list = h('ul.palette-list', { role: 'listbox', id: 'palette-list', 'aria-label': 'Where to go' });
    const input = h('input', {
        type: 'text',
        role: 'combobox',
        'aria-expanded': 'true',
        'aria-controls': 'palette-list',
        'aria-label': 'Where to go',
        placeholder: 'view, tool, resource or prompt',
        autocomplete: 'off',
        spellcheck: 'false',
    });
    const draw = () => {
        fill(
            list,
            found.map((entry, index) =>
                h(
                    'li',
                    {
                        role: 'option',
                        id: `palette-${index}`,
                        'aria-selected': String(index === current),
                        onclick: () => open(entry),
                    },
                    entry.own ? h('span', null, entry.text) : untrusted(entry.text, { max: 120 }),
                    h('span.dim', null, entry.kind),
                ),
            ),
        );
        input.setAttribute('aria-activedescendant', found.length > 0 ? `palette-${current}` : '');
    };
    const search = () => {
        found = find(input.value.trim().toLowerCase());
        current = 0;
        draw();
    };
    const dialog = openDialog('palette', 'Go to', [input, list]);
    const open = (entry) => {
        dialog.close();
        entry?.go();
    };
    input.addEventListener('input', search);
    input.addEventListener('keydown', (event) => {
        if (event.key === 'Enter') open(found[current]);
        else if (event.key === 'ArrowDown') current = Math.min(current + 1, found.length - 1);
        else if (event.key === 'ArrowUp') current = Math.max(current - 1, 0);
        else return;
        event.preventDefault();
        draw();
    });
    input.focus();
    search();
}
