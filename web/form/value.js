// Pure functions on JSON values: types, equality, and copies with one change. A path is a list of keys and indexes.
import { isNumber } from '../lib/json.js';

/** @param {unknown} value @returns {'null'|'boolean'|'object'|'array'|'string'|'integer'|'number'} */
export function typeOf(value) {
    if (value === null) return 'null';
    if (Array.isArray(value)) return 'array';
    if (typeof value === 'bigint') return 'integer';
    if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
    return /** @type {any} */ (typeof value);
}

/** Says whether a value has a JSON Schema type. Whole numbers are numbers too. */
export const hasType = (value, type) => typeOf(value) === type || (type === 'number' && isNumber(value));

/** Compares two JSON values. The order of members does not count. */
export function equal(a, b) {
    if (a === b) return true;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}

/** Sets an own member, also one named __proto__. */
function define(object, key, value) {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
    return object;
}

/** Copies the members of an object. */
export function copyObject(from) {
    const to = {};
    for (const key of Object.keys(from)) define(to, key, from[key]);
    return to;
}

/** Returns the value at a path, or undefined. */
export function valueAt(value, path) {
    for (const key of path) {
        if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
        value = value[key];
    }
    return value;
}

/** Returns a copy of `value` with another value at `path`. `undefined` removes the member or item. */
export function withValue(value, path, next) {
    if (path.length === 0) return next;
    const [key, ...rest] = path;
    const inner = withValue(valueAt(value, [key]), rest, next);
    if (Array.isArray(value)) {
        const copy = value.slice();
        if (inner === undefined) copy.splice(Number(key), 1);
        else copy[Number(key)] = inner;
        return copy;
    }
    const copy = typeof value === 'object' && value !== null ? copyObject(value) : {};
    if (inner === undefined) delete copy[key];
    else define(copy, key, inner);
    return copy;
}

/** Returns a copy where one item of the list at `path` changed its place. */
export function withMoved(value, path, from, to) {
    const list = valueAt(value, path);
    if (!Array.isArray(list) || to < 0 || to >= list.length) return value;
    const copy = list.slice();
    copy.splice(to, 0, ...copy.splice(from, 1));
    return withValue(value, path, copy);
}

/** Returns a copy where a member of the object at `path` has another name, at the same place. An existing name is kept. */
export function withRenamed(value, path, from, to) {
    const object = valueAt(value, path);
    if (typeof object !== 'object' || object === null || Object.hasOwn(object, to)) return value;
    const copy = {};
    for (const key of Object.keys(object)) define(copy, key === from ? to : key, object[key]);
    return withValue(value, path, copy);
}

/** Writes a path as a JSON pointer. */
export const pointer = (path) =>
    path.map((key) => '/' + String(key).replaceAll('~', '~0').replaceAll('/', '~1')).join('');
