// What the browser remembers for this page: the theme, single-key shortcuts, and saved examples. All of it is bounded.
import * as json from './json.js';

const MAX_EXAMPLES = 100;
const MAX_TEXT = 65_536;

function read(key, fallback) {
    try {
        return json.parse(localStorage.getItem(`tenon.${key}`)) ?? fallback;
    } catch {
        return fallback;
    }
}

/** Returns whether it was stored. */
function write(key, value) {
    try {
        localStorage.setItem(`tenon.${key}`, json.write(value));
        return true;
    } catch {
        return false;
    }
}

/** @returns {'auto'|'light'|'dark'} */
export const theme = () => (['light', 'dark'].includes(read('theme')) ? read('theme') : 'auto');

/** Shows a theme, and remembers it. */
export function setTheme(name) {
    write('theme', name);
    applyTheme();
}

export function applyTheme() {
    if (theme() === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme();
}

export const singleKeys = () => read('keys', true) !== false;
export const setSingleKeys = (on) => write('keys', on);

/** @typedef {{server: string, tool: string, name: string, value: unknown}} Example */

/** @returns {Example[]} the examples of a tool */
export const examples = (server, tool) => allExamples().filter((one) => one.server === server && one.tool === tool);

function allExamples() {
    const list = read('examples', []);
    return Array.isArray(list) ? list : [];
}

/** Saves an example. The oldest one is forgotten when there are too many. Returns false when it is too large. */
export function saveExample(example) {
    if (json.write(example.value).length > MAX_TEXT) return false;
    const others = allExamples().filter((one) => !same(one, example));
    return write('examples', [...others, example].slice(-MAX_EXAMPLES));
}

export const removeExample = (example) =>
    write(
        'examples',
        allExamples().filter((one) => !same(one, example)),
    );

const same = (a, b) => a.server === b.server && a.tool === b.tool && a.name === b.name;
