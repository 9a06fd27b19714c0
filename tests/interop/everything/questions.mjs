// What the server asks in the middle of a call: the user, the model, the host.
// rules: LIFE-10
import assert from 'node:assert/strict';
import test from 'node:test';
import {
    CreateMessageRequestSchema,
    ElicitationCompleteNotificationSchema,
    ElicitRequestSchema,
    ListRootsRequestSchema,
    McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { connect, listen, say, text, until } from '../harness.mjs';

const connectUser = (t, answer) =>
    connect(t, 'everything', {
        capabilities: { elicitation: { form: { applyDefaults: true }, url: {} } },
        handlers: [[ElicitRequestSchema, answer]],
    });

test('the user fills in a form', async (t) => {
    let asked;
    const client = await connectUser(t, (request) => {
        asked = request.params;
        return { action: 'accept', content: { name: 'Ada', age: 36 } };
    });
    assert.equal(await say(client, 'ask_user'), 'Ada is 36');
    assert.equal(asked.message, 'Who are you?');
    assert.deepEqual(asked.requestedSchema.required, ['name', 'age']);
    assert.deepEqual(asked.requestedSchema.properties.unit.enum, ['celsius', 'fahrenheit']);
});

for (const action of ['decline', 'cancel'])
    test(`the user may ${action} the form and the page`, async (t) => {
        const client = await connectUser(t, () => ({ action }));
        assert.equal(await say(client, 'ask_user'), 'no answer');
        assert.equal(await say(client, 'ask_page'), 'not signed in');
    });

test('the user is sent to a page, and the client hears when that is done', async (t) => {
    let asked;
    const client = await connectUser(t, (request) => {
        asked = request.params;
        return { action: 'accept' };
    });
    const completed = listen(client, ElicitationCompleteNotificationSchema);
    assert.equal(await say(client, 'ask_page'), 'signed in');
    assert.deepEqual(
        [asked.mode, asked.url, asked.elicitationId, asked.message],
        ['url', 'https://example.com/sign-in', 'sign-in-1', 'Please sign in'],
    );
    await until(() => completed.length === 1, 'elicitation/complete');
    assert.deepEqual(completed, [{ elicitationId: 'sign-in-1' }]);
});

test('the model is asked', async (t) => {
    let asked;
    const answer = { model: 'test', role: 'assistant', content: { type: 'text', text: 'Forty-two.' }, stopReason: 'endTurn' };
    const client = await connect(t, 'everything', {
        capabilities: { sampling: {} },
        handlers: [[CreateMessageRequestSchema, (request) => ((asked = request.params), answer)]],
    });
    assert.equal(await say(client, 'ask_model', { prompt: 'What is it?' }), 'Forty-two.');
    assert.equal(asked.maxTokens, 100);
    assert.deepEqual(asked.messages, [{ role: 'user', content: { type: 'text', text: 'What is it?' } }]);
});

test('the roots are asked for again after they changed', async (t) => {
    let roots = [{ uri: 'file:///work', name: 'Work' }];
    const client = await connect(t, 'everything', {
        capabilities: { roots: { listChanged: true } },
        handlers: [[ListRootsRequestSchema, () => ({ roots })]],
    });
    const ask = async () => (await client.callTool({ name: 'ask_roots' })).structuredContent.result;
    assert.deepEqual(await ask(), ['file:///work']);
    roots = [{ uri: 'file:///home' }, { uri: 'file:///tmp' }];
    await client.sendRootsListChanged();
    assert.deepEqual(await ask(), ['file:///home', 'file:///tmp']);
});

test('a refusal of the client is a result that the model can read', async (t) => {
    const client = await connect(t, 'everything', {
        capabilities: { sampling: {} },
        handlers: [[CreateMessageRequestSchema, () => Promise.reject(new McpError(-1, 'the user said no'))]],
    });
    const result = await client.callTool({ name: 'ask_model', arguments: { prompt: 'Now?' } });
    assert.equal(result.isError, true);
    assert.match(text(result), /the user said no/);
});

test('a client that cannot answer is not asked', async (t) => {
    const client = await connect(t, 'everything');
    for (const name of ['ask_user', 'ask_page', 'ask_model', 'ask_roots']) {
        const result = await client.callTool({ name, arguments: name === 'ask_model' ? { prompt: 'x' } : {} });
        assert.equal(result.isError, true, name);
        assert.match(text(result), /client/, name);
    }
});

test('many questions may be open at once', async (t) => {
    const client = await connectUser(t, async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { action: 'accept', content: { name: 'Ada', age: 36 } };
    });
    const answers = await Promise.all(Array.from({ length: 50 }, () => say(client, 'ask_user')));
    assert.deepEqual(new Set(answers), new Set(['Ada is 36']));
});

test('a cancelled call takes its question back', async (t) => {
    let withdrawn = false;
    const cancel = new AbortController();
    const client = await connectUser(t, (_, extra) => {
        extra.signal.addEventListener('abort', () => (withdrawn = true));
        cancel.abort('enough');
        return new Promise(() => {});
    });
    await assert.rejects(say(client, 'ask_user', {}, { signal: cancel.signal }), /enough/);
    await until(() => withdrawn, 'the cancellation of the question');
});
