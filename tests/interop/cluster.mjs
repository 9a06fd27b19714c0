// Redis, three nodes of `everything` and nginx, as processes. Clients keep working while nodes are killed and started
// again.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StreamableHTTPClientTransport as StreamableHTTPClientTransportV2 } from '@modelcontextprotocol/client';
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
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
const user = async () => ({ action: 'accept', content: { name: 'Ada', age: 36 } });
const model = async request => ({ role: 'assistant', model: 'm', content: { type: 'text', text: `heard ${request.params.messages[0].content.text}` } });
const host = async () => ({ roots: [{ uri: 'file:///example/project' }] });
const asks = { elicitation: {}, sampling: {}, roots: {} };

// Each answer may come from another node than its question.
async function ask(client, round) {
    assert.equal(await call(client, 'ask_user'), 'Ada is 36');
    assert.equal(await call(client, 'ask_model', { prompt: `${round}` }), `heard ${round}`);
    assert.match(await call(client, 'ask_roots'), /file:\/\/\/example\/project/);
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

test('one session lives on while nodes are killed and started again', { skip, timeout: 300000 }, async t => {
    const cluster = await start_cluster();
    t.after(cluster.stop);
    const { url, nodes } = cluster;
    const client = await connect(url, asks);
    const session = client.session();
    assert.ok(session);
    client.setRequestHandler(ElicitRequestSchema, user);
    client.setRequestHandler(CreateMessageRequestSchema, model);
    client.setRequestHandler(ListRootsRequestSchema, host);
    const rounds = [0, 1, 2, 3, 4, 5];
    const names = rounds.flatMap(round => ['a', 'b', 'c', 'd'].map(name => `${name}${round}`));
    const updates = await watch(client, [...names, 'end']);
    for (const round of rounds) {
        await updates.touch(`a${round}`);
        for (let i = 0; i < 4; ++i) assert.equal(await call(client, 'echo', { message: `${round} ${i}` }), `${round} ${i}`);
        await ask(client, round);
        await updates.touch(`b${round}`);
        await updates.arrived();  // a node that dies may take its last announcement with it
        await cluster.kill(round % 3);
        await updates.touch(`c${round}`);  // the stream may be broken
        for (let i = 0; i < 4; ++i) assert.equal(await call(client, 'echo', { message: `killed ${i}` }), `killed ${i}`);
        await ask(client, `killed ${round}`);
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
    test(`the official client v2 (${mode}) works while nodes are killed and started again`, { skip, timeout: 300000 }, async t => {
        const cluster = await start_cluster();
        t.after(cluster.stop);
        const handlers = [['elicitation/create', user], ['sampling/createMessage', model], ['roots/list', host]];
        const client = makeClient({ capabilities: asks, handlers }, mode);
        await client.connect(new StreamableHTTPClientTransportV2(new URL(cluster.url)));
        for (const round of [0, 1, 2]) {
            for (let i = 0; i < 4; ++i) assert.equal(await call(client, 'echo', { message: `${round} ${i}` }), `${round} ${i}`);
            await cluster.kill(round);
            for (let i = 0; i < 3; ++i) await ask(client, `${round} ${i}`);
            await cluster.restart(round);
        }
        client.onerror = undefined;
        await client.close();
    });

// Our own client: tools and questions, with and without a session.
for (const era of ['legacy', 'modern'])
    test(`tenon call (${era}) works while a node is gone`, { skip, timeout: 300000 }, async t => {
        const cluster = await start_cluster();
        t.after(cluster.stop);
        const said = (...args) => {
            const told = spawnSync(join(bin, 'tenon'), ['call', ...args, '--quiet', '--yes', '--era', era, cluster.url], { encoding: 'utf8' });
            assert.equal(told.status, 0, told.stderr);
            return told.stdout.trim();
        };
        for (const victim of [0, 1, 2]) {
            await cluster.kill(victim);
            assert.equal(said('echo', 'message=hello'), 'hello');
            assert.equal(said('ask_user', '--answer', 'name=Ada', '--answer', 'age=36'), 'Ada is 36');
            assert.match(said('ask_model', 'prompt=hello', '--sample-command', 'cat'), /hello/);
            assert.match(said('ask_roots', '--root', '/tmp'), /file:\/\/\/tmp/);
            await cluster.restart(victim);
        }
    });
