// Log messages to the client, by level.
import assert from 'node:assert/strict';
import test from 'node:test';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { connect, listen, refused } from '../harness.mjs';

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

test('the client gets the levels it asked for, and no others', async (t) => {
    const client = await connect(t, 'everything');
    const messages = listen(client, LoggingMessageNotificationSchema);
    for (const [first, level] of levels.entries()) {
        await client.setLoggingLevel(level);
        messages.length = 0;
        await client.callTool({ name: 'chat' });
        assert.deepEqual(messages.map((m) => m.level), levels.slice(first));
        assert.deepEqual(messages.at(-1), { level: 'emergency', logger: 'everything', data: { level: 7 } });
    }
});

test('until then it gets those from info on', async (t) => {
    const client = await connect(t, 'everything');
    const messages = listen(client, LoggingMessageNotificationSchema);
    await client.callTool({ name: 'chat' });
    assert.deepEqual(messages.map((m) => m.level), levels.slice(1));
});

test('a level that does not exist is refused', async (t) => {
    const client = await connect(t, 'everything');
    await refused(client.setLoggingLevel('loud'), -32602, /level/);
});
