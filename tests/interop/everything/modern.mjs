// New in 2026-07-28: discovery, questions as results, subscriptions as requests, cache hints.
import assert from 'node:assert/strict';
import test from 'node:test';
import { connect, listen, refused, say, subscribe, testIf, text, until, way } from '../harness.mjs';

const revision = '2026-07-28';

test('server/discover returns the supported revisions', async (t) => {
    const client = await connect(t, 'everything');
    assert.deepEqual([client.getProtocolEra(), client.getNegotiatedProtocolVersion()], ['modern', revision]);
    const found = await client.discover();
    assert.ok(found.supportedVersions.includes(revision), found.supportedVersions.join());
    assert.deepEqual(found.capabilities, client.getServerCapabilities());
    assert.match(found.instructions, /one of everything/);
});

test('a client that requires 2026-07-28 gets it', async (t) => {
    const client = await connect(t, 'everything', { versionNegotiation: { mode: { pin: revision } } });
    assert.equal(client.getNegotiatedProtocolVersion(), revision);
    assert.equal(await say(client, 'echo', { message: 'pinned' }), 'pinned');
});

test('a client that requires an unknown revision is refused', async (t) => {
    const pinned = connect(t, 'everything', { versionNegotiation: { mode: { pin: '2099-01-01' } } });
    await assert.rejects(pinned, (error) => {
        assert.equal(error.code, -32022);
        assert.equal(error.data.requested, '2099-01-01');
        return error.data.supported.includes(revision);
    });
});

test('a client that knows the server needs no server/discover', async (t) => {
    const discover = (await connect(t, 'everything')).getDiscoverResult();
    const client = await connect(t, 'everything', { connectOptions: { prior: { kind: 'modern', discover } } });
    assert.equal(client.getServerVersion().name, 'everything');
    assert.equal(await say(client, 'echo', { message: 'again' }), 'again');
});

const manual = { inputRequired: { autoFulfill: false }, capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} } };
const byHand = { allowInputRequired: true };

test('a question is a result, and its answer is sent with a second call', async (t) => {
    const client = await connect(t, 'everything', manual);
    const answers = {
        ask_user: ['elicitation/create', { action: 'accept', content: { name: 'Ada', age: 36 } }, 'Ada is 36'],
        ask_page: ['elicitation/create', { action: 'accept' }, 'signed in'],
        ask_model: ['sampling/createMessage', { model: 'm', role: 'assistant', content: { type: 'text', text: 'Hm.' } }, 'Hm.'],
        ask_roots: ['roots/list', { roots: [{ uri: 'file:///x' }] }, '{"result":["file:///x"]}'],
    };
    for (const [name, [method, answer, result]] of Object.entries(answers)) {
        const params = { name, arguments: name === 'ask_model' ? { prompt: 'What?' } : {} };
        const asked = await client.callTool(params, byHand);
        assert.equal(asked.resultType, 'input_required', name);
        const [[key, request], ...others] = Object.entries(asked.inputRequests);
        assert.deepEqual([request.method, others], [method, []]);
        const { requestState } = asked;
        const done = await client.callTool({ ...params, inputResponses: { [key]: answer }, requestState }, byHand);
        assert.equal(text(done), result);
    }
});

test('a requestState that the server did not make is refused', async (t) => {
    const client = await connect(t, 'everything', manual);
    const asked = await client.callTool({ name: 'ask_user' }, byHand);
    const [key] = Object.keys(asked.inputRequests);
    const inputResponses = { [key]: { action: 'decline' } };
    for (const requestState of ['made up', asked.requestState.slice(0, -4) + 'AAAA'])
        await refused(client.callTool({ name: 'ask_user', inputResponses, requestState }, byHand), -32602, /requestState/);
});

test('an answer that does not fit the question is refused', async (t) => {
    const client = await connect(t, 'everything', manual);
    const asked = await client.callTool({ name: 'ask_user' }, byHand);
    const [key] = Object.keys(asked.inputRequests);
    const inputResponses = { [key]: { action: 'accept', content: { name: 'Ada', age: 'old' } } };
    const result = await client.callTool({ name: 'ask_user', inputResponses, requestState: asked.requestState }, byHand);
    assert.equal(result.isError, true);
    assert.match(text(result), /age/);
});

test('a subscription lists the granted notifications, and ends when its client ends it', async (t) => {
    const client = await connect(t, 'everything');
    const wanted = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true, resourceSubscriptions: ['note://dot'] };
    const subscription = await client.listen(wanted);
    assert.deepEqual(subscription.honoredFilter, wanted);
    const changes = listen(client, 'notifications/tools/list_changed');
    const updates = listen(client, 'notifications/resources/updated');
    await say(client, 'touch', { uri: 'note://dot' });
    await say(client, 'grow', { name: 'more' });
    await until(() => changes.length === 1, 'list_changed');
    assert.deepEqual(updates, [{ uri: 'note://dot' }]); // which came ahead of it
    await subscription.close();
    assert.equal(await subscription.closed, 'local');
});

test('a notification names its subscription', async (t) => {
    const client = await connect(t, 'everything');
    const ids = [];
    way.onNotification(client, 'notifications/resources/updated', ({ params }) =>
        ids.push(params._meta['io.modelcontextprotocol/subscriptionId']));
    await subscribe(client, 'note://dot');
    await subscribe(client, 'note://dot');
    await say(client, 'touch', { uri: 'note://dot' });
    await until(() => ids.length === 2, 'an update for each');
    assert.equal(new Set(ids).size, 2);
});

test('an empty subscription gets no notifications', async (t) => {
    const client = await connect(t, 'everything');
    const changes = listen(client, 'notifications/tools/list_changed');
    const updates = listen(client, 'notifications/resources/updated');
    await subscribe(client, 'note://welcome');
    await say(client, 'grow', { name: 'quietly' });
    await say(client, 'touch', { uri: 'note://dot' });
    await say(client, 'touch', { uri: 'note://welcome' });
    await until(() => updates.length === 1, 'the update after the messages that must not come');
    assert.deepEqual([changes, updates], [[], [{ uri: 'note://welcome' }]]);
});

test('the client updates its list of tools', async (t) => {
    const lists = [];
    const listChanged = { tools: { debounceMs: 0, onChanged: (error, tools) => lists.push(error ?? tools.map((tool) => tool.name)) } };
    const client = await connect(t, 'everything', { listChanged });
    assert.deepEqual(client.autoOpenedSubscription.honoredFilter, { toolsListChanged: true });
    await say(client, 'grow', { name: 'newcomer' });
    await until(() => lists.length === 1, 'the new list');
    assert.equal(lists[0].at(-1), 'newcomer');
});

test('results have cache hints: everything allows no caching', async (t) => {
    const client = await connect(t, 'everything');
    const results = [
        await client.listTools(),
        await client.listResources(),
        await client.listResourceTemplates(),
        await client.listPrompts(),
        await client.readResource({ uri: 'note://welcome' }),
        await client.discover(),
    ];
    for (const result of results) assert.deepEqual([result.ttlMs, result.cacheScope], [0, 'private']);
    await say(client, 'grow', { name: 'fresh' });
    assert.equal((await client.listTools()).tools.at(-1).name, 'fresh');
});

testIf(way.http, 'a server that exits ends a subscription with a result', async (t) => {
    const client = await connect(t, 'everything');
    const subscription = await client.listen({ toolsListChanged: true });
    await client.server.stop();
    assert.equal(await subscription.closed, 'graceful');
    await client.close();
});
