// Puts everything that a schema says about one value into one place: references, `allOf`, conditions, and the chosen
// branches of `oneOf` and `anyOf`.
import { isNumber } from '../lib/json.js';
import { isNamed, matches } from './matches.js';
import { compile } from './pattern.js';
import { equal, hasType, typeOf } from './value.js';

/** How many schemas may speak about one value. */
const MAX_SOURCES = 200;
const TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'];
const WORDS = [
    'title',
    'description',
    'default',
    'format',
    'contentMediaType',
    'examples',
    'deprecated',
    'readOnly',
    'pattern',
];
const LOWEST = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const HIGHEST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'multipleOf'];

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value) => (Array.isArray(value) ? value : []);
const entries = (value) => (isObject(value) ? Object.entries(value) : []);

/**
 * What schemas say about one value.
 * @typedef {object} Flat
 * @property {boolean} never no value is allowed
 * @property {string} problem why this part cannot have a form; empty: it can
 * @property {Set<string>|null} types allowed types; null: all
 * @property {object[]} sources the schemas that say something
 * @property {{value: unknown, title?: string}[]|null} options the allowed values of an enumeration
 * @property {{keyword: string, branches: unknown[], selected: number}[]} choices
 * @property {Set<string>} required
 */

/** Collects what `schema` says about `value`. `pick(index)` returns the branch that a user chose, or undefined. */
export function flatten(schema, value, schemas, pick = () => undefined) {
    const flat = {
        never: false,
        problem: '',
        types: null,
        sources: [],
        options: null,
        choices: [],
        required: new Set(),
    };
    add(schema, { flat, value, schemas, pick, seen: new Set() });
    return flat;
}

function add(schema, work) {
    const { flat, seen } = work;
    if (schema === true) return;
    if (schema === false) flat.never = true;
    else if (!isObject(schema)) flat.problem = 'This part of the schema is not a schema.';
    else if (flat.sources.length >= MAX_SOURCES) flat.problem = 'This part of the schema is too large for a form.';
    else if (!seen.has(schema)) {
        seen.add(schema);
        flat.sources.push(schema);
        addPlain(schema, flat);
        addReferences(schema, work);
        for (const one of list(schema.allOf)) add(one, work);
        addConditions(schema, work);
        for (const keyword of ['oneOf', 'anyOf']) addChoice(keyword, schema[keyword], work);
    }
}

function addPlain(schema, flat) {
    for (const word of WORDS) if (Object.hasOwn(schema, word) && !Object.hasOwn(flat, word)) flat[word] = schema[word];
    for (const word of LOWEST) narrow(flat, schema, word, (a, b) => (a < b ? a : b));
    for (const word of HIGHEST) narrow(flat, schema, word, (a, b) => (a > b ? a : b));
    for (const key of list(schema.required)) if (typeof key === 'string') flat.required.add(key);
    if (schema.uniqueItems === true) flat.uniqueItems = true;
    if (Object.hasOwn(schema, 'type')) flat.types = bothTypes(flat.types, [schema.type].flat());
    if (Object.hasOwn(schema, 'const'))
        flat.options = bothOptions(flat.options, [{ value: schema.const, title: schema.title }]);
    if (Array.isArray(schema.enum))
        flat.options = bothOptions(
            flat.options,
            schema.enum.map((value, i) => ({ value, title: list(schema.enumNames)[i] })),
        );
}

function narrow(flat, schema, word, choose) {
    if (isNumber(schema[word]))
        flat[word] = flat[word] === undefined ? schema[word] : choose(flat[word], schema[word]);
}

function bothTypes(before, types) {
    const allowed = new Set(types.filter((type) => TYPES.includes(type)));
    if (before === null) return allowed;
    const has = (set, type) => set.has(type) || (type === 'integer' && set.has('number'));
    return new Set(TYPES.filter((type) => has(before, type) && has(allowed, type)));
}

function bothOptions(before, options) {
    if (before === null) return options;
    return before.filter((a) => options.some((b) => equal(a.value, b.value)));
}

function addReferences(schema, work) {
    for (const reference of [schema.$ref, schema.$dynamicRef]) {
        if (typeof reference !== 'string') continue;
        const target = work.schemas.target(schema, reference);
        if (target === undefined) work.flat.problem = `The schema refers to ${reference}, which it does not contain.`;
        else add(target, work);
    }
}

function addConditions(schema, work) {
    const { value, schemas, flat } = work;
    const both = Object.hasOwn(schema, 'if') ? [schema.then, schema.else].map(fixedValues) : [];
    if (both.length > 0 && both.every(Boolean)) flat.options = bothOptions(flat.options, both.flat());
    else if (Object.hasOwn(schema, 'if')) {
        const branch = (matches(schema.if, value ?? {}, schemas) ? schema.then : schema.else) ?? true;
        if (branch !== false || value !== undefined) add(branch, work);
    }
    if (!isObject(value)) return;
    for (const [key, one] of entries(schema.dependentSchemas)) if (Object.hasOwn(value, key)) add(one, work);
    for (const [key, names] of entries(schema.dependentRequired))
        if (Object.hasOwn(value, key)) for (const name of list(names)) flat.required.add(name);
}

/** The values of a schema that names each of them, or null. A condition between two such schemas offers all of them. */
function fixedValues(schema) {
    if (!isObject(schema)) return null;
    if (Object.hasOwn(schema, 'const')) return [{ value: schema.const, title: schema.title }];
    return Array.isArray(schema.enum) ? schema.enum.map((value) => ({ value })) : null;
}

function addChoice(keyword, branches, work) {
    if (!Array.isArray(branches) || branches.length === 0) return;
    const { flat, value, schemas, pick } = work;
    const options = constants(branches);
    if (options) {
        flat.options = bothOptions(flat.options, options);
        return;
    }
    const chosen = pick(flat.choices.length);
    const selected = chosen !== undefined && chosen < branches.length ? chosen : bestBranch(branches, value, schemas);
    flat.choices.push({ keyword, branches, selected });
    if (branches.length === 1 || selected >= 0) add(branches[Math.max(selected, 0)], work);
}

/** The options of an enumeration that is written as branches with one constant each. */
function constants(branches) {
    if (!branches.every((one) => isObject(one) && Object.hasOwn(one, 'const'))) return null;
    return branches.map((one) => ({ value: one.const, title: one.title, description: one.description }));
}

/** The first branch that matches; otherwise the one that is nearest to the value. */
export function bestBranch(branches, value, schemas) {
    if (value === undefined) return 0;
    const good = branches.findIndex((one) => matches(one, value, schemas));
    if (good >= 0) return good;
    const scores = branches.map((one) => nearness(one, value, schemas));
    return scores.indexOf(Math.max(...scores));
}

/** Counts the members of a value that a branch knows; members with the right constant count most. */
function nearness(branch, value, schemas) {
    const flat = flatten(branch, value, schemas);
    if (flat.never || (flat.types && ![...flat.types].some((type) => hasType(value, type)))) return -1;
    if (!isObject(value)) return 1;
    let score = 1;
    for (const source of flat.sources)
        for (const [key, one] of entries(source.properties)) {
            if (!Object.hasOwn(value, key)) continue;
            const right = matches(one, value[key], schemas);
            score += isObject(one) && (Object.hasOwn(one, 'const') || one.enum) ? (right ? 10 : -10) : right ? 2 : 0;
        }
    return score;
}

/** Joins the schemas that speak about one member or item. */
const join = (found) => (found.length === 0 ? undefined : found.length === 1 ? found[0] : { allOf: found });

/** What `unevaluated…` says. False is no reason to hide a part that is there: which parts are evaluated is not known here. */
function unevaluated(flat, keyword, present) {
    const found = flat.sources.filter((source) => Object.hasOwn(source, keyword)).map((source) => source[keyword]);
    return join(present ? found.filter((one) => one !== false) : found);
}

/** The schema of a member, or undefined when the schema says nothing about it. `present`: the value has the member. */
export function schemaOfKey(flat, key, present = false) {
    const found = [];
    for (const source of flat.sources) {
        if (isObject(source.properties) && Object.hasOwn(source.properties, key)) found.push(source.properties[key]);
        for (const [pattern, one] of entries(source.patternProperties)) if (compile(pattern)?.(key)) found.push(one);
        if (Object.hasOwn(source, 'additionalProperties') && !isNamed(key, source))
            found.push(source.additionalProperties);
    }
    return found.length === 0 ? unevaluated(flat, 'unevaluatedProperties', present) : join(found);
}

/** The schema of an item, or undefined when the schema says nothing about it. */
export function schemaOfIndex(flat, index, present = false) {
    const found = [];
    for (const source of flat.sources) {
        const prefix = list(source.prefixItems);
        if (index < prefix.length) found.push(prefix[index]);
        else if (Object.hasOwn(source, 'items')) found.push(source.items);
    }
    return found.length === 0 ? (unevaluated(flat, 'unevaluatedItems', present) ?? wanted(flat)) : join(found);
}

/** Where only `contains` says something, an item may be anything, but most users want what it asks for. */
function wanted(flat) {
    const found = flat.sources.filter((source) => Object.hasOwn(source, 'contains')).map((source) => source.contains);
    return found.length === 0 ? undefined : { anyOf: [...found, true] };
}

/** The members that the schema names, in its order; members that are only required come last. */
export function declaredKeys(flat) {
    const keys = new Set();
    for (const source of flat.sources) for (const [key] of entries(source.properties)) keys.add(key);
    for (const key of flat.required) keys.add(key);
    return [...keys];
}

/** Says whether members without a declaration are allowed, as far as one can tell without their name. */
export function allowsMore(flat) {
    return flat.sources.every(
        (source) => source.additionalProperties !== false || entries(source.patternProperties).length > 0,
    );
}

/** The patterns that the name of another member must match, each in a list of alternatives. */
export function namePatterns(flat) {
    const found = [];
    for (const { propertyNames, additionalProperties, patternProperties } of flat.sources) {
        if (typeof propertyNames?.pattern === 'string') found.push([propertyNames.pattern]);
        if (additionalProperties === false) found.push(entries(patternProperties).map(([pattern]) => pattern));
    }
    return found;
}

/** The type that a schema without `type` is about, by its keywords. */
export function impliedType(flat) {
    const any = (...words) => flat.sources.some((source) => words.some((word) => Object.hasOwn(source, word)));
    if (
        any(
            'properties',
            'required',
            'additionalProperties',
            'patternProperties',
            'minProperties',
            'propertyNames',
            'dependentSchemas',
            'dependentRequired',
        )
    )
        return 'object';
    if (any('items', 'prefixItems', 'minItems', 'contains', 'uniqueItems')) return 'array';
    if (any('minLength', 'maxLength', 'pattern', 'format', 'contentMediaType')) return 'string';
    if (any('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return 'number';
    return Object.hasOwn(flat, 'default') ? typeOf(flat.default) : undefined;
}
