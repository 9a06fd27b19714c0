// Features of stdio only: standard error, and notifications that belong to no request.
// rules: LIFE-4, LIFE-8, LIFE-14, RPC-9, STDIO-4
import assert from 'node:assert/strict';
import test from 'node:test';
import { connect, say, speak, until } from '../harness.mjs';
import { path } from '../programs.mjs';

test('the revision 2025-11-25, the newest with a handshake, is granted', async (t) => {
    const answer = await speak(t, 'everything').request('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'interop', version: '1' },
    });
    assert.equal(answer.result.protocolVersion, '2025-11-25');
});

test('output on stderr does not disturb the protocol', async (t) => {
    const noisy = ['-c', `(for _ in $(seq 50); do echo noise >&2; sleep 0.01; done) & exec "${path('everything')}"`];
    const client = await connect(t, 'everything', { command: 'sh', args: noisy });
    await until(() => client.stderr.length > 100, 'noise');
    assert.equal(await say(client, 'echo', { message: 'loud?' }), 'loud?');
});

test('a response without a request is ignored and logged to stderr', async (t) => {
    const client = await connect(t, 'everything');
    await client.transport.send({ jsonrpc: '2.0', id: 999, result: {} });
    await until(() => /unknown id.*999/.test(client.stderr), 'a line in the log');
    assert.equal(await say(client, 'echo', { message: 'still there' }), 'still there');
});
