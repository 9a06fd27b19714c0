// Redis, three nodes of `everything` and nginx, as processes. Clients keep working while nodes are killed and started
// again.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StreamableHTTPClientTransport as StreamableHTTPClientTransportV2 } from '@modelcontextprotocol/client';
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { bin, skip, start_cluster, until } from './cluster_nodes.mjs';
import { makeClient } from './ways/v2.mjs';

async function connect(url, capabilities = {}) {
    const client = new Client({ name: 'cluster', version: '1' }, { capabilities });
    const transport = new StreamableHTTPClientTransport(new URL(url), {
        reconnectionOptions: { initialReconnectionDelay: 50, maxReconnectionDelay: 1000, reconnectionDelayGrowFactor: 2, maxRetries: 100 },
    });
    client.session = () => transport.sessionId;
    await client.connect(transport);
    return client;
}
const call = async (client, name, args = {}) => (await client.callTool({ name, arguments: args })).content[0].text;

// Counts the updates of each resource. Each of them changes once.
async function watch(client, names) {
    const seen = new Map();
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
        seen.set(params.uri, (seen.get(params.uri) ?? 0) + 1);
    });
    const uri = name => `note://cluster/${name}`;
    for (const name of names) await client.subscribeResource({ uri: uri(name) });
    const touched = [];
    return {
        touch: name => { touched.push(uri(name)); return client.callTool({ name: 'touch', arguments: { uri: uri(name) } }); },
        // Waits until the client has seen all updates.
        arrived: async () => {
            await until(() => touched.every(one => seen.has(one)));
            for (const [one, count] of seen) assert.equal(count, 1, `updates of ${one}`);
        },
    };
}

test('one session lives on while nodes are killed and started again', { skip, timeout: 60000 }, async t => {
    const cluster = await start_cluster();
    t.after(cluster.stop);
    const { url, nodes } = cluster;
    const client = await connect(url, { elicitation: {} });
    const session = client.session();
    assert.ok(session);
    // Each answer may come from another node than its question.
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: { name: 'Ada', age: 36 } }));
    const rounds = [0, 1, 2, 3, 4, 5];
    const names = rounds.flatMap(round => ['a', 'b', 'c', 'd'].map(name => `${name}${round}`));
    const updates = await watch(client, [...names, 'end']);
    for (const round of rounds) {
        await updates.touch(`a${round}`);
        for (let i = 0; i < 4; ++i) assert.equal(await call(client, 'echo', { message: `${round} ${i}` }), `${round} ${i}`);
        assert.equal(await call(client, 'ask_user'), 'Ada is 36');
        await updates.touch(`b${round}`);
        await updates.arrived();  // a node that dies may take its last announcement with it
        await cluster.kill(round % 3);
        await updates.touch(`c${round}`);  // the stream may be broken
        for (let i = 0; i < 4; ++i) assert.equal(await call(client, 'echo', { message: `killed ${i}` }), `killed ${i}`);
        await cluster.restart(round % 3);
        await updates.touch(`d${round}`);
    }
    await updates.touch('end');
    await updates.arrived();
    assert.equal(client.session(), session, 'the session never changed');

    nodes[0].child.kill('SIGTERM');
    assert.equal(await nodes[0].child.exited, 0, 'a node that is told to stop exits with status 0');
    assert.equal(await call(client, 'echo', { message: 'still here' }), 'still here');
    await client.close();
});

// Version 2 has no session in 2026-07-28: any node answers, and one may continue the question of another.
for (const mode of ['auto', 'legacy'])
    test(`the official client v2 (${mode}) works while nodes are killed and started again`, { skip, timeout: 60000 }, async t => {
        const cluster = await start_cluster();
        t.after(cluster.stop);
        const answer = async () => ({ action: 'accept', content: { name: 'Ada', age: 36 } });
        const client = makeClient({ capabilities: { elicitation: {} }, handlers: [['elicitation/create', answer]] }, mode);
        await client.connect(new StreamableHTTPClientTransportV2(new URL(cluster.url)));
        for (const round of [0, 1, 2]) {
            for (let i = 0; i < 4; ++i) assert.equal(await call(client, 'echo', { message: `${round} ${i}` }), `${round} ${i}`);
            await cluster.kill(round);
            for (let i = 0; i < 4; ++i) assert.equal(await call(client, 'ask_user'), 'Ada is 36');
            await cluster.restart(round);
        }
        client.onerror = undefined;
        await client.close();
    });

test('tenon call works while a node is gone', { skip, timeout: 60000 }, async t => {
    const cluster = await start_cluster();
    t.after(cluster.stop);
    for (const victim of [0, 1, 2]) {
        await cluster.kill(victim);
        for (let i = 0; i < 2; ++i) {
            const told = spawnSync(join(bin, 'tenon'), ['call', 'echo', 'message=hello', '--yes', cluster.url], { encoding: 'utf8' });
            assert.equal(told.stdout.trim(), 'hello', told.stderr);
        }
        await cluster.restart(victim);
    }
});
