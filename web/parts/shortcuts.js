// Keys. Keys without Ctrl can be switched off in the help (WCAG 2.1.4), and never work while one types.
import { go } from '../lib/router.js';
import { singleKeys } from '../lib/settings.js';
import { openHelp } from './help.js';
import { openPalette } from './palette.js';

const typing = (element) => element?.matches?.('input, textarea, select, [contenteditable]');

function focusSearch() {
    document.querySelector('#main [type="search"]')?.focus();
}

/** Runs the main action of the view, for example a call. */
function run() {
    document.querySelector('#main [data-action="run"]:not([disabled])')?.click();
}

/** @param {{id: string, key: string}[]} views */
export function installShortcuts(views) {
    addEventListener('keydown', (event) => {
        if (event.isComposing || document.querySelector('dialog[open]')) return;
        if ((event.ctrlKey || event.metaKey) && event.key === 'k') return act(event, openPalette);
        if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') return act(event, run);
        if (event.key === 'Escape' && typing(event.target)) return event.target.blur();
        if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || !singleKeys()) return;
        if (event.key === '/') return act(event, focusSearch);
        if (event.key === '?') return act(event, openHelp);
        const view = views.find((one) => one.key === event.key);
        if (view) act(event, () => go(view.id));
    });
}

function act(event, run) {
    event.preventDefault();
    run();
}
