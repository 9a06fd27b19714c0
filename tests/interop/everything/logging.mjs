// Log messages to the client, by level.
import assert from 'node:assert/strict';
import test from 'node:test';
import { connect, listen, refused, way } from '../harness.mjs';

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** Calls the tool that logs at every level. A client sets its level once, or with each call since 2026-07-28. */
async function chat(client, level) {
    if (!way.modern && level) await client.setLoggingLevel(level);
    const _meta = way.modern && level ? { 'io.modelcontextprotocol/logLevel': level } : undefined;
    return way.callTool(client, { name: 'chat', _meta });
}

test('the client gets only the log levels that it requested', async (t) => {
    const client = await connect(t, 'everything');
    const messages = listen(client, 'notifications/message');
    for (const [first, level] of levels.entries()) {
        messages.length = 0;
        await chat(client, level);
        assert.deepEqual(messages.map((m) => m.level), levels.slice(first));
        assert.deepEqual(messages.at(-1), { level: 'emergency', logger: 'everything', data: { level: 7 } });
    }
});

test(`without a level it gets ${way.modern ? 'no messages' : 'messages from info on'}`, async (t) => {
    const client = await connect(t, 'everything');
    const messages = listen(client, 'notifications/message');
    await chat(client);
    assert.deepEqual(messages.map((m) => m.level), way.modern ? [] : levels.slice(1));
});

test('a level that does not exist is refused', async (t) => {
    const client = await connect(t, 'everything');
    await refused(chat(client, 'loud'), -32602, /level/i);
});
