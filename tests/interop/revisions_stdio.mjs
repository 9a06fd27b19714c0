// Uses each revision without an SDK, because the official client only requests its newest. The server sends only what
// the revision has, and answers as the revision requires.
// rules: LIFE-6, LIFE-8, LIFE-13, LIFE-14, LIFE-17, RPC-8, RPC-12, TOOL-5
import assert from 'node:assert/strict';
import test from 'node:test';
import { speak } from './harness.mjs';

// The columns of the table: whether a revision has this feature.
const revisions = {
    '2024-11-05': { annotations: false, audio: false, titles: false, structured: false, icons: false, batches: true },
    '2025-03-26': { annotations: true, audio: true, titles: false, structured: false, icons: false, batches: true },
    '2025-06-18': { annotations: true, audio: true, titles: true, structured: true, icons: false, batches: false },
    '2025-11-25': { annotations: true, audio: true, titles: true, structured: true, icons: true, batches: false },
};

async function initialized(t, protocolVersion, capabilities = {}) {
    const peer = speak(t, 'everything');
    peer.introduction = await peer.request('initialize', { protocolVersion, capabilities, clientInfo: { name: 'hand', version: '1' } });
    peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    peer.call = (name, args = {}) => peer.request('tools/call', { name, arguments: args });
    return peer;
}

for (const [revision, has] of Object.entries(revisions)) {
    test(`${revision}: the initialize result has this revision and its members`, async (t) => {
        const { result } = (await initialized(t, revision)).introduction;
        assert.equal(result.protocolVersion, revision);
        assert.equal('title' in result.serverInfo, has.titles);
        assert.equal('description' in result.serverInfo, has.icons); // both came with 2025-11-25
        assert.equal('completions' in result.capabilities, revision !== '2024-11-05');
    });

    test(`${revision}: tools have only the members of the revision`, async (t) => {
        const { tools } = (await (await initialized(t, revision)).request('tools/list')).result;
        const add = tools.find((tool) => tool.name === 'add');
        assert.equal('annotations' in add, has.annotations);
        assert.equal('title' in add, has.titles);
        assert.equal('outputSchema' in add, has.structured);
    });

    test(`${revision}: results have only the content types of the revision`, async (t) => {
        const peer = await initialized(t, revision);
        const sum = (await peer.call('add', { a: 1, b: 2 })).result;
        assert.equal('structuredContent' in sum, has.structured);
        assert.match(sum.content[0].text, /3/);
        const [sound] = (await peer.call('sound')).result.content;
        assert.equal(sound.type === 'audio', has.audio);
        const mixed = (await peer.call('mixed')).result.content;
        assert.equal(mixed.some((c) => c.type === 'resource_link'), has.structured);
        assert.equal('lastModified' in mixed[0].annotations, has.titles);
    });

    test(`${revision}: wrong arguments are ${has.icons ? 'a result' : 'an error'}`, async (t) => {
        const { result, error } = await (await initialized(t, revision)).call('add', { a: 'one', b: 2 });
        if (has.icons) return assert.match(result.content[0].text, /`?arguments.a/);
        assert.equal(error.code, -32602);
        assert.match(error.message, /arguments.a/);
    });

    test(`${revision}: a batch is ${has.batches ? 'served completely' : 'refused'}`, async (t) => {
        const peer = await initialized(t, revision);
        const ping = (id) => ({ jsonrpc: '2.0', id, method: 'ping' });
        peer.send([ping(7), { jsonrpc: '2.0', method: 'notifications/nonsense' }, ping('eight')]);
        const answer = await peer.next();
        if (!has.batches) return assert.equal(answer.error.code, -32600);
        assert.deepEqual(new Set(answer.map((a) => a.id)), new Set([7, 'eight']));
        assert.ok(answer.every((a) => a.jsonrpc === '2.0' && 'result' in a));
    });

    test(`${revision}: an unreadable id is ${has.icons ? 'left out' : 'null'}`, async (t) => {
        const peer = await initialized(t, revision);
        peer.send({ jsonrpc: '2.0', id: {}, method: 'ping' });
        const answer = await peer.next();
        assert.equal(answer.error.code, -32600);
        assert.equal(answer.id, has.icons ? undefined : null);
    });

    test(`${revision}: the user is ${has.structured ? 'asked' : 'not asked'} with a form, and ${has.icons ? '' : 'not '}sent to a page`, async (t) => {
        const peer = await initialized(t, revision, { elicitation: { form: {}, url: {} } });
        const ask = async (tool) => {
            const message = await peer.call(tool);
            if (message.method !== 'elicitation/create') return message;
            assert.equal('mode' in message.params, has.icons);
            peer.send({ jsonrpc: '2.0', id: message.id, result: { action: 'decline' } });
            return peer.next();
        };
        assert.equal((await ask('ask_user')).result.isError ?? false, !has.structured);
        assert.equal((await ask('ask_page')).result.isError ?? false, !has.icons);
    });
}

test('progress comes in order, and all of it before the result', async (t) => {
    const peer = await initialized(t, '2025-11-25');
    const params = { name: 'count', arguments: { to: 50, delay_ms: 0 }, _meta: { progressToken: 'mine' } };
    peer.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    for (let i = 1; i <= 50; ++i)
        assert.deepEqual((await peer.next()).params, { progressToken: 'mine', progress: i, total: 50, message: `at ${i}` });
    assert.equal((await peer.next()).result.content[0].text, 'counted to 50');
});

test('an unknown revision is answered with the newest', async (t) => {
    for (const asked of ['1999-01-01', '2099-01-01', 'latest', ''])
        assert.equal((await initialized(t, asked)).introduction.result.protocolVersion, '2025-11-25');
});

test('a second initialize changes nothing', async (t) => {
    const peer = await initialized(t, '2025-03-26');
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'hand', version: '2' } };
    assert.equal((await peer.request('initialize', params)).error.code, -32600);
    assert.ok(!('structuredContent' in (await peer.call('add', { a: 1, b: 2 })).result));
});

test('before initialize only ping is served', async (t) => {
    const peer = speak(t, 'everything');
    assert.match((await peer.request('tools/list')).error.message, /initialize/);
    assert.deepEqual((await peer.request('ping')).result, {});
});
