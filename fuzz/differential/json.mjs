// JSON against V8's JSON.parse.
import { isDeepStrictEqual } from 'node:util';

export const parts = 2;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parsed(bytes) {
    try {
        return { value: JSON.parse(strict.decode(bytes)) };
    } catch (error) {
        return { error: error.message };
    }
}

export function judge(text, ours) {
    const theirs = parsed(text);
    const said = ours.toString();
    if (said.startsWith('-')) return theirs.error ? '' : `V8 accepts, Tenon refuses: ${said.slice(1)}`;
    if (theirs.error) return `V8 refuses, Tenon accepts: ${theirs.error}`;
    return isDeepStrictEqual(JSON.parse(said.slice(1)), theirs.value) ? '' : 'the values differ';
}

export const known = [
    { what: 'the same key twice is refused: two readers would choose different ones', when: (d) => d.includes('same key twice') },
    { what: 'half of a surrogate pair is refused: it is not text', when: (d, text) => d.includes('Tenon refuses') && /\\u[dD][89a-fA-F]/.test(text) },
    { what: '-0 is written as 0', when: (d, text) => d === 'the values differ' && /-0/.test(text) },
    { what: 'a number above the range of a double is written as null: JSON has no infinity', when: (d, text) => d === 'the values differ' && /[eE]\+?\d{2}/.test(text) },
];
