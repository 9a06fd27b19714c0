// Regular expressions against V8, in Unicode mode, as JSON Schema recommends. Tenon also accepts the older syntax of
// Annex B, which V8 has without Unicode mode.
export const parts = 3;

function search(pattern, text, flags) {
    try {
        return new RegExp(pattern, flags).test(text) ? '+yes' : '+no';
    } catch (error) {
        return `-${error.message}`;
    }
}

export function judge(pattern, text, ours) {
    const said = ours.toString();
    let theirs = search(pattern.toString(), text.toString(), 'u');
    if (said.startsWith('-')) return theirs.startsWith('-') ? '' : `Tenon refuses: ${said.slice(1)}`;
    if (theirs.startsWith('-')) theirs = search(pattern.toString(), text.toString(), '');
    if (theirs.startsWith('-')) return `V8 refuses: ${theirs.slice(1)}`;
    return said === theirs ? '' : `Tenon says ${said}, V8 says ${theirs}`;
}

export const known = [
    { what: 'Tenon accepts syntax of Annex B beside \\u{...}, \\p{...} and names of groups, V8 accepts only one of them', when: (d, pattern) => !d.startsWith('Tenon refuses') && /\\u\{|\\p\{|\\P\{|\(\?</.test(pattern) },
    { what: 'what cannot be matched in linear time is refused', when: (d) => d.includes('which cannot be matched in linear time') },
    { what: 'a pattern is bounded', when: (d) => /^Tenon refuses: .*(too much memory|a repetition above|too many|longer than)/.test(d) },
];
