// A small validator that chooses between the branches of a schema. What it does not know counts as a match: the
// backend's validator has the last word.
import { isNumber } from '../lib/json.js';
import { compile } from './pattern.js';
import { equal, hasType } from './value.js';

/** How many schemas are compared with values in one question. Above this, everything matches. */
const MAX_STEPS = 20_000;
const MAX_DEPTH = 60;

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value) => (Array.isArray(value) ? value : []);
const entries = (value) => (isObject(value) ? Object.entries(value) : []);

/** Each check says whether `value` satisfies one keyword. Called only for keywords that are there. */
const CHECKS = {
    type: (k, v) => [k].flat().some((type) => hasType(v, type)),
    const: (k, v) => equal(k, v),
    enum: (k, v) => list(k).some((one) => equal(one, v)),
    allOf: (k, v, s, go) => list(k).every((one) => go(one, v)),
    anyOf: (k, v, s, go) => list(k).some((one) => go(one, v)),
    oneOf: (k, v, s, go) => list(k).filter((one) => go(one, v)).length === 1,
    not: (k, v, s, go) => !go(k, v),
    if: (k, v, s, go) => go((go(k, v) ? s.then : s.else) ?? true, v),
};

const NUMBER_CHECKS = {
    minimum: (k, v) => v >= k,
    maximum: (k, v) => v <= k,
    exclusiveMinimum: (k, v) => v > k,
    exclusiveMaximum: (k, v) => v < k,
    multipleOf: (k, v) => isMultiple(v, k),
};

/** Not known counts as a match: a fraction and a number of more than 53 bits. */
function isMultiple(value, step) {
    if (typeof value === 'number' && typeof step === 'number')
        return Math.abs(value / step - Math.round(value / step)) < 1e-9;
    if (![value, step].every((one) => typeof one === 'bigint' || Number.isInteger(one)) || step == 0) return true;
    return BigInt(value) % BigInt(step) === 0n;
}

const STRING_CHECKS = {
    minLength: (k, v) => [...v].length >= k,
    maxLength: (k, v) => [...v].length <= k,
    pattern: (k, v) => compile(k)?.(v) ?? true,
};

const ARRAY_CHECKS = {
    minItems: (k, v) => v.length >= k,
    maxItems: (k, v) => v.length <= k,
    prefixItems: (k, v, s, go) => list(k).every((one, i) => i >= v.length || go(one, v[i])),
    items: (k, v, s, go) => v.slice(list(s.prefixItems).length).every((item) => go(k, item)),
    contains: (k, v, s, go) => contained(v.filter((item) => go(k, item)).length, s),
    uniqueItems: (k, v) => !k || v.length > 200 || v.every((a, i) => v.slice(i + 1).every((b) => !equal(a, b))),
};

const contained = (count, s) => count >= (s.minContains ?? 1) && count <= (s.maxContains ?? Infinity);

const OBJECT_CHECKS = {
    required: (k, v) => list(k).every((key) => Object.hasOwn(v, key)),
    minProperties: (k, v) => Object.keys(v).length >= k,
    maxProperties: (k, v) => Object.keys(v).length <= k,
    properties: (k, v, s, go) => entries(k).every(([key, one]) => !Object.hasOwn(v, key) || go(one, v[key])),
    patternProperties: (k, v, s, go) =>
        entries(k).every(([source, one]) => {
            const test = compile(source);
            return Object.keys(v).every((key) => !test?.(key) || go(one, v[key]));
        }),
    additionalProperties: (k, v, s, go) => Object.keys(v).every((key) => isNamed(key, s) || go(k, v[key])),
    propertyNames: (k, v, s, go) => Object.keys(v).every((key) => go(k, key)),
    dependentRequired: (k, v) =>
        entries(k).every(
            ([key, names]) => !Object.hasOwn(v, key) || list(names).every((name) => Object.hasOwn(v, name)),
        ),
    dependentSchemas: (k, v, s, go) => entries(k).every(([key, one]) => !Object.hasOwn(v, key) || go(one, v)),
};

/** Says whether `properties` or `patternProperties` of a schema speak about a key. A pattern that cannot be used may. */
export function isNamed(key, schema) {
    if (isObject(schema.properties) && Object.hasOwn(schema.properties, key)) return true;
    return entries(schema.patternProperties).some(([source]) => {
        const test = compile(source);
        return test ? test(key) !== false : true;
    });
}

/** The checks that concern a value, as one table. */
function checksFor(value) {
    if (isNumber(value)) return NUMBER_CHECKS;
    if (typeof value === 'string') return STRING_CHECKS;
    if (Array.isArray(value)) return ARRAY_CHECKS;
    return isObject(value) ? OBJECT_CHECKS : {};
}

/**
 * Says whether a value satisfies a schema.
 * @param {object|boolean} schema
 * @param {unknown} value
 * @param {import('./schemas.js').Schemas} schemas
 */
export function matches(schema, value, schemas) {
    let steps = 0;
    let depth = 0;
    const go = (one, v) => {
        if (typeof one === 'boolean') return one;
        if (!isObject(one) || ++steps > MAX_STEPS || depth > MAX_DEPTH) return true;
        ++depth;
        const good = satisfies(one, v, go, schemas);
        --depth;
        return good;
    };
    return go(schema, value);
}

function satisfies(schema, value, go, schemas) {
    for (const reference of [schema.$ref, schema.$dynamicRef])
        if (typeof reference === 'string' && !go(schemas.target(schema, reference) ?? true, value)) return false;
    for (const checks of [CHECKS, checksFor(value)])
        for (const [keyword, check] of Object.entries(checks))
            if (Object.hasOwn(schema, keyword) && !check(schema[keyword], value, schema, go)) return false;
    return true;
}
