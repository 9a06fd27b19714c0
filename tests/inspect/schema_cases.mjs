// Object schemas with values that satisfy them: from the JSON Schema test suite where it is present, and our own.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const shared = process.env.TENON_SHARED_DIR ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const suite = join(shared, 'suites/json-schema/tests/draft2020-12');

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Puts a schema that is not about objects into a property. Its references keep their meaning by an own `$id`. */
function asProperty(schema) {
    const inner = isObject(schema) ? { $id: 'tenon:/inner', ...schema } : schema;
    return { type: 'object', properties: { value: inner }, required: ['value'] };
}

const withType = (schema) => (isObject(schema) ? { type: 'object', ...schema } : { type: 'object' });

/** Says whether a schema refers to other documents, which a form cannot show. */
export const isRemote = (schema) =>
    /"\$(?:ref|dynamicRef|schema)":\s*"https?:\/\/(?!localhost:1234\/draft2020-12\/(?:tree|strict|.*recurs))/.test(
        JSON.stringify({ ...schema, $schema: undefined }),
    );

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
