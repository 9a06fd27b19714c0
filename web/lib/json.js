// JSON without loss: a whole number that JavaScript would round becomes a BigInt. The program has 64 bits for whole numbers.

const LOWEST = -(2n ** 63n);
const HIGHEST = 2n ** 64n - 1n;
const MAX_DIGITS = 400; // a longer number is beyond every number of JavaScript
const MAY_BE_ROUNDED = /(?:^|[^\d.])\d{16}/;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const WHOLE = /^-?\d+$/;

const isRounded = (token) =>
    token.length > 15 && token.length < MAX_DIGITS && WHOLE.test(token) && String(Number(token)) !== token;

/** Reads JSON. Throws SyntaxError. */
export function parse(text) {
    if (!MAY_BE_ROUNDED.test(text)) return JSON.parse(text);
    JSON.parse(text); // so an error names a place in the text itself
    const mark = `${crypto.getRandomValues(new Uint32Array(4)).join('-')}:`; // no text of a server begins with it
    return JSON.parse(
        text.replace(TOKEN, (token) => (isRounded(token) ? `"${mark}${token}"` : token)),
        (_, value) => (typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value),
    );
}

/** Writes a value as JSON.stringify does, with all digits. */
export function write(value, indent) {
    try {
        return JSON.stringify(value, null, indent);
    } catch (error) {
        if (!(error instanceof TypeError)) throw error;
    }
    const mark = `${crypto.getRandomValues(new Uint32Array(4)).join('-')}:`;
    const marked = JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${mark}${one}` : one), indent);
    return marked.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}

export const isNumber = (value) => typeof value === 'number' || typeof value === 'bigint';

/** Returns a number inside of a value that the program could not keep, or undefined. */
export function tooLong(value) {
    if (typeof value === 'bigint') return value < LOWEST || value > HIGHEST ? value : undefined;
    if (typeof value === 'number') return Number.isFinite(value) ? undefined : value;
    if (typeof value !== 'object' || value === null) return undefined;
    for (const one of Object.values(value)) {
        const found = tooLong(one);
        if (found !== undefined) return found;
    }
    return undefined;
}
