// Many calls and many clients at once.
// rules: INT-3
import assert from 'node:assert/strict';
import test from 'node:test';
import { connect, say } from '../harness.mjs';

const range = (n) => Array.from({ length: n }, (_, i) => i);

test('500 concurrent calls each get their own answer', async (t) => {
    const client = await connect(t, 'everything');
    await client.listTools();
    await Promise.all(
        range(500).map(async (i) => {
            if (i % 5 === 4) return assert.equal(await say(client, 'count', { to: 2, delay_ms: i % 7 }), 'counted to 2');
            if (i % 5 === 3) return assert.equal((await client.callTool({ name: 'fail' })).isError, true);
            const message = `${i} `.repeat(i);
            assert.equal(await say(client, i % 2 ? 'echo' : 'later', { message }), (i % 2 ? '' : 'later: ') + message);
        }),
    );
});

test('100 slow calls may be open at once', async (t) => {
    const client = await connect(t, 'everything');
    const answers = await Promise.all(range(100).map(() => say(client, 'count', { to: 1, delay_ms: 200 })));
    assert.deepEqual(new Set(answers), new Set(['counted to 1']));
});

test('eight concurrent clients do not get messages of each other', async (t) => {
    const clients = await Promise.all(range(8).map(() => connect(t, 'everything')));
    await Promise.all(
        clients.map(async (client, who) => {
            await say(client, 'grow', { name: `mine-${who}` });
            for (const i of range(50)) assert.equal(await say(client, 'echo', { message: `${who}-${i}` }), `${who}-${i}`);
            const names = (await client.listTools()).tools.map((tool) => tool.name);
            assert.deepEqual(names.filter((name) => name.startsWith('mine')), [`mine-${who}`]);
        }),
    );
});
