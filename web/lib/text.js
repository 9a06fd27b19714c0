// Makes text of a server safe to look at: characters that are invisible or change the direction of text become visible.

const NAMES = {
    0x00ad: 'soft hyphen',
    0x061c: 'Arabic letter mark',
    0x200b: 'zero width space',
    0x200c: 'zero width non-joiner',
    0x200d: 'zero width joiner',
    0x200e: 'left-to-right mark',
    0x200f: 'right-to-left mark',
    0x2028: 'line separator',
    0x2029: 'paragraph separator',
    0x202a: 'left-to-right embedding',
    0x202b: 'right-to-left embedding',
    0x202c: 'pop directional formatting',
    0x202d: 'left-to-right override',
    0x202e: 'right-to-left override',
    0x2060: 'word joiner',
    0x2066: 'left-to-right isolate',
    0x2067: 'right-to-left isolate',
    0x2068: 'first strong isolate',
    0x2069: 'pop directional isolate',
    0x3164: 'Hangul filler',
    0xfeff: 'byte order mark',
    0x1b: 'escape',
    0x07: 'bell',
    0x08: 'backspace',
    0x0d: 'carriage return',
    0x00: 'null',
};

// Control characters but newline and tab; format characters; surrogates without a partner; tags; fillers; private use.
const HIDDEN =
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u{e0000}-\u{e0fff}\ufe00-\ufe0e\ufff9-\ufffc]/u;
const ALL_HIDDEN = new RegExp(HIDDEN.source, 'gu');

const code = (character) => 'U+' + character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');

/**
 * Splits a text into parts that can be shown as they are, and characters that must be named.
 * @param {string} text
 * @param {{lines?: boolean}} [options] lines: line breaks and tabs stay
 * @returns {{text: string, hidden?: string}[]} `hidden` describes the character; `text` is then its code
 */
export function visible(text, { lines = false } = {}) {
    const source = lines ? String(text).replaceAll('\r\n', '\n') : String(text);
    const parts = [];
    let last = 0;
    for (const match of source.matchAll(ALL_HIDDEN)) {
        const character = match[0];
        if (lines && (character === '\n' || character === '\t')) continue;
        if (match.index > last) parts.push({ text: source.slice(last, match.index) });
        parts.push(named(character));
        last = match.index + character.length;
    }
    if (last < source.length) parts.push({ text: source.slice(last) });
    return parts;
}

function named(character) {
    if (character === '\n') return { text: '⏎', hidden: 'line break' };
    if (character === '\t') return { text: '⇥', hidden: 'tab' };
    const point = character.codePointAt(0);
    return {
        text: code(character),
        hidden: NAMES[point] ?? (point < 0x20 || point === 0x7f ? 'control character' : 'invisible character'),
    };
}

/** The same as one plain text, for attributes and places where no elements can stand. */
export const plain = (text) =>
    visible(text)
        .map((part) => (part.hidden ? `‹${part.text}›` : part.text))
        .join('');

/** Cuts a text, and says so. */
export const shorten = (text, length) => (text.length > length ? `${text.slice(0, length)}…` : text);

/** @param {number} bytes */
export function size(bytes) {
    if (bytes < 1000) return `${bytes} B`;
    if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
    return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** @param {number} ms */
export const duration = (ms) =>
    ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;

/** The time of day with milliseconds. @param {number} at milliseconds since 1970 */
export function clock(at) {
    const date = new Date(at);
    const two = (n) => String(n).padStart(2, '0');
    return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** Counts with the right form of the word. */
export const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
