// Schemas against Ajv (2020-12). Formats are left out: each validator has its own opinion of them.
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../tests/interop/package.json', import.meta.url));
const { default: Ajv } = require('ajv/dist/2020.js');

export const parts = 3;

function verdict(schema, instance) {
    const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });
    try {
        return ajv.compile(JSON.parse(schema))(JSON.parse(instance)) ? '+yes' : '+no';
    } catch (error) {
        return error instanceof TypeError ? `!${error.message}` : `-${error.message}`;
    }
}

export function judge(schema, instance, ours) {
    const theirs = verdict(schema, instance), said = ours.toString();
    if (said.startsWith('-') && theirs.startsWith('-')) return '';
    return said === theirs ? '' : `Tenon says ${said}, Ajv says ${theirs}`;
}

export const known = [
    { what: 'Ajv fails with an error of its own', when: (d) => d.includes('Ajv says !') },
    { what: 'Ajv ignores the name "" in `required`', when: (d, schema) => d === 'Tenon says +no, Ajv says +yes' && /"required":\[""\]/.test(schema) },
    { what: 'Ajv checks `uniqueItems` and `enum` entries of its own meta-schema', when: (d, schema) => d.includes('Ajv says -') && /"enum"/.test(schema) },
];
