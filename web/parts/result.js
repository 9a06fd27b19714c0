// Shows what a server answered. All of it is text of the server.
import { address, badge, button, fill, h, notice, untrusted, untrustedBlock } from '../lib/dom.js';
import { parse, write } from '../lib/json.js';
import { jsonView, rawJson } from '../lib/json_view.js';
import { link } from '../lib/router.js';
import { duration, size } from '../lib/text.js';
import { asTable } from './table.js';

const FIRST_TEXT = 20_000;
const MORE_TEXT = 200_000;
const MAX_CONTENT = 200;
const IMAGES = /^image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)$/;
const SOUNDS = /^audio\/[a-z0-9.+-]{1,40}$/;
const BASE64 = /^[A-Za-z0-9+/\r\n]*={0,2}\s*$/;

/** The outcome of a call: an error, or its result. */
export function outcomeView(outcome) {
    const head = h('div.result-head', null, statusBadge(outcome), h('span.dim', null, duration(outcome.ms ?? 0)));
    const body = outcome.error
        ? errorView(outcome.error)
        : isTask(outcome)
          ? taskView()
          : resultView(outcome.result ?? {});
    return h(
        'section.result',
        { 'aria-label': 'Result' },
        head,
        violations(outcome.violations),
        body,
        rawJson('Raw JSON', outcome.error ?? outcome.result),
    );
}

/** Says whether a call goes on as a task: it has an id, and no result of its own. */
const isTask = (outcome) => Boolean(outcome.task) && !outcome.error && !outcome.result?.content;

/** A call that goes on as a task. */
const taskView = () => h('p', null, 'This runs as a task. See ', h('a', { href: link('live') }, 'Live'), '.');

function statusBadge(outcome) {
    if (isTask(outcome)) return badge('task', 'info');

    if (outcome.error) return badge(outcome.error.local ? 'not sent' : 'error of the protocol', 'bad');
    return outcome.result?.isError === true ? badge('the tool reports an error', 'bad') : badge('done', 'ok');
}

function errorView(error) {
    return notice(
        'error',
        error.local ? 'Tenon did not get a result' : 'The server answered with an error',
        untrustedBlock(error.message),
        error.code !== undefined && error.code !== 0 ? h('p.dim', null, `code ${error.code}`) : null,
        error.remedy ? h('p', null, untrusted(error.remedy)) : null,
        error.data !== undefined && error.data !== null ? jsonView(error.data) : null,
    );
}

function violations(list) {
    if (!list?.length) return null;
    return notice(
        'error',
        'The structured content breaks the output schema of the tool',
        h(
            'ul',
            null,
            list
                .slice(0, 20)
                .map((one) => h('li', null, h('code', null, untrusted(one.path || '/')), ' ', untrusted(one.message))),
        ),
    );
}

function resultView(result) {
    const parts = [];
    if (result.structuredContent !== undefined) parts.push(structured(result.structuredContent));
    if (Array.isArray(result.content)) parts.push(...contentList(result.content));
    if (Array.isArray(result.contents)) parts.push(...result.contents.slice(0, MAX_CONTENT).map(resourceContents));
    if (Array.isArray(result.messages)) parts.push(...result.messages.slice(0, MAX_CONTENT).map(promptMessage));
    if (parts.length === 0)
        parts.push(Object.keys(result).length === 0 ? h('p.dim', null, 'The result is empty.') : jsonView(result));
    return h('div.contents', null, parts);
}

function contentList(content) {
    const shown = content.slice(0, MAX_CONTENT).map(contentView);
    if (content.length === 0) shown.push(h('p.dim', null, 'The server sent no content.'));
    if (content.length > MAX_CONTENT)
        shown.push(h('p.dim', null, `${content.length - MAX_CONTENT} more parts are in the raw JSON.`));
    return shown;
}

const titled = (title, ...body) => h('article.content', null, h('h3.content-title', null, title), ...body);

/** Structured content as a table where it is one, and as a tree. */
function structured(value) {
    const table = asTable(value);
    if (!table) return titled('structured content', jsonView(value));
    const place = h('div', null, table);
    const toggle = button(
        'As a tree',
        () => {
            const tree = toggle.textContent === 'As a tree';
            fill(place, tree ? jsonView(value) : asTable(value));
            toggle.textContent = tree ? 'As a table' : 'As a tree';
        },
        { class: 'quiet' },
    );
    return titled(['structured content ', toggle], place);
}

/** One part of a result or a message. */
export function contentView(part) {
    switch (part?.type) {
        case 'text':
            return titled('text', textView(part.text), annotated(part));
        case 'image':
            return titled(
                ['image ', h('span.dim', null, untrusted(part.mimeType))],
                imageView(part.data, part.mimeType),
                annotated(part),
            );
        case 'audio':
            return titled(
                ['audio ', h('span.dim', null, untrusted(part.mimeType))],
                audioView(part.data, part.mimeType),
                annotated(part),
            );
        case 'resource_link':
            return titled('link to a resource', linkView(part), annotated(part));
        case 'resource':
            return titled('embedded resource', resourceContents(part.resource ?? {}), annotated(part));
        default:
            return titled('content of another type', jsonView(part ?? null));
    }
}

const annotated = (part) =>
    part.annotations
        ? h(
              'div.claims',
              null,
              h('span.claims-title', null, 'annotations:'),
              h('span.badge', null, untrusted(write(part.annotations), { max: 300 })),
          )
        : null;

/** Text, first a part of it. JSON can be seen as a tree. */
export function textView(text) {
    if (typeof text !== 'string') return jsonView(text ?? null);
    let end = FIRST_TEXT;
    const place = h('div');
    const draw = () => {
        const parts = [untrusted(text.slice(0, end), { lines: true, tag: 'div', max: Infinity })];
        if (text.length > end)
            parts.push(
                button(
                    `Show more: ${size(text.length - end)} are hidden`,
                    () => {
                        end += MORE_TEXT;
                        draw();
                    },
                    { class: 'quiet' },
                ),
            );
        fill(place, parts);
    };
    draw();
    const value = parsed(text);
    return value === undefined ? place : h('div', null, place, rawJson('This text is JSON: see it as a tree', value));
}

function parsed(text) {
    if (!/^\s*[[{]/.test(text) || text.length > 5_000_000) return undefined;
    try {
        return parse(text);
    } catch {
        return undefined;
    }
}

/** An image from the data of a result. An SVG image is safe inside of <img>: it runs no script and loads nothing. */
function imageView(data, type) {
    if (typeof data !== 'string' || !IMAGES.test(type) || !BASE64.test(data.slice(0, 1000)))
        return h('p.dim', null, 'This image has a type or data that the page does not show.');
    const image = h('img.from-server', {
        src: `data:${type};base64,${data}`,
        alt: 'Image of the server',
        loading: 'lazy',
    });
    image.addEventListener('error', () => image.replaceWith(h('p.dim', null, 'The browser cannot show this image.')));
    return h('figure', null, image, h('figcaption.dim', null, size(Math.floor((data.length * 3) / 4))));
}

function audioView(data, type) {
    if (typeof data !== 'string' || !SOUNDS.test(type) || !BASE64.test(data.slice(0, 1000)))
        return h('p.dim', null, 'This sound has a type or data that the page does not play.');
    return h('audio', {
        controls: true,
        preload: 'metadata',
        src: `data:${type};base64,${data}`,
        'aria-label': 'Sound of the server',
    });
}

function linkView(part) {
    return h(
        'div',
        null,
        h('p', null, untrusted(part.title ?? part.name ?? '')),
        h('p', null, address(part.uri)),
        part.description ? untrustedBlock(part.description, 2000) : null,
        typeof part.uri === 'string' ? h('a', { href: link('resources', part.uri) }, 'Read this resource') : null,
    );
}

/** The text or the bytes of a resource. */
function resourceContents(one) {
    const head = h('p.dim', null, address(one.uri), ' ', one.mimeType ? untrusted(one.mimeType) : null);
    if (typeof one.text === 'string') return h('div', null, head, textView(one.text));
    if (typeof one.blob !== 'string') return h('div', null, head, jsonView(one));
    if (IMAGES.test(one.mimeType)) return h('div', null, head, imageView(one.blob, one.mimeType));
    if (SOUNDS.test(one.mimeType)) return h('div', null, head, audioView(one.blob, one.mimeType));
    return h(
        'div',
        null,
        head,
        h('p', null, `${size(Math.floor((one.blob.length * 3) / 4))} of bytes; they are in the raw JSON as base64.`),
    );
}

function promptMessage(message) {
    return h(
        'article.message',
        null,
        h('h3.content-title', null, 'message of the role ', untrusted(message?.role ?? '?')),
        contentView(message?.content),
    );
}
