// Questions of the server during a call: to the user, the model and the host.
// rules: LIFE-10
import assert from 'node:assert/strict';
import test from 'node:test';
import { call, connect, listen, refused, say, text, until, way } from '../harness.mjs';

const connectUser = (t, answer) =>
    connect(t, 'everything', {
        capabilities: { elicitation: { form: { applyDefaults: true }, url: {} } },
        handlers: [['elicitation/create', answer]],
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

test('the user is sent to a page, and the client is notified when it is done', async (t) => {
    let asked;
    const client = await connectUser(t, (request) => {
        asked = request.params;
        return { action: 'accept' };
    });
    const completed = listen(client, 'notifications/elicitation/complete');
    assert.equal(await say(client, 'ask_page'), 'signed in');
    assert.deepEqual(
        [asked.mode, asked.url, asked.elicitationId, asked.message],
        ['url', 'https://example.com/sign-in', way.modern ? undefined : 'sign-in-1', 'Please sign in'],
    );
    if (way.modern) return assert.deepEqual(completed, []); // this revision has neither the id nor the notice
    await until(() => completed.length === 1, 'elicitation/complete');
    assert.deepEqual(completed, [{ elicitationId: 'sign-in-1' }]);
});

test('the model is asked', async (t) => {
    let asked;
    const answer = { model: 'test', role: 'assistant', content: { type: 'text', text: 'Forty-two.' }, stopReason: 'endTurn' };
    const client = await connect(t, 'everything', {
        capabilities: { sampling: {} },
        handlers: [['sampling/createMessage', (request) => ((asked = request.params), answer)]],
    });
    assert.equal(await say(client, 'ask_model', { prompt: 'What is it?' }), 'Forty-two.');
    assert.equal(asked.maxTokens, 100);
    assert.deepEqual(asked.messages, [{ role: 'user', content: { type: 'text', text: 'What is it?' } }]);
});

test('the roots are asked for again after they changed', async (t) => {
    let roots = [{ uri: 'file:///work', name: 'Work' }];
    const client = await connect(t, 'everything', {
        capabilities: { roots: { listChanged: true } },
        handlers: [['roots/list', () => ({ roots })]],
    });
    const ask = async () => (await client.callTool({ name: 'ask_roots' })).structuredContent.result;
    assert.deepEqual(await ask(), ['file:///work']);
    roots = [{ uri: 'file:///home' }, { uri: 'file:///tmp' }];
    if (!way.modern) await client.sendRootsListChanged();
    assert.deepEqual(await ask(), ['file:///home', 'file:///tmp']);
});

test('a refusal of the client is a result that the model can read', async (t) => {
    const client = await connect(t, 'everything', {
        capabilities: { sampling: {} },
        handlers: [['sampling/createMessage', () => Promise.reject(new way.RefusalError(-1, 'the user said no'))]],
    });
    const asks = call(client, 'ask_model', { prompt: 'Now?' });
    if (way.modern) return assert.rejects(asks, /the user said no/); // the call has ended, so no result is sent
    const result = await asks;
    assert.equal(result.isError, true);
    assert.match(text(result), /the user said no/);
});

test('a client that cannot answer is not asked', async (t) => {
    const client = await connect(t, 'everything');
    for (const name of ['ask_user', 'ask_page', 'ask_model', 'ask_roots']) {
        const asks = call(client, name, name === 'ask_model' ? { prompt: 'x' } : {});
        if (way.modern) {
            await refused(asks, -32021, /client/);
            continue;
        }
        const result = await asks;
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

test('a cancelled call cancels its question', async (t) => {
    let withdrawn = false;
    const cancel = new AbortController();
    const client = await connectUser(t, (_, signal) => {
        const givenUp = new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
                withdrawn = true;
                reject(new Error('the question was taken back'));
            });
        });
        cancel.abort('enough');
        return givenUp;
    });
    const reason = way.modern ? /taken back/ : /enough/; // where the client asks by itself, its own question ends first
    await assert.rejects(say(client, 'ask_user', {}, { signal: cancel.signal }), reason);
    await until(() => withdrawn, 'the cancellation of the question');
});
