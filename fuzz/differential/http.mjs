// HTTP requests against Node's parser (llhttp). Node must read a request that Tenon accepts in the same way: if they
// disagree about where the next request begins, a request can be smuggled. Tenon may refuse more.
import { HTTPParser, methods } from 'node:_http_common';

export const parts = 2;

function requestsIn(bytes) {
    const requests = [];
    let complete = 0;
    const parser = new HTTPParser();
    parser.initialize(HTTPParser.REQUEST, {});
    parser[HTTPParser.kOnHeaders] = () => {};
    parser[HTTPParser.kOnHeadersComplete] = (major, minor, headers, method, url) => {
        const names = headers ?? [];
        requests.push({ head: `${methods[method]} ${url} ${names.length / 2}`, body: '' });
        return 0;
    };
    parser[HTTPParser.kOnBody] = (buffer) => void (requests.at(-1).body += buffer.toString('latin1'));
    parser[HTTPParser.kOnMessageComplete] = () => void (complete += 1);
    const result = parser.execute(bytes);
    return { requests, complete, error: result instanceof Error ? `${result.code} ${result.reason ?? ''}` : '' };
}

export function judge(bytes, ours) {
    const lines = ours.toString('latin1').split('\n').filter((line) => /^[+~]/.test(line));
    const theirs = requestsIn(bytes);
    for (const [i, line] of lines.entries()) {
        const read = theirs.requests[i];
        if (!read) return `Node reads fewer requests: ${theirs.error}`;
        const [head, body] = [line.slice(1, line.lastIndexOf(' ')), Buffer.from(line.slice(line.lastIndexOf(' ') + 1), 'base64').toString('latin1')];
        const complete = line.startsWith('+');
        if (head !== read.head) return `request ${i}: another head: ${head} and ${read.head}`;
        if (complete && i >= theirs.complete) return `request ${i}: complete for Tenon only: ${theirs.error}`;
        if (complete ? body !== read.body : !read.body.startsWith(body)) return `request ${i}: another body: ${theirs.error}`;
    }
    return '';
}

export const known = [
    { what: 'Node refuses white space in a chunk extension, which RFC 9112 allows around ";" and "="', when: (d, request) => /HPE_INVALID_CHUNK_SIZE|Invalid character in chunk ext/i.test(d) && /[ \t][;=]|[;=][ \t]/.test(String(request)) },
    { what: 'Node knows some methods only; Tenon answers 405 to others', when: (d) => d.includes('HPE_INVALID_METHOD') },
];
