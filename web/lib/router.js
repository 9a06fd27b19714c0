// The address of a view: #/tools/echo. Only the part after # is used, so a reload needs nothing from the program.

/** Splits an address into the view and its argument. */
export function parse(hash) {
    const [view = '', ...rest] = hash.replace(/^#\/?/, '').split('/');
    try {
        return { view, argument: decodeURIComponent(rest.join('/')) };
    } catch {
        return { view, argument: '' };
    }
}

/** The address of a view. */
export const link = (view, argument = '') => `#/${view}${argument === '' ? '' : '/' + encodeURIComponent(argument)}`;

/** Goes to a view. */
export function go(view, argument = '') {
    location.hash = link(view, argument);
}

/** Calls `show` now and after each change of the address. */
export function start(show) {
    const run = () => show(parse(location.hash));
    addEventListener('hashchange', run);
    run();
}
