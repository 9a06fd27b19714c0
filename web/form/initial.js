// Makes values for a schema: the smallest one to start with, or an example with every member.
import { declaredKeys, flatten, impliedType, schemaOfIndex, schemaOfKey } from './flatten.js';
import { matches } from './matches.js';
import { compile, fitsShort } from './pattern.js';

/** Required members may be recursive. The user adds the members below this depth. */
const MAX_DEPTH = 6;
const MAX_ITEMS = 20;
const EXAMPLES = {
    date: '2026-07-28',
    time: '12:00:00Z',
    'date-time': '2026-07-28T12:00:00Z',
    duration: 'P1D',
    email: 'ada@example.com',
    'idn-email': 'ada@example.com',
    hostname: 'example.com',
    'idn-hostname': 'example.com',
    ipv4: '192.0.2.1',
    ipv6: '2001:db8::1',
    uri: 'https://example.com/',
    'uri-reference': '/page',
    iri: 'https://example.com/',
    'iri-reference': '/page',
    uuid: '123e4567-e89b-42d3-a456-426614174000',
    'uri-template': 'https://example.com/{name}',
    'json-pointer': '/a',
    'relative-json-pointer': '0',
    regex: '.*',
};

/**
 * The value that a part of a form starts with, or undefined when the user must decide.
 * @param {object|boolean} schema
 * @param {import('./schemas.js').Schemas} schemas
 */
export const initial = (schema, schemas) => make(schema, schemas, { all: false, depth: 0, blank: true });

/** A value with every member, as an example. It is often valid, but not always. */
export function example(schema, schemas) {
    const full = make(schema, schemas, { all: true, depth: 0 });
    if (full !== undefined && matches(schema, full, schemas)) return full;
    const small = make(schema, schemas, { all: 'required', depth: 0 });
    return small !== undefined && matches(schema, small, schemas) ? small : full;
}

function make(schema, schemas, mode) {
    const start = typeof schema === 'object' && schema !== null && impliedObject(schema) ? {} : undefined;
    const flat = flatten(schema, start, schemas);
    if (flat.never || flat.problem) return undefined;
    if (flat.default !== undefined) return structuredClone(flat.default);
    if (flat.options)
        return flat.options.length === 1 || mode.all ? structuredClone(flat.options[0]?.value) : undefined;
    if (mode.all && Array.isArray(flat.examples) && flat.examples.length > 0) return structuredClone(flat.examples[0]);
    const types = flat.types === null ? [impliedType(flat)] : [...flat.types];
    const type = types.find((one) => one !== 'null') ?? types[0];
    return mode.all ? exampleOf(type, flat, schemas, mode) : startOf(type, flat, schemas, mode);
}

const impliedObject = (schema) => schema.type === 'object' || schema.properties || schema.required;

/** Scalars stay absent until the user types. Containers are there, with what must be in them. */
function startOf(type, flat, schemas, mode) {
    if (type === 'object') return members(flat, schemas, mode);
    if (type === 'array') return items(flat, schemas, mode);
    if (type === 'null') return null;
    return mode.blank ? blank(type, flat) : undefined;
}

/** The first value of an item or entry that the user added. */
function blank(type, flat) {
    if (type === 'string') return '';
    if (type === 'boolean') return false;
    return type === 'integer' || type === 'number' ? number(type, flat) : undefined;
}

function exampleOf(type, flat, schemas, mode) {
    switch (type) {
        case 'object':
            return members(flat, schemas, mode);
        case 'array':
            return items(flat, schemas, mode);
        case 'string':
            return string(flat);
        case 'boolean':
            return true;
        case 'null':
            return null;
        case 'integer':
        case 'number':
            return number(type, flat);
        default:
            return mode.all === true ? 'anything' : {};
    }
}

function members(flat, schemas, mode) {
    const object = {};
    if (mode.depth >= MAX_DEPTH) return mode.all === false ? undefined : object;
    for (const key of declaredKeys(flat)) {
        const needed = flat.required.has(key);
        if (!needed && (mode.all !== true || mode.depth > 2)) continue;
        const value = make(schemaOfKey(flat, key) ?? true, schemas, { ...mode, depth: mode.depth + 1, blank: false });
        if (value !== undefined)
            Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
    }
    return object;
}

function items(flat, schemas, mode) {
    const list = [];
    const wanted = Math.min(
        Math.max(flat.minItems ?? 0, mode.all === true && mode.depth < 3 ? 1 : 0),
        flat.maxItems ?? MAX_ITEMS,
        MAX_ITEMS,
    );
    for (let i = 0; i < wanted && mode.depth < MAX_DEPTH; ++i) {
        const schema = schemaOfIndex(flat, i) ?? true;
        if (schema === false) break;
        list.push(make(schema, schemas, { ...mode, depth: mode.depth + 1, blank: true }) ?? null);
    }
    return list;
}

/** Texts that many patterns ask for. */
const COMMON = ['text', 'Text', 'TEXT', 'a', '0', '123', '1.0.0', '#000000', 'example.com', 'a-b', 'a_b', 'a/b', '/a', '@a/b', 'a1'];

function ofPattern(pattern) {
    const test = compile(pattern) ?? ((text) => fitsShort(pattern, text));
    return [...COMMON, ...Object.values(EXAMPLES)].find((text) => test(text));
}

function string(flat) {
    if (typeof flat.pattern === 'string') {
        const found = ofPattern(flat.pattern);
        if (found !== undefined) return found;
    }
    let text = EXAMPLES[flat.format] ?? 'text';
    while (text.length < (flat.minLength ?? 0) && text.length < 1000) text += ' text';
    if (text.length > (flat.maxLength ?? Infinity)) text = text.slice(0, flat.maxLength);
    return text;
}

function number(type, limits) {
    if (typeof limits.minimum === 'bigint' && limits.multipleOf === undefined) return limits.minimum;
    const flat = {};
    for (const word of ['multipleOf', 'minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'])
        if (limits[word] !== undefined) flat[word] = Number(limits[word]);
    const step = flat.multipleOf ?? (type === 'integer' ? 1 : undefined);
    const low =
        flat.minimum ?? (flat.exclusiveMinimum === undefined ? undefined : flat.exclusiveMinimum + (step ?? 0.5));
    const high =
        flat.maximum ?? (flat.exclusiveMaximum === undefined ? undefined : flat.exclusiveMaximum - (step ?? 0.5));
    let value = low ?? Math.min(0, high ?? 0);
    if (step) value = Math.ceil(value / step) * step;
    if (value <= (flat.exclusiveMinimum ?? -Infinity)) value += step ?? 0.5;
    return high !== undefined && value > high ? high : value;
}
