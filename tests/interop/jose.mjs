// Keys and signatures of the module `jose` against npm's jose, in both directions.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import test, { after } from 'node:test';
import * as jose from 'jose';
import { path } from './programs.mjs';

const child = spawn(path('jose_peer'), { stdio: ['pipe', 'pipe', 'inherit'] });
const exited = once(child, 'exit');
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
after(async () => {
    child.stdin.end();
    assert.deepEqual(await exited, [0, null]);
});

async function ask(question) {
    child.stdin.write(JSON.stringify(question) + '\n');
    return JSON.parse((await lines.next()).value);
}

const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const payload = JSON.stringify({ sub: 'Ada', text: 'ünï©øde \u0000 " \\' });
const bytes = new TextEncoder().encode(payload);
const text = (result) => new TextDecoder().decode(result.payload);

async function newKey(alg) {
    const pair = await jose.generateKeyPair(alg, { extractable: true });
    const publicJwk = { ...(await jose.exportJWK(pair.publicKey)), alg };
    const privateJwk = { ...(await jose.exportJWK(pair.privateKey)), alg };
    return { ...pair, publicJwk, privateJwk, pem: await jose.exportPKCS8(pair.privateKey) };
}

for (const alg of algorithms) {
    test(`${alg}: a signature of npm's jose is verified`, async () => {
        const key = await newKey(alg);
        const token = await new jose.CompactSign(bytes).setProtectedHeader({ alg, typ: 'JWT' }).sign(key.privateKey);
        const answer = await ask({ do: 'verify', key: key.publicJwk, token });
        assert.equal(answer.payload, payload, answer.error);
        assert.equal(answer.thumbprint, await jose.calculateJwkThumbprint(key.publicJwk));
        const other = await newKey(alg);
        assert.match((await ask({ do: 'verify', key: other.publicJwk, token })).error, /not signed with this key/);
    });

    test(`${alg}: npm's jose verifies signatures made with its keys, as JWK and as PEM`, async () => {
        const key = await newKey(alg);
        for (const source of [{ key: key.privateJwk }, { pem: key.pem, alg }]) {
            const { token, error } = await ask({ do: 'sign', ...source, header: { typ: 'JWT' }, payload });
            assert.ok(token, error);
            const result = await jose.compactVerify(token, key.publicKey);
            assert.equal(text(result), payload);
            assert.deepEqual(result.protectedHeader, { alg, typ: 'JWT' });
        }
    });
}

for (const alg of ['ES256', 'EdDSA']) {
    test(`${alg}: npm's jose accepts a key that Tenon made`, async () => {
        const made = await ask({ do: 'generate', alg });
        const key = await jose.importJWK(made.key, alg);
        assert.equal(made.thumbprint, await jose.calculateJwkThumbprint(made.key));
        const token = await new jose.CompactSign(bytes).setProtectedHeader({ alg }).sign(key);
        const { d, ...publicJwk } = made.key;
        assert.equal((await ask({ do: 'verify', key: publicJwk, token })).payload, payload);
        const ours = await ask({ do: 'sign', key: made.key, header: {}, payload });
        assert.equal(text(await jose.compactVerify(ours.token, await jose.importJWK(publicJwk, alg))), payload);
    });
}

test('a shared secret made of the public key is refused', async () => {
    const { publicKey, publicJwk } = await newKey('RS256');
    const secret = new TextEncoder().encode(await jose.exportSPKI(publicKey));
    const token = await new jose.CompactSign(bytes).setProtectedHeader({ alg: 'HS256' }).sign(secret);
    assert.match((await ask({ do: 'verify', key: publicJwk, token })).error, /another `alg`/);
});

test('a token without a signature is refused', async () => {
    const { publicJwk } = await newKey('ES256');
    const token = new jose.UnsecuredJWT({ sub: 'Ada' }).encode();
    assert.match((await ask({ do: 'verify', key: publicJwk, token })).error, /another `alg`/);
});
