// Structured content as a table: a list of objects, or an object of single values.
import { button, h, untrusted } from '../lib/dom.js';
import { write } from '../lib/json.js';

const STEP = 100;
const MAX_COLUMNS = 24;

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The list to show: the value itself, or its only member. */
function rowsOf(value) {
    if (Array.isArray(value)) return value;
    if (!isObject(value)) return null;
    const members = Object.values(value);
    return members.length === 1 && Array.isArray(members[0]) ? members[0] : null;
}

const cell = (value) =>
    h(
        'td',
        null,
        value === undefined ? null : untrusted(typeof value === 'string' ? value : write(value), { max: 400 }),
    );

/** A table, or null when the value is not one. */
export function asTable(value) {
    const rows = rowsOf(value);
    if (rows && rows.length > 0 && rows.slice(0, 50).every(isObject)) return listTable(rows);
    if (isObject(value) && !rows && Object.keys(value).length > 0 && Object.keys(value).length <= 100)
        return memberTable(value);
    return null;
}

function memberTable(value) {
    return h(
        'div.table-box',
        { tabindex: '0', role: 'region', 'aria-label': 'Members' },
        h(
            'table',
            null,
            h(
                'tbody',
                null,
                Object.entries(value).map(([key, one]) =>
                    h('tr', null, h('th', { scope: 'row' }, untrusted(key, { max: 100 })), cell(one)),
                ),
            ),
        ),
    );
}

function listTable(rows) {
    const columns = new Set();
    for (const row of rows.slice(0, STEP))
        for (const key of Object.keys(row)) if (columns.size < MAX_COLUMNS) columns.add(key);
    const body = h('tbody');
    const box = h(
        'div.table-box',
        { tabindex: '0', role: 'region', 'aria-label': 'Rows' },
        h(
            'table',
            null,
            h(
                'thead',
                null,
                h(
                    'tr',
                    null,
                    [...columns].map((key) => h('th', { scope: 'col' }, untrusted(key, { max: 100 }))),
                ),
            ),
            body,
        ),
    );
    const more = button('', () => add(), { class: 'quiet' });
    let shown = 0;
    function add() {
        for (const row of rows.slice(shown, shown + STEP))
            body.append(
                h(
                    'tr',
                    null,
                    [...columns].map((key) => cell(isObject(row) ? row[key] : undefined)),
                ),
            );
        shown += STEP;
        more.textContent = `Show more: ${rows.length - shown} rows are hidden`;
        if (shown >= rows.length) more.remove();
    }
    add();
    return h('div', null, box, shown < rows.length ? more : null);
}
