// Object schemas with values that satisfy them: from the JSON Schema test suite where it is present, and our own.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { matches } from '../../web/form/matches.js';
import { Schemas } from '../../web/form/schemas.js';

const shared = process.env.TENON_SHARED_DIR ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const suite = join(shared, 'suites/json-schema/tests/draft2020-12');

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Puts a schema that is not about objects into a property. Its references keep their meaning by an own `$id`. */
function asProperty(schema) {
    const inner = isObject(schema) ? { $id: 'tenon:/inner', ...schema } : schema;
    return { type: 'object', properties: { value: inner }, required: ['value'] };
}

const withType = (schema) => (isObject(schema) ? { type: 'object', ...schema } : { type: 'object' });

function casesOfGroup(group, file) {
    const valid = group.tests.filter((test) => test.valid).map((test) => test.data);
    const objects = valid.filter(isObject);
    const name = `${file}: ${group.description}`;
    const cases = [];
    if (objects.length > 0) cases.push({ name, schema: withType(group.schema), values: objects });
    if (valid.length > objects.length)
        cases.push({
            name: `${name} (in a property)`,
            schema: asProperty(group.schema),
            values: valid.filter((v) => !isObject(v)).map((value) => ({ value })),
        });
    return cases;
}

/** The cases of the official suite; empty when it is not there. */
export function suiteCases() {
    if (!existsSync(suite)) return [];
    return readdirSync(suite)
        .filter((file) => file.endsWith('.json'))
        .sort()
        .flatMap((file) =>
            JSON.parse(readFileSync(join(suite, file), 'utf8')).flatMap((group) => casesOfGroup(group, file)),
        );
}

/** Up to two values of each schema, as far as the form can make them. */
export const fittingCases = () =>
    suiteCases()
        .flatMap(({ name, schema, values }) => values.slice(0, 2).map((value) => ({ name, schema, value })))
        .filter(({ schema, value }) => matches(schema, value, new Schemas(schema)));

/** Schemas that the form knows, but that Tenon's validator refuses, mostly because they refer to other documents. */
const REFUSED = [
    'refRemote.json',
    'dynamicRef.json',
    'defs.json',
    'ref.json: remote ref, containing refs itself',
    'vocabulary.json',
    'ref.json: refs with relative uris',
];
export const isRefused = (name) => REFUSED.some((start) => name.startsWith(start));

/** Values for which one must use the JSON beside the form: branches that close each other. */
const JSON_ONLY = ['unevaluatedProperties.json: dynamic evalation inside nested refs'];

/** Says whether the controls of a form did not make the value. @param one what `fillForms` returned */
export const isWrong = (one) =>
    (one.problem || !one.same || !one.text || !one.valid) && !JSON_ONLY.some((name) => one.name.startsWith(name));
