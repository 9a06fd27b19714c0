// Finds the targets of references inside one schema document. Nothing is ever loaded from elsewhere.

/** How many schema objects are searched for `$id` and `$anchor`. The rest of a larger document has no names. */
const MAX_INDEXED = 20_000;
const NOT_SCHEMAS = new Set(['enum', 'const', 'default', 'examples']);
const HERE = 'tenon:/schema';

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Resolves `reference` against `base`. Returns undefined for a malformed one. */
function join(reference, base) {
    try {
        return new URL(reference, base).href;
    } catch {
        return undefined;
    }
}

/** Follows a JSON pointer with its tokens still escaped. Own members only. */
function follow(start, pointer) {
    let here = start;
    for (const token of pointer.split('/').slice(1)) {
        const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
        if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
        here = here[key];
    }
    return here;
}

/** One schema document with the names of its parts. */
export class Schemas {
    /** @param {object|boolean} root the whole document */
    constructor(root) {
        this.root = root;
        /** @type {Map<string, object>} absolute address to schema */
        this.names = new Map();
        /** @type {WeakMap<object, string>} schema object to its base address */
        this.bases = new WeakMap();
        this.left = MAX_INDEXED;
        this.names.set(HERE, root);
        this.#index(root, HERE);
    }

    #index(node, base) {
        if (typeof node !== 'object' || node === null || this.left-- <= 0) return;
        if (isObject(node)) base = this.#name(node, base);
        for (const [key, child] of Object.entries(node)) if (!NOT_SCHEMAS.has(key)) this.#index(child, base);
    }

    /** Records the names of one schema. Returns its base address. */
    #name(node, base) {
        if (typeof node.$id === 'string') {
            base = join(node.$id, base)?.replace(/#$/, '') ?? base;
            if (!this.names.has(base)) this.names.set(base, node);
        }
        this.bases.set(node, base);
        for (const anchor of [node.$anchor, node.$dynamicAnchor])
            if (typeof anchor === 'string' && !this.names.has(`${base}#${anchor}`))
                this.names.set(`${base}#${anchor}`, node);
        return base;
    }

    /**
     * Returns the schema that a reference names, or undefined when the document does not contain it.
     * @param {object} schema the schema with the reference
     * @param {string} reference the value of `$ref` or `$dynamicRef`
     */
    target(schema, reference) {
        const address = join(reference, this.bases.get(schema) ?? HERE);
        if (address === undefined) return undefined;
        if (this.names.has(address)) return this.names.get(address);
        const [document, fragment = ''] = address.split('#');
        if (!this.names.has(document)) return undefined;
        if (fragment === '') return this.names.get(document);
        return fragment.startsWith('/') ? follow(this.names.get(document), safeDecode(fragment)) : undefined;
    }
}

function safeDecode(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}
