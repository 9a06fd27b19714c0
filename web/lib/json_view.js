// <tn-json>: a JSON value as a tree. Parts are built when they are opened, so large values cost nothing.
import { button, fill, h, untrusted } from './dom.js';
import { isNumber, write } from './json.js';

const STEP = 100;
const OPEN_CHILDREN = 12;

const isContainer = (value) => typeof value === 'object' && value !== null;
const size = (value) => (Array.isArray(value) ? value.length : Object.keys(value).length);

function scalar(value) {
    if (typeof value === 'string')
        return h(
            'span.json-string',
            null,
            untrusted(write(value).slice(0, 4000)),
            value.length > 4000 ? h('span.cut', null, ` … ${value.length} characters`) : null,
        );
    return h(`span.json-${value === null ? 'null' : isNumber(value) ? 'number' : typeof value}`, null, write(value));
}

const label = (key) =>
    key === undefined
        ? null
        : h('span.json-key', null, typeof key === 'number' ? `${key}` : untrusted(write(key)), ': ');

function summary(value) {
    const n = size(value);
    return Array.isArray(value) ? `[ ${n} ]` : `{ ${n} }`;
}

function children(value, from) {
    const keys = Array.isArray(value)
        ? [...Array(Math.min(STEP, value.length - from)).keys()].map((i) => i + from)
        : Object.keys(value).slice(from, from + STEP);
    return keys.map((key) => node(value[key], key, 1));
}

function fillPart(place, value, from) {
    place.append(...children(value, from));
    const next = from + STEP;
    if (next >= size(value)) return;
    const more = button(
        `show ${Math.min(STEP, size(value) - next)} more of ${size(value) - next}`,
        () => {
            more.remove();
            fillPart(place, value, next);
        },
        { class: 'quiet' },
    );
    place.append(more);
}

/** One value with its key. The first levels are open. */
function node(value, key, depth) {
    if (!isContainer(value) || size(value) === 0)
        return h('div.json-line', null, label(key), isContainer(value) ? summary(value) : scalar(value));
    const place = h('div.json-children');
    const details = h(
        'details.json-node',
        { open: depth < 1 || (depth < 2 && size(value) <= OPEN_CHILDREN) },
        h('summary', null, label(key), h('span.dim', null, summary(value))),
        place,
    );
    const build = () => {
        if (details.open && !place.firstChild) fillPart(place, value, 0);
    };
    details.addEventListener('toggle', build);
    build();
    return details;
}

export class JsonView extends HTMLElement {
    /** Shows a value. */
    show(value) {
        fill(this, node(value, undefined, 0));
        return this;
    }
}
customElements.define('tn-json', JsonView);

/** A tree of a value. */
export const jsonView = (value) => /** @type {JsonView} */ (document.createElement('tn-json')).show(value);

/** A tree that is closed, with a title; for raw data at the end of a view. */
export function rawJson(title, value) {
    const place = h('div');
    const details = h('details.raw', null, h('summary', null, title), place);
    details.addEventListener('toggle', () => {
        if (details.open && !place.firstChild) place.append(jsonView(value));
    });
    return details;
}
