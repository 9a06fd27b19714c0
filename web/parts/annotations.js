// Hints of a server about its own tool. Nothing proves them, and the page says so.
import { badge, h, untrusted } from '../lib/dom.js';
import { write } from '../lib/json.js';

const WORDS = {
    readOnlyHint: ['changes nothing', 'may change something'],
    destructiveHint: ['may destroy something', 'destroys nothing'],
    idempotentHint: ['safe to repeat', 'repeating has an effect'],
    openWorldHint: ['reaches the outside world', 'stays in its own world'],
};

/** The annotations of a tool in words, or null. */
export function annotationList(annotations) {
    if (typeof annotations !== 'object' || annotations === null || Object.keys(annotations).length === 0) return null;
    const known = Object.entries(WORDS)
        .filter(([key]) => typeof annotations[key] === 'boolean')
        .map(([key, [yes, no]]) => badge(annotations[key] ? yes : no));
    const others = Object.entries(annotations).filter(
        ([key, value]) => !(Object.hasOwn(WORDS, key) && typeof value === 'boolean'),
    );
    return h(
        'div.claims',
        null,
        h('span.claims-title', null, 'claimed by the server:'),
        known,
        others
            .slice(0, 20)
            .map(([key, value]) => h('span.badge', null, untrusted(`${key}: ${write(value)}`, { max: 200 }))),
    );
}
