// Signatures against npm's jose. The first case is the key.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(new URL('../../tests/interop/package.json', import.meta.url));
const { compactVerify, importJWK } = await import(pathToFileURL(require.resolve('jose')).href);

export const parts = 2;

let key;

async function verified(token) {
    try {
        const { payload } = await compactVerify(token, key, { algorithms: ['ES256'] });
        return `+${Buffer.from(payload).toString('latin1')}`;
    } catch (error) {
        return `-${error.message}`;
    }
}

export async function judge(token, ours) {
    if (key === undefined) {
        key = await importJWK(JSON.parse(token.toString()), 'ES256');
        return '';
    }
    const theirs = await verified(token.toString('latin1')), said = ours.toString('latin1');
    if (said === theirs || (said.startsWith('-') && theirs.startsWith('-'))) return '';
    return `Tenon says ${said}, jose says ${theirs}`;
}

export const known = [
    { what: 'Tenon takes canonical base64url only: a token has one spelling', when: (d) => /Tenon says -.*base64/.test(d) },
];
