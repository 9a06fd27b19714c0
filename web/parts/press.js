// A button that is drawn again between press and release loses the click. So nothing is drawn while a pointer is down.

/** @param {import('../lib/store.js').Store} store */
export function holdWhilePressed(store) {
    const listen = (name, run) => addEventListener(name, run, { capture: true, passive: true });
    listen('pointerdown', () => store.hold());
    // The click comes after the release, but before the next task.
    const end = () => setTimeout(() => store.release());
    for (const name of ['pointerup', 'pointercancel', 'dragend']) listen(name, end);
    listen('blur', (event) => event.target === window && end());
    // The release may have happened where the page did not see it.
    listen('pointermove', (event) => store.held && event.buttons === 0 && store.release());
    listen('keydown', () => store.held && store.release());
}
