// Every message on the wire, with its verdicts. The program keeps them; the page loads what one sees.
import { send } from '../lib/api.js';
import {
    announce,
    badge,
    button,
    copyButton,
    fill,
    h,
    notice,
    problem,
    untrusted,
    untrustedBlock,
    address,
} from '../lib/dom.js';
import { parse } from '../lib/json.js';
import { jsonView } from '../lib/json_view.js';
import { go, link } from '../lib/router.js';
import { start } from '../lib/session.js';
import { Pages } from '../lib/pages.js';
import { clock, count, duration, size } from '../lib/text.js';
import { failurePlace } from '../parts/call_panel.js';
import '../lib/virtual_list.js';

const ROW = 30;
const KINDS = ['request', 'response', 'error', 'notification', 'invalid'];

/** Saves a text as a file. */
export function download(name, type, text) {
    const url = URL.createObjectURL(new Blob([text], { type }));
    const anchor = h('a', { href: url, download: name });
    document.body.append(anchor);
    anchor.click();
    anchor.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function select(label, first, options, change) {
    const element = h(
        'select',
        { 'aria-label': label, onchange: change },
        h('option', { value: '' }, first),
        options.map(([value, text]) => h('option', { value }, text)),
    );
    return element;
}

function mount(host, app, argument) {
    const failure = failurePlace();
    const list = document.createElement('tn-list');
    list.id = 'history-list';
    list.follow = true;
    const detail = h('div.details', { role: 'region', 'aria-label': 'Message' });
    const status = h('p.dim', { role: 'status', id: 'history-status' });
    const empty = h('div');
    const filter = filterBar(() => {
        used = filter.value();
        pages.reset();
        pages.load(0);
    });
    let used = {}; // the filter of the rows; the fields may be ahead of it while the user types
    const pages = new Pages((offset, limit) => loadRows(offset, limit, used, pages), draw);
    const filtered = () => Object.keys(used).length > 0;

    function draw() {
        list.hidden = pages.total === 0;
        fill(
            empty,
            pages.error
                ? problem(pages.error)
                : pages.total === 0
                  ? notice('empty', filtered() ? 'No message matches the filter.' : 'No messages yet.')
                  : null,
        );
        status.textContent = `${count(pages.total, 'message')}${filtered() ? ' match' : ''}${pages.rest?.dropped ? `; ${pages.rest.dropped} older ones were forgotten` : ''}`;
        list.show(pages.total);
    }
    const rowKey = (one) => (one ? `${one.number} ${one.pinned} ${one.verdicts.length}` : undefined);
    list.setup({
        rowHeight: ROW,
        label: 'Messages',
        key: (index) => rowKey(pages.row(index)),
        row: (index) => messageRow(pages.row(index), index),
        open: (index) => {
            const one = pages.row(index);
            if (one) go('history', String(one.number));
        },
    });
    const exporting = (format, label) =>
        button(
            label,
            () =>
                failure.run(async () => {
                    const file = await send('export', { format, filter: filter.value() });
                    download(file.name, file.type, file.text);
                }),
            { class: 'quiet', 'data-role': `export-${format}` },
        );
    const clear = button(
        'Clear',
        () =>
            failure.run(async () => {
                await send('clear');
                pages.reset();
                pages.load(0);
                go('history');
            }),
        { class: 'quiet' },
    );
    fill(
        host,
        h('h1', null, 'History'),
        filter.element,
        h(
            'div.row.history-tools',
            null,
            status,
            exporting('json', 'Export JSON'),
            exporting('har', 'Export HAR'),
            clear,
            rawSender(failure),
        ),
        failure.place,
        h('div.split', null, h('div.split-list', null, empty, list), detail),
    );

    let growing = false;
    let again = false;
    const grow = async () => {
        if (growing) {
            again = true;
            return;
        }
        growing = true;
        await pages.grow();
        growing = false;
        if (again) {
            again = false;
            grow();
        }
    };
    app.watch(['messages'], grow);
    const open = (number) => {
        host.classList.toggle('has-details', number !== '');
        showMessage(detail, number, failure, () => pages.refresh());
    };
    pages.load(0).then(() => {
        list.scrollTop = list.scrollHeight;
    });
    open(argument);
    return open;
}

const ask = (body) => send('history', { brief: true, ...body });

/**
 * Loads rows by their place in the list. Without a filter and without gaps, the place gives the number. Otherwise `offset` is
 * used. A program that does not know it answers with the first rows: then the pages before are walked.
 */
async function loadRows(offset, limit, filter, pages) {
    const { rest, total } = pages;
    if (offset === 0) return ask({ limit, filter });
    if (Object.keys(filter).length === 0 && rest && rest.last - rest.first + 1 === total)
        return ask({ limit, after: rest.first - 1 + offset });
    const answer = await ask({ offset, limit, filter });
    const [first] = pages.pages.get(0)?.rows ?? [];
    return first && answer.messages[0]?.number === first.number ? walk(offset, limit, filter) : answer;
}

async function walk(offset, limit, filter) {
    let answer = await ask({ limit, filter });
    for (let at = limit; at <= offset && answer.messages.length > 0; at += limit)
        answer = await ask({ limit, filter, after: answer.messages.at(-1).number });
    return answer;
}

function filterBar(changed) {
    const text = h('input', {
        type: 'search',
        'aria-label': 'Search messages',
        placeholder: 'Search messages  ( / )',
        spellcheck: 'false',
    });
    const method = h('input', { type: 'text', 'aria-label': 'Method', placeholder: 'method', spellcheck: 'false' });
    const direction = select(
        'Direction',
        'both directions',
        [
            ['sent', 'sent'],
            ['received', 'received'],
        ],
        changed,
    );
    const kind = select(
        'Kind',
        'all kinds',
        KINDS.map((one) => [one, one]),
        changed,
    );
    const verdict = select(
        'Verdict',
        'all verdicts',
        [
            ['broken', 'breaks a rule'],
            ['clean', 'breaks no rule'],
        ],
        changed,
    );
    const pinned = h('input', { type: 'checkbox', id: 'only-pinned', onchange: changed });
    let timer = 0;
    for (const input of [text, method])
        input.addEventListener('input', () => {
            clearTimeout(timer);
            timer = setTimeout(changed, 150);
        });
    const value = () =>
        Object.fromEntries(
            Object.entries({
                text: text.value,
                method: method.value.trim(),
                direction: direction.value,
                kind: kind.value,
                verdict: verdict.value,
                pinned: pinned.checked || '',
            }).filter(([, one]) => one !== ''),
        );
    return {
        element: h(
            'div.filters',
            { role: 'search' },
            text,
            method,
            direction,
            kind,
            verdict,
            h('label', { for: 'only-pinned' }, pinned, ' pinned'),
        ),
        value,
    };
}

const ARROWS = { sent: '→', received: '←' };

function messageRow(one, index) {
    if (!one) return h('div.message-row.dim', null, h('span', null, String(index + 1)), '…');
    return h(
        `div.message-row${one.verdicts.length ? '.broken' : ''}`,
        null,
        h('span.col-number', null, String(one.number)),
        h('time', null, clock(one.at)),
        h('span.col-direction', null, ARROWS[one.direction], h('span.sr', null, ` ${one.direction} `)),
        h(`span.col-kind.kind-${one.kind}`, null, one.kind),
        h('span.col-method', null, untrusted(one.method || '–', { max: 60 })),
        h('span.col-size', null, size(one.size)),
        h('span.col-ms', null, one.ms === undefined ? '' : duration(one.ms)),
        one.pinned ? h('span', null, '📌', h('span.sr', null, 'pinned')) : null,
        one.verdicts.length ? badge(`✗ ${one.verdicts[0].rule}`, 'bad') : null,
    );
}

/** Shows one message: what is wrong with it, its text, and what can be done with it. `changed` draws its row again. */
async function showMessage(place, number, failure, changed) {
    place.dataset.number = number;
    if (number === '') return fill(place, notice('empty', 'Choose a message to see it.'));
    try {
        const one = await send('message', { number: Number(number) });
        if (place.dataset.number === number)
            fill(place, h('a.back', { href: link('history') }, '← all messages'), messageView(one, place, failure, changed));
    } catch (error) {
        if (place.dataset.number === number) fill(place, problem(error));
    }
    return undefined;
}

function messageView(one, place, failure, changed) {
    const mine = one.direction === 'sent' && (one.kind === 'request' || one.kind === 'notification');
    const pin = button(
        one.pinned ? 'Unpin' : 'Pin',
        () =>
            failure.run(async () => {
                await send('pin', { number: one.number, pinned: !one.pinned });
                showMessage(place, String(one.number), failure, changed);
                changed();
            }),
        { class: 'quiet', 'data-role': 'pin' },
    );
    const replay = () =>
        failure.run(async () => {
            await start('replay', { number: one.number }, { kind: 'raw', name: one.method });
            announce('Sent again.');
        });
    const copy = (kind, label) =>
        copyButton(label, async () => (await send('copy_as', { kind, number: one.number })).text);
    return h(
        'article',
        null,
        h('h2', null, `Message ${one.number}`),
        h(
            'p',
            null,
            badge(one.direction),
            badge(one.kind, one.kind === 'error' || one.kind === 'invalid' ? 'bad' : ''),
            ' ',
            untrusted(one.method || ''),
            h(
                'span.dim',
                null,
                ` ${clock(one.at)}, ${size(one.size)}${one.ms === undefined ? '' : `, ${duration(one.ms)}`}`,
            ),
        ),
        h(
            'div.actions',
            null,
            pin,
            mine ? button('Send again', replay, { 'data-role': 'replay' }) : null,
            mine && one.method === 'tools/call'
                ? [copy('command', 'Copy as tenon call'), copy('cpp', 'Copy as C++'), copy('curl', 'Copy as curl')]
                : null,
            (one.related ?? []).map((other) =>
                h('a', { href: link('history', String(other)) }, other < one.number ? 'its request' : 'its response'),
            ),
        ),
        one.verdicts.map(verdictView),
        one.direction === 'received' && one.verdicts.length === 0 ? h('p.ok', null, '✓ breaks no rule') : null,
        textOf(one),
    );
}

function verdictView(one) {
    return h(
        'div.verdict',
        null,
        h(
            'p',
            null,
            badge(one.level, one.level === 'must' ? 'bad' : 'warn'),
            ' ',
            h('strong', null, one.rule),
            ` ${one.title}`,
        ),
        untrustedBlock(one.detail, 3000),
        h('p', null, h('strong', null, 'Remedy: '), one.remedy),
        one.source ? h('p', null, address(one.source)) : null,
    );
}

function textOf(one) {
    let value;
    try {
        value = parse(one.text);
    } catch {
        return untrustedBlock(one.text);
    }
    return h(
        'div',
        null,
        jsonView(value),
        h('details.raw', null, h('summary', null, 'As on the wire'), untrustedBlock(one.text)),
    );
}

/** Sends a request or notification that the user writes. */
function rawSender(failure) {
    const text = h('textarea.code', { rows: '4', 'aria-label': 'Message to send', spellcheck: 'false' });
    text.value = '{"method": "ping"}';
    return h(
        'details.raw-sender',
        null,
        h('summary', null, 'Send a message'),
        text,
        button(
            'Send',
            () =>
                failure.run(async () => {
                    await start('send_raw', { message: parse(text.value) }, { kind: 'raw' });
                    announce('Sent.');
                }),
            { 'data-role': 'send-raw' },
        ),
    );
}

export const history = { id: 'history', title: 'History', key: '9', mount };
