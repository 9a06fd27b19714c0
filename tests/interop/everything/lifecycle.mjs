// The handshake, ping, and how the server leaves.
// rules: LIFE-4, LIFE-8, LIFE-11, LIFE-14, RPC-5, RPC-9, STDIO-4
import assert from 'node:assert/strict';
import test from 'node:test';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { connect, path, speak, until } from '../harness.mjs';

test('the server introduces itself', async (t) => {
    const client = await connect(t, 'everything');
    assert.deepEqual(client.getServerVersion(), {
        name: 'everything',
        version: '1.0.0',
        title: 'Everything',
        description: 'Every feature of a Tenon server',
    });
    assert.match(client.getInstructions(), /one of everything/);
    assert.deepEqual(client.getServerCapabilities(), {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
    });
});

test('the revision that this client asks for is the newest with a handshake, and it is granted', async (t) => {
    const answer = await speak(t, 'everything').request('initialize', {
        protocolVersion: LATEST_PROTOCOL_VERSION,
        capabilities: {},
        clientInfo: { name: 'interop', version: '1' },
    });
    assert.equal(LATEST_PROTOCOL_VERSION, '2025-11-25');
    assert.equal(answer.result.protocolVersion, LATEST_PROTOCOL_VERSION);
});

test('ping is answered with an empty result', async (t) => {
    const client = await connect(t, 'everything');
    assert.deepEqual(await client.ping(), {});
});

test('noise on stderr disturbs nobody', async (t) => {
    const noisy = ['-c', `(for _ in $(seq 50); do echo noise >&2; sleep 0.01; done) & exec "${path('everything')}"`];
    const client = await connect(t, 'everything', { command: 'sh', args: noisy });
    await until(() => client.stderr.length > 100, 'noise');
    assert.deepEqual(await client.ping(), {});
});

test('an unknown notification and a stray response get no answer; the response is logged to stderr', async (t) => {
    const client = await connect(t, 'everything');
    await client.notification({ method: 'notifications/nonsense', params: { any: 'thing' } });
    await client.transport.send({ jsonrpc: '2.0', id: 999, result: {} });
    await until(() => /no request of ours.*999/.test(client.stderr), 'a line in the log');
    assert.deepEqual(await client.ping(), {});
});

test('a server in the middle of a call leaves in time, with status 0', async (t) => {
    const client = await connect(t, 'everything');
    const rejected = assert.rejects(client.callTool({ name: 'count', arguments: { to: 100000, delay_ms: 50 } }));
    await client.ping();
    await client.close(); // ends the input, sends SIGTERM after two seconds and SIGKILL after four
    await rejected;
});
