// The controls of single values. Each returns an element with `data-role="control"`, and `refresh(field)` on it.
import { h, untrusted } from '../lib/dom.js';
import { parse, write } from '../lib/json.js';
import { plain } from '../lib/text.js';
import { equal } from './value.js';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const MODES = { email: 'email', 'idn-email': 'email', uri: 'url', iri: 'url', 'uri-reference': 'url' };
const HINTS = {
    'date-time': '2026-07-28T12:00:00Z',
    time: '12:00:00Z',
    duration: 'P1DT2H',
    uuid: '123e4567-e89b-42d3-a456-426614174000',
    ipv4: '192.0.2.1',
    ipv6: '2001:db8::1',
    email: 'name@example.com',
    uri: 'https://example.com/',
    hostname: 'example.com',
    date: '2026-07-28',
};

/** What an empty control says: an example of the format, or that the default of the server applies. */
function placeholder(field) {
    if (field.flat.default !== undefined) return plain(`default: ${write(field.flat.default)}`);
    return HINTS[field.flat.format] ?? (field.required ? '' : 'not sent');
}

const common = (field, id) => ({
    id,
    'data-role': 'control',
    'aria-describedby': `${id}-words ${id}-error`,
    'aria-required': field.required ? 'true' : undefined,
    spellcheck: 'false',
    autocomplete: 'off',
});

/** Text. A value with several lines needs no other control. */
export function textControl(field, id, change) {
    const date = field.flat.format === 'date' && (!field.present || DATE.test(field.value));
    const oneLine = field.flat.format !== undefined || (field.flat.maxLength ?? Infinity) < 40;
    const broken = field.present && /[\r\n]/.test(field.value);
    const element =
        date || (oneLine && !broken)
            ? h('input', {
                  ...common(field, id),
                  type: date ? 'date' : 'text',
                  inputmode: MODES[field.flat.format],
                  placeholder: placeholder(field),
              })
            : h('textarea.grows', { ...common(field, id), rows: '1', placeholder: placeholder(field) });
    element.refresh = (now) => setText(element, now.present ? now.value : '');
    element.addEventListener('input', () => change(date && element.value === '' ? undefined : element.value));
    return element;
}

/** Changes the text only if it differs: this would move the cursor. */
function setText(element, text) {
    if (element.value !== text) element.value = text;
}

/** A number. Anything else is an error of this control, and the value stays absent. */
export function numberControl(field, id, change) {
    const element = h('input', {
        ...common(field, id),
        type: 'text',
        inputmode: field.kind === 'integer' ? 'numeric' : 'decimal',
        placeholder: placeholder(field),
    });
    element.refresh = (now) => {
        if (now.present ? !sameJson(element.value.trim(), now.value) : element.problem === undefined)
            setText(element, now.present ? write(now.value) : '');
    };
    element.addEventListener('input', () => {
        const text = element.value.trim();
        const value = NUMBER.test(text) ? parse(text) : undefined;
        const good = value !== undefined && !isEndless(value);
        element.problem =
            text === '' || good
                ? undefined
                : value === undefined
                  ? 'This is not a number.'
                  : 'This number is too large to be sent.';
        change(good ? value : undefined);
    });
    return element;
}

const isEndless = (value) => typeof value === 'number' && !Number.isFinite(value);

/** Yes, no, or not sent. */
export const booleanControl = (field, id, change) =>
    selectControl(field, id, [{ value: true }, { value: false }], change);

/** One of several values. */
export function selectControl(field, id, options, change) {
    const absent = h('option', { value: '' }, field.required ? 'choose…' : absentText(field));
    const element = h(
        'select',
        { ...common(field, id), spellcheck: undefined },
        absent,
        options.map((option, index) => h('option', { value: String(index) }, optionText(option))),
    );
    element.refresh = (now) => {
        element.value = now.present ? String(options.findIndex((option) => equal(option.value, now.value))) : '';
    };
    element.addEventListener('change', () =>
        change(element.value === '' ? undefined : options[Number(element.value)].value),
    );
    return element;
}

/** What happens without a value: the default of the server applies, if it has one. */
function absentText({ flat }) {
    return flat?.default === undefined ? 'not sent' : `not sent; default: ${optionText({ value: flat.default })}`;
}

function optionText({ value, title }) {
    const text = plain(typeof value === 'string' ? value : write(value));
    return typeof title === 'string' && title !== '' && title !== value
        ? `${plain(title)} (${text})`
        : text === ''
          ? '"" (empty)'
          : text;
}

/** The only allowed value: sent or not. */
export function constControl(field, id, change) {
    const value = field.options ? field.options[0].value : null;
    const box = h('input', {
        ...common(field, id),
        type: 'checkbox',
        spellcheck: undefined,
        'aria-label': `send ${plain(field.label)}`,
    });
    const element = h('span.const', null, box, h('label', { for: id }, 'send ', untrusted(write(value))));
    element.refresh = (now) => (box.checked = now.present);
    box.addEventListener('change', () => change(box.checked ? value : undefined));
    return element;
}

/** Any JSON. A text that is not JSON is an error of this control, and changes nothing. */
export function rawControl(field, id, change) {
    const element = h('textarea.grows.code', {
        ...common(field, id),
        rows: '2',
        placeholder: field.required ? 'JSON' : 'JSON; not sent',
    });
    element.refresh = (now) => {
        if (sameJson(element.value, now.value)) return;
        if (element.problem === undefined || now.present)
            setText(element, now.present ? write(now.value, 2) : '');
    };
    element.addEventListener('input', () => {
        try {
            element.problem = undefined;
            change(element.value.trim() === '' ? undefined : parse(element.value));
        } catch (error) {
            element.problem = `This is not JSON: ${error.message}`;
            change(undefined, true);
        }
    });
    return element;
}

function sameJson(text, value) {
    try {
        return equal(parse(text), value);
    } catch {
        return false;
    }
}
