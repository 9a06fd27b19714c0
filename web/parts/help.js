// The list of shortcuts.
import { h } from '../lib/dom.js';
import { setSingleKeys, singleKeys } from '../lib/settings.js';
import { VIEWS } from '../views/all.js';
import { openDialog } from './dialog.js';

const KEYS = [
    ['Ctrl K', 'go to a view, a tool, a resource or a prompt'],
    ['Ctrl Enter', 'run: call the tool, read the resource, answer the question'],
    ['/', 'search in this view'],
    ['?', 'this list'],
    ['Esc', 'close a dialog, leave a field'],
    ['↑ ↓ Home End', 'move in a list; Enter opens'],
];

/** Shows the shortcuts. */
export function openHelp() {
    const box = h('input', {
        type: 'checkbox',
        id: 'single-keys',
        checked: singleKeys(),
        onchange: () => setSingleKeys(box.checked),
    });
    const row = ([key, text]) => h('tr', null, h('th', { scope: 'row' }, h('kbd', null, key)), h('td', null, text));
    openDialog('help', 'Keys', [
        h(
            'table.keys',
            null,
            h(
                'tbody',
                null,
                KEYS.map(row),
                VIEWS.map((view) => row([view.key, `the view ${view.title}`])),
            ),
        ),
        h('p', null, box, h('label', { for: 'single-keys' }, ' Keys without Ctrl work outside of fields')),
        h(
            'p.dim',
            null,
            'Text with a coloured line at its left side, or in this ',
            h('bdi.untrusted', null, 'typeface and colour'),
            ', comes from the server. The page never says anything in it.',
        ),
    ]);
}
