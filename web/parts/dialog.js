// A modal dialog of the page. Only one of a kind is open.
import { button, h } from '../lib/dom.js';

/**
 * Opens a dialog, and gives the focus back when it closes.
 * @param {string} id @param {string} title @param {any[]} body @param {{closable?: boolean}} [options]
 * @returns {HTMLDialogElement}
 */
export function openDialog(id, title, body, { closable = true } = {}) {
    document.getElementById(id)?.remove();
    const before = document.activeElement;
    const dialog = h(
        'dialog',
        { id, 'aria-labelledby': `${id}-title` },
        h(
            'header.dialog-head',
            null,
            h('h2', { id: `${id}-title`, tabindex: '-1' }, title),
            closable ? button('Close', () => dialog.close(), { class: 'quiet' }) : null,
        ),
        h('div.dialog-body', null, body),
    );
    dialog.addEventListener('cancel', (event) => {
        if (!closable) event.preventDefault();
    });
    dialog.addEventListener('close', () => {
        dialog.remove();
        if (before?.isConnected) before.focus();
    });
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}
