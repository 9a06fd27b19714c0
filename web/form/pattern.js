// Regular expressions of servers. The browser's engine can take exponential time, so only harmless patterns are used.

const MAX_PATTERN = 200;
const MAX_SUBJECT = 500;
const MAX_REPEATS = 4;
const MAX_SHORT = 12; // characters that no pattern takes long for

/** Says whether a pattern has no repeated group, no back reference, and few repetitions. */
function harmless(source) {
    const plain = source.replace(/\\[^1-9k]/g, 'x').replace(/\[[^\]]*\]/g, 'x');
    if (plain.length > MAX_PATTERN || /\\/.test(plain)) return false;
    if (/\)[*+{]/.test(plain)) return false;
    return (plain.match(/[*+]|,\}/g) ?? []).length <= MAX_REPEATS;
}

/** Says whether a short text fits a pattern. Undefined: it is not known. */
export function fitsShort(source, text) {
    if (text.length > MAX_SHORT || source.length > 2 * MAX_PATTERN) return undefined;
    try {
        return new RegExp(source, 'u').test(text);
    } catch {
        return undefined;
    }
}

/**
 * Compiles a pattern of a schema.
 * @returns {((text: string) => boolean|undefined)|undefined} undefined when it cannot be used here. The function returns
 * undefined for a text that is too long.
 */
export function compile(source) {
    if (typeof source !== 'string' || !harmless(source)) return undefined;
    try {
        const expression = new RegExp(source, 'u');
        return (text) => (text.length > MAX_SUBJECT ? undefined : expression.test(text));
    } catch {
        return undefined;
    }
}
