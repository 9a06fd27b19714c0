// URLs against Node's (the WHATWG standard). Tenon accepts less; what it accepts must lead to the same place.
export const parts = 3;

const base = 'https://base.example:8443/a/b/c?q';

function place(text, at) {
    try {
        const url = new URL(text, at);
        return { at: `${url.protocol}//${url.host}`, path: url.pathname + url.search };
    } catch {
        return undefined;
    }
}

function compare(what, ours, theirs) {
    if (ours.startsWith('-')) return '';
    if (!theirs) return `${what}: Node refuses, Tenon accepts`;
    const we = place(ours.slice(1));
    if (!we) return `${what}: Node cannot read what Tenon writes: ${ours}`;
    if (we.at !== theirs.at) return `${what}: another server: ${we.at} and ${theirs.at}`;
    return we.path === theirs.path ? '' : `${what}: another path: ${we.path} and ${theirs.path}`;
}

export function judge(text, url, resolved) {
    const input = text.toString();
    return compare('url', url.toString(), place(input)) || compare('reference', resolved.toString(), place(input, base));
}

// Returns whether the last label of the host is a number.
function endsInNumber(text) {
    const host = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:]*)/i.exec(text)?.[1] ?? '';
    return /^(\d+|0x[\da-f]*)$/i.test(host.replace(/\.$/, '').split('.').at(-1));
}

export const known = [
    { what: 'WHATWG refuses a host that ends in a number and is not an IPv4 address', when: (d, text) => d.includes('Node refuses') && endsInNumber(text) },
    { what: 'http: and https: without // are relative to nothing in RFC 3986, and to the base in WHATWG', when: (d, text) => /^https?:(?!\/\/)/i.test(text) },
];
