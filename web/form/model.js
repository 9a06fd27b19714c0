// The form as data: schema and value in, a tree of fields out. The value is the only state, besides the branches that the
// user chose. No DOM here.
import { allowsMore, declaredKeys, flatten, impliedType, namePatterns, schemaOfIndex, schemaOfKey } from './flatten.js';
import { initial } from './initial.js';
import { matches } from './matches.js';
import { Schemas } from './schemas.js';
import { equal, hasType, pointer, valueAt, withMoved, withRenamed, withValue } from './value.js';
import { write } from '../lib/json.js';

/** Limits of one form. Larger parts are edited as JSON. */
export const MAX_FIELDS = 1500;
export const MAX_ITEMS = 200;
const MAX_DEPTH = 24;

/**
 * One part of a form.
 * @typedef {object} Field
 * @property {(string|number)[]} path
 * @property {string} id its JSON pointer
 * @property {'object'|'array'|'string'|'number'|'integer'|'boolean'|'null'|'enum'|'const'|'raw'|'never'} kind
 * @property {boolean} required
 * @property {boolean} present the value has this part
 * @property {unknown} value
 * @property {string} label the key or number of this part
 * @property {string} title @property {string} description
 * @property {string} problem why it must be edited as JSON
 * @property {{index: number, titles: string[], selected: number}[]} choices
 * @property {Field[]} children
 * @property {object} schema the schema of this part, as far as it is one object
 */

const wordy = (value) => (typeof value === 'string' ? value : '');

/** A short name of a branch, for a list of choices. The words come from the server. */
export function branchTitle(branch, index) {
    if (typeof branch !== 'object' || branch === null) return branch === false ? 'nothing' : 'anything';
    if (wordy(branch.title)) return branch.title;
    if (Object.hasOwn(branch, 'const')) return write(branch.const);
    for (const [key, one] of Object.entries(branch.properties ?? {}))
        if (one && Object.hasOwn(one, 'const')) return `${key}: ${write(one.const)}`;
    if (wordy(branch.$ref)) return branch.$ref.split('/').pop() || branch.$ref;
    if (branch.format && branch.type === 'string') return `string (${branch.format})`;
    if (branch.type) return [branch.type].flat().join(' or ');
    if (Array.isArray(branch.required) && branch.required.length > 0) return `with ${branch.required.join(', ')}`;
    return `option ${index + 1}`;
}

/** A form for one schema. `value` is what would be sent. */
export class FormModel {
    /** @param {object|boolean} schema @param {unknown} [value] by default the members that must be there */
    constructor(schema, value) {
        this.schemas = new Schemas(schema);
        this.schema = schema;
        /** @type {Map<string, number>} the branches that the user chose, by pointer and number of the choice */
        this.chosen = new Map();
        this.value = value === undefined ? (initial(schema, this.schemas) ?? {}) : value;
    }

    /** Replaces the whole value, for example by the text of the JSON editor. Choices follow the value. */
    replace(value) {
        this.chosen.clear();
        this.value = value;
    }

    set(path, value) {
        this.#keepBranches(path);
        this.value = withValue(this.value, path, value) ?? {};
    }

    remove(path) {
        this.#forget(path);
        this.set(path, undefined);
    }

    move(path, from, to) {
        this.#forget(path);
        this.value = withMoved(this.value, path, from, to);
    }

    rename(path, from, to) {
        this.#forget([...path, from]);
        this.value = withRenamed(this.value, path, from, to);
    }

    /** Adds an absent part with the smallest value that its schema allows. */
    add(path) {
        const field = this.#fieldAt(path);
        this.set(path, initial(field.schema ?? true, this.schemas) ?? emptyOf(field));
    }

    addItem(path) {
        const list = valueAt(this.value, path) ?? [];
        const flat = flatten(this.#fieldAt(path).schema ?? true, list, this.schemas, this.#picker(path));
        const schema = schemaOfIndex(flat, list.length, true) ?? true;
        const item = [...path, list.length];
        this.#forget(item);
        // The item starts as its first branch. Half-filled, it may fit another one.
        if (schema?.anyOf || schema?.oneOf) this.chosen.set(`${pointer(item)}#0`, 0);
        this.set(path, [...list, initial(schema, this.schemas) ?? null]);
    }

    addEntry(path, key) {
        const object = valueAt(this.value, path) ?? {};
        if (Object.hasOwn(object, key)) return;
        const flat = flatten(this.#fieldAt(path).schema ?? true, object, this.schemas, this.#picker(path));
        this.set([...path, key], initial(schemaOfKey(flat, key, true) ?? true, this.schemas) ?? null);
    }

    /** Takes another branch. The value is kept if the branch allows it, and starts anew otherwise. */
    choose(path, index, selected) {
        this.#forget(path);
        this.chosen.set(`${pointer(path)}#${index}`, selected);
        const field = this.#fieldAt(path);
        const choice = field.choices[index];
        const branch = choice?.branches?.[selected];
        const value = valueAt(this.value, path);
        if (branch === undefined || (value !== undefined && matches(branch, value, this.schemas))) return;
        this.set(path, this.#start(field, branch, value));
    }

    #start(field, branch, value) {
        const fresh = initial(choiceSchema(field, branch), this.schemas);
        const both = [fresh, value].every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
        if (!both) return fresh ?? null;
        const flat = flatten(branch, fresh, this.schemas);
        const kept = Object.entries(value).filter(
            ([key, one]) => !Object.hasOwn(fresh, key) && matches(schemaOfKey(flat, key) ?? true, one, this.schemas),
        );
        return { ...fresh, ...Object.fromEntries(kept) };
    }

    #forget(path) {
        const start = pointer(path);
        for (const key of [...this.chosen.keys()])
            if (key.startsWith(`${start}#`) || key.startsWith(`${start}/`)) this.chosen.delete(key);
    }

    /**
     * The parts around an edited value keep their branches. A half-filled object may fit another branch, and fields that are
     * still to be filled in would vanish.
     */
    #keepBranches(path) {
        let field = this.tree();
        for (const key of path) {
            for (const { index, selected } of field.choices) {
                const id = `${field.id}#${index}`;
                if (!this.chosen.has(id)) this.chosen.set(id, selected);
            }
            field = field.children.find((child) => child.path.at(-1) === key);
            if (!field) return;
        }
    }

    #picker(path) {
        return (index) => this.chosen.get(`${pointer(path)}#${index}`);
    }

    /** The whole form. @returns {Field} */
    tree() {
        this.left = MAX_FIELDS;
        return this.#field(this.schema, this.value, [], { required: true, label: '' });
    }

    /** One field, found by descending from the root. */
    #fieldAt(path) {
        let field = this.tree();
        for (const key of path) {
            const next = field.children.find((child) => child.path.at(-1) === key);
            if (!next) return { path, kind: 'raw', choices: [], children: [], schema: true };
            field = next;
        }
        return field;
    }

    #field(schema, value, path, { required, label }) {
        const flat = flatten(schema, value, this.schemas, this.#picker(path));
        const choices = flat.choices.map((choice, index) => ({
            index,
            branches: choice.branches,
            titles: choice.branches.map(branchTitle),
            selected: choice.selected,
        }));
        const field = {
            path,
            id: pointer(path),
            label,
            required,
            present: value !== undefined,
            value,
            schema,
            flat,
            choices,
            children: [],
            title: wordy(flat.title),
            description: wordy(flat.description),
            problem: flat.problem,
            kind: 'raw',
        };
        --this.left;
        this.#settle(field, flat, value);
        return field;
    }

    /** Finds the kind of a field, and its children. */
    #settle(field, flat, value) {
        if (field.problem) return;
        if (flat.never) field.kind = 'never';
        else if (flat.options) this.#enumeration(field, flat, value);
        else if (this.left <= 0 || field.path.length > MAX_DEPTH)
            field.problem = 'The form is too large. Edit this part as JSON.';
        else this.#typed(field, this.#type(field, flat, value));
    }

    #enumeration(field, flat, value) {
        field.options = flat.options;
        field.kind = flat.options.length === 1 ? 'const' : 'enum';
        if (flat.options.length === 0) field.kind = 'never';
        else if (value !== undefined && !flat.options.some((option) => equal(option.value, value))) {
            field.kind = 'raw';
            field.problem = 'The value is not one of the allowed values.';
        }
    }

    /** The type to edit. Several types become one more choice. */
    #type(field, flat, value) {
        const implied = flat.types === null ? impliedType(flat) : undefined;
        const types = flat.types === null ? (implied ? [implied, 'raw'] : ['raw']) : [...flat.types];
        if (types.length === 0) return 'never';
        if (types.length === 1) return types[0];
        const index = field.choices.length;
        const chosen = this.chosen.get(`${field.id}#${index}`);
        const fitting = value === undefined ? 0 : types.findIndex((type) => type === 'raw' || hasType(value, type));
        const selected = chosen !== undefined && chosen < types.length ? chosen : Math.max(fitting, 0);
        const titles = types.map((type) => (type === 'raw' ? 'any JSON' : type));
        field.choices.push({
            index,
            titles,
            selected,
            branches: types.map((type) => (type === 'raw' ? true : { type })),
            types: true,
        });
        return types[selected];
    }

    #typed(field, type) {
        const { value } = field;
        field.kind = type;
        if (type === 'raw' || type === 'never') return;
        if (value !== undefined && !hasType(value, type)) {
            field.kind = 'raw';
            field.problem = `The value is not of the type ${type}.`;
        } else if (type === 'object') this.#members(field);
        else if (type === 'array') this.#items(field);
    }

    #members(field) {
        const { flat } = field;
        field.more = allowsMore(flat);
        field.names = namePatterns(flat);
        if (!field.present) return;
        const declared = declaredKeys(flat);
        for (const key of declared) this.#member(field, key, false);
        const known = new Set(declared);
        for (const key of Object.keys(field.value)) if (!known.has(key)) this.#member(field, key, true);
    }

    #member(field, key, extra) {
        const { flat } = field;
        const value = Object.hasOwn(field.value, key) ? field.value[key] : undefined;
        const schema = schemaOfKey(flat, key, value !== undefined);
        if (schema === false && value === undefined && !flat.required.has(key)) return;
        const child = this.#field(schema ?? true, value, [...field.path, key], {
            required: flat.required.has(key),
            label: key,
        });
        child.extra = extra;
        field.children.push(child);
    }

    #items(field) {
        if (!field.present) return;
        const { flat, value } = field;
        if (value.length > MAX_ITEMS) {
            field.kind = 'raw';
            field.problem = `The list has more than ${MAX_ITEMS} items. Edit it as JSON.`;
            return;
        }
        field.more = value.length < (flat.maxItems ?? Infinity) && schemaOfIndex(flat, value.length, true) !== false;
        value.forEach((item, index) => {
            const child = this.#field(schemaOfIndex(flat, index, true) ?? true, item, [...field.path, index], {
                required: true,
                label: String(index + 1),
            });
            child.item = true;
            field.children.push(child);
        });
    }
}

/** The schema of a part together with a branch that was chosen. */
function choiceSchema(field, branch) {
    const plain = field.flat.sources.filter(
        (source) => !source.oneOf && !source.anyOf && !source.allOf && !source.$ref,
    );
    const base = plain.filter((source) => !source.type || !branch?.type || [source.type].flat().includes(branch.type));
    const one = typeof field.schema === 'object' ? { ...field.schema } : {};
    for (const keyword of ['oneOf', 'anyOf', 'default', '$ref', '$dynamicRef', '$id', 'if', 'then', 'else'])
        delete one[keyword];
    if (branch?.type && Array.isArray(one.type)) delete one.type;
    return {
        allOf: [
            branch,
            one,
            ...base.filter((source) => source !== field.schema && source !== branch && !containsChoice(source)),
        ],
    };
}

const containsChoice = (source) => source.oneOf || source.anyOf;

/** The value that an absent part starts with when its schema gives no hint. */
function emptyOf(field) {
    return { object: {}, array: [], string: '', boolean: false, null: null, number: 0, integer: 0 }[field.kind] ?? null;
}
