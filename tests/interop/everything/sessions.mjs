// Several clients of one server: no client gets messages of another, and sessions end.
import assert from 'node:assert/strict';
import test from 'node:test';
import { call, connect, listen, say, subscribe, testIf, until, way } from '../harness.mjs';
import { startHttp } from '../programs.mjs';

testIf(!way.modern, 'the client has a session, and no other has its id', async (t) => {
    const server = await startHttp(t, 'everything');
    const ids = [];
    for (let i = 0; i < 3; ++i) ids.push((await connect(t, 'everything', { server })).transport.sessionId);
    assert.equal(new Set(ids).size, 3);
    assert.ok(ids.every((id) => /^[\x21-\x7e]{16,}$/.test(id)), ids.join(' '));
});

testIf(way.modern, 'there are no sessions', async (t) => {
    const client = await connect(t, 'everything');
    assert.equal(client.transport.sessionId, undefined);
});

testIf(!way.modern, 'a session that its client ended is not found any more', async (t) => {
    const client = await connect(t, 'everything');
    const id = client.transport.sessionId;
    await client.transport.terminateSession();
    assert.equal(client.transport.sessionId, undefined);
    for (const method of ['POST', 'GET', 'DELETE']) {
        const response = await fetch(client.server.url, {
            method,
            headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'Mcp-Session-Id': id },
            body: method === 'POST' ? JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) : undefined,
        });
        assert.equal(response.status, 404, method);
        assert.match((await response.json()).error.message, /initialize/);
    }
});

testIf(!way.modern, 'the end of a session ends only its own calls', async (t) => {
    const server = await startHttp(t, 'everything');
    const [first, second] = [await connect(t, 'everything', { server }), await connect(t, 'everything', { server })];
    let begun;
    const begins = new Promise((resolve) => (begun = resolve));
    const rejected = assert.rejects(call(first, 'count', { to: 100000, delay_ms: 1 }, { onprogress: begun }));
    const other = say(second, 'count', { to: 50, delay_ms: 5 });
    await begins;
    await first.transport.terminateSession();
    await rejected;
    assert.equal(await other, 'counted to 50');
});

testIf(!way.modern, 'a call whose connection is lost continues on another connection without losing messages', async (t) => {
    const server = await startHttp(t, 'everything');
    const first = await connect(t, 'everything', { server });
    const { sessionId } = first.transport;
    const seen = [];
    let token;
    const lost = call(first, 'count', { to: 30, delay_ms: 5 }, {
        onprogress: ({ progress }) => seen.push(progress) === 3 && first.close(),
        onresumptiontoken: (value) => (token = value),
    });
    await assert.rejects(lost, /closed/i);
    const second = await connect(t, 'everything', { server, transportOptions: { sessionId } });
    const again = { onprogress: ({ progress }) => seen.push(progress), resumptionToken: token };
    assert.equal(await say(second, 'count', { to: 30, delay_ms: 5 }, again), 'counted to 30');
    await say(second, 'echo', { message: 'all that was sent before has arrived' });
    assert.equal(seen.length + first.lateProgress + second.lateProgress, 30);
    assert.ok(seen.every((progress, i) => i === 0 || progress > seen[i - 1]), seen.join());
});

test('two clients of one server never get messages of each other', async (t) => {
    const server = await startHttp(t, 'everything');
    const people = await Promise.all(
        ['Ada', 'Grace'].map(async (name, i) => {
            const client = await connect(t, 'everything', {
                server,
                capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
                handlers: [
                    ['elicitation/create', () => ({ action: 'accept', content: { name, age: 30 + i } })],
                    ['sampling/createMessage', () => ({ model: name, role: 'assistant', content: { type: 'text', text: name } })],
                    ['roots/list', () => ({ roots: [{ uri: `file:///${name}` }] })],
                ],
            });
            const updates = listen(client, 'notifications/resources/updated');
            const logs = listen(client, 'notifications/message');
            await subscribe(client, `note://attic/${name}`);
            return { name, client, updates, logs };
        }),
    );
    await Promise.all(
        people.map(async ({ name, client, logs }, i) => {
            for (let round = 0; round < 20; ++round) {
                const seen = [];
                const to = 3 + i;
                await Promise.all([
                    say(client, 'count', { to, delay_ms: 1 }, { onprogress: (p) => seen.push(p.total) }),
                    say(client, 'ask_user').then((answer) => assert.equal(answer, `${name} is ${30 + i}`)),
                    say(client, 'ask_model', { prompt: 'Who?' }).then((answer) => assert.equal(answer, name)),
                    call(client, 'ask_roots').then((r) => assert.deepEqual(r.structuredContent, { result: [`file:///${name}`] })),
                    say(client, 'touch', { uri: `note://attic/${name}` }),
                    i === 0 && call(client, 'chat'), // only the first of them makes log messages
                ]);
                assert.ok(seen.every((total) => total === to));
            }
            assert.equal(logs.length, i === 0 && !way.modern ? 20 * 7 : 0);
        }),
    );
    for (const { name, updates } of people) {
        await until(() => updates.length >= 20, `the updates for ${name}`);
        assert.deepEqual(updates, Array(20).fill({ uri: `note://attic/${name}` }));
    }
});

test('all clients are notified when the tools change', async (t) => {
    const server = await startHttp(t, 'everything');
    const clients = await Promise.all([0, 1, 2].map(() => connect(t, 'everything', { server })));
    const changes = clients.map((client) => listen(client, 'notifications/tools/list_changed'));
    if (way.modern) await Promise.all(clients.map((client) => client.listen({ toolsListChanged: true })));
    await say(clients[0], 'grow', { name: 'for-all' });
    await until(() => changes.every((seen) => seen.length === 1), 'list_changed');
    assert.equal(await say(clients[2], 'for-all'), 'new');
});
