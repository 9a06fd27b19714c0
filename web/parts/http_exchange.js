// One HTTP request and its response, for the views of signing in and of a tap. The program masks secrets.
import { badge, h, untrusted, untrustedBlock } from '../lib/dom.js';
import { clock, duration } from '../lib/text.js';

const MAX_HEADERS = 60;
const MAX_BODY = 16_384;

function headers(title, list) {
    const entries = Object.entries(list ?? {});
    if (entries.length === 0) return null;
    const rows = entries
        .slice(0, MAX_HEADERS)
        .map(([name, value]) => [h('dt', null, untrusted(name)), h('dd', null, untrusted(value, { max: 500 }))]);
    return h('div', null, h('h3', null, title), h('dl.facts', null, rows));
}

/** Makes the item of a list. `title` is an element that says what the request is for. */
export function httpExchange(one, title) {
    const good = one.status >= 200 && one.status < 400;
    return h(
        'li',
        null,
        h(
            'details',
            null,
            h(
                'summary',
                null,
                title,
                ' ',
                one.status === undefined
                    ? null
                    : badge(one.status ? String(one.status) : 'failed', good && !one.error ? 'ok' : 'bad'),
                h('span.dim', null, ` ${clock(one.at)}${one.ms === undefined ? '' : `, ${duration(one.ms)}`}`),
            ),
            h('p', null, h('code', null, untrusted(one.method)), ' ', untrusted(one.url)),
            one.error ? h('p.bad', null, untrusted(one.error)) : null,
            headers('Request', one.request_headers),
            one.request_body ? untrustedBlock(one.request_body, MAX_BODY) : null,
            headers('Response', one.response_headers),
            one.response_body ? untrustedBlock(one.response_body, MAX_BODY) : null,
        ),
    );
}
