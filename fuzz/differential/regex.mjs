// Regular expressions against V8, in Unicode mode, which is what JSON Schema's `pattern` means.
export const parts = 3;

function search(pattern, text) {
    try {
        return new RegExp(pattern, 'u').test(text) ? '+yes' : '+no';
    } catch (error) {
        return `-${error.message}`;
    }
}

export function judge(pattern, text, ours) {
    const theirs = search(pattern.toString(), text.toString()), said = ours.toString();
    if (said === theirs || (said.startsWith('-') && theirs.startsWith('-'))) return '';
    if (said.startsWith('-')) return `Tenon refuses: ${said.slice(1)}`;
    return theirs.startsWith('-') ? `V8 refuses: ${theirs.slice(1)}` : `Tenon says ${said}, V8 says ${theirs}`;
}

export const known = [
    { what: 'what cannot be matched in linear time is refused', when: (d) => d.includes('which cannot be matched in linear time') },
    { what: 'a pattern is bounded', when: (d) => /^Tenon refuses: .*(too much memory|a repetition above|too many|longer than)/.test(d) },
];
