// Builds elements. Text always goes through text nodes: there is no way to pass HTML.
import { write } from './json.js';
import { plain, visible } from './text.js';

/** Addresses that a link may have. */
const WEB = /^https?:\/\//i;

/**
 * Creates an element.
 * @param {string} tag "div", "div.class", "button.a.b"
 * @param {Record<string, any>|null} [props] `on…` functions are listeners; true and false switch attributes
 * @param {...any} children nodes, strings, lists; null and false are left out
 */
export function h(tag, props, ...children) {
    const [name, ...classes] = tag.split('.');
    const element = document.createElement(name);
    if (classes.length > 0) element.className = classes.join(' ');
    for (const [key, value] of Object.entries(props ?? {})) setProperty(element, key, value);
    append(element, children);
    return element;
}

function setProperty(element, key, value) {
    if (value === undefined || value === null || value === false) return;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (
        key === 'value' ||
        key === 'checked' ||
        key === 'disabled' ||
        key === 'selected' ||
        key === 'indeterminate'
    )
        element[key] = value;
    else if (key === 'dataset') Object.assign(element.dataset, value);
    else element.setAttribute(key, value === true ? '' : String(value));
}

function append(element, children) {
    for (const child of children.flat(Infinity)) {
        if (child === null || child === undefined || child === false) continue;
        element.append(child instanceof Node ? child : String(child));
    }
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
    element.replaceChildren();
    append(element, children);
    return element;
}

/**
 * Shows a list. Elements of unchanged items stay, and keep the focus and what the user opened.
 * @param {HTMLElement} place @param {(item: any) => HTMLElement} build
 * @returns {(items: [unknown, any][]) => void} draws pairs of a key and an item
 */
export function keyedList(place, build) {
    let shown = new Map();
    return (items) => {
        const next = new Map(items.map(([key, item]) => [key, shown.get(key) ?? build(item)]));
        for (const [key, element] of shown) if (!next.has(key)) element.remove();
        let at = place.firstChild;
        for (const element of next.values())
            if (element === at) at = at.nextSibling;
            else place.insertBefore(element, at);
        shown = next;
    };
}

/**
 * Text of the server: isolated, in its own look, with invisible characters named.
 * @param {unknown} text @param {{lines?: boolean, tag?: string, max?: number}} [options]
 */
export function untrusted(text, { lines = false, tag = 'bdi', max = 100_000 } = {}) {
    const all = typeof text === 'string' ? text : (write(text) ?? '');
    const element = h(`${tag}.untrusted`, { dir: tag === 'bdi' ? undefined : 'auto' });
    for (const part of visible(all.slice(0, max), { lines }))
        element.append(part.hidden ? h('span.hidden-char', { title: part.hidden }, part.text) : part.text);
    if (all.length > max) element.append(h('span.cut', null, ` … ${all.length - max} more characters`));
    return element;
}

/** A block of text of the server, which keeps its lines. */
export const untrustedBlock = (text, max) => untrusted(text, { lines: true, tag: 'div', max });

/** An address of the server: a link with its whole text for web addresses, plain text for all others. */
export function address(uri) {
    if (typeof uri !== 'string' || !WEB.test(uri)) return untrusted(uri);
    let target;
    try {
        target = new URL(uri);
    } catch {
        return untrusted(uri);
    }
    if (target.username || target.password)
        return h(
            'span',
            null,
            untrusted(uri),
            h('span.badge.warn', null, 'not a link: it contains a name or password'),
        );
    return h(
        'a.outside',
        {
            href: target.href,
            target: '_blank',
            rel: 'noopener noreferrer',
            referrerpolicy: 'no-referrer',
            title: `opens ${plain(target.host)} in a new tab`,
        },
        untrusted(target.href),
    );
}

/** A button with a text. */
export const button = (label, onclick, props = {}) =>
    h(props.class ? `button.${props.class}` : 'button', { type: 'button', onclick, ...props, class: undefined }, label);

let ids = 0;
/** A new id for an element. */
export const uniqueId = (start = 'e') => `${start}-${++ids}`;

/** A badge; `tone` is ok, warn, bad, info or empty. */
export const badge = (text, tone = '') => h(`span.badge${tone ? '.' + tone : ''}`, null, text);

/** A message for an empty, loading or failed state. */
export function notice(kind, title, ...rest) {
    return h(
        `div.notice.${kind}`,
        { role: kind === 'error' ? 'alert' : 'status' },
        h('p.notice-title', null, title),
        ...rest,
    );
}

/** Shows the error of a command: what went wrong, and what to do. The words may come from a server. */
export function problem(error) {
    return notice(
        'error',
        'This did not work',
        untrustedBlock(error.message ?? String(error)),
        error.remedy ? h('p', null, untrusted(error.remedy)) : null,
        error.code !== undefined ? h('p.dim', null, `JSON-RPC error ${error.code}`) : null,
    );
}

/** Copies text, and says so on the button. */
export function copyButton(label, text) {
    const element = button(
        label,
        async () => {
            try {
                await navigator.clipboard.writeText(await text());
                announce(`${label}: copied`);
                element.textContent = 'Copied';
            } catch (error) {
                announce(`${label}: ${error.message}`);
                element.textContent = 'Not copied';
            }
            element.addEventListener('blur', () => (element.textContent = label), { once: true });
        },
        { class: 'quiet' },
    );
    return element;
}

/** How long a short message stays. */
const ANNOUNCED = 6000;
let leaves = 0;

/** Tells users of screen readers what happened, and shows it for a moment at the lower edge. */
export function announce(text) {
    const place = document.getElementById('announce');
    if (!place) return;
    place.textContent = text;
    clearTimeout(leaves);
    leaves = setTimeout(() => (place.textContent = ''), ANNOUNCED);
}
