// The official client uses each example of examples/ except everything.cpp. The example must do what its comments say.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { connect, listen, refused, say, text, until } from './harness.mjs';

test('hello greets', async (t) => {
    const client = await connect(t, 'hello');
    assert.deepEqual((await client.listTools()).tools.map((tool) => tool.name), ['greet']);
    assert.equal(await say(client, 'greet', { name: 'Ada' }), 'Hello, Ada!');
});

test('typed_tools validates arguments and describes results', async (t) => {
    const client = await connect(t, 'typed_tools');
    await client.listTools(); // from here on the client validates structuredContent
    const call = (name, args) => client.callTool({ name, arguments: args });
    const forecast = await call('forecast', { city: 'Oslo', unit: 'fahrenheit' });
    assert.deepEqual(forecast.structuredContent, { city: 'Oslo', temperature: 20.5 * 1.8 + 32, unit: 'fahrenheit' });
    assert.equal(await say(client, 'order', { article: 'AB-1234', count: 2, note: 'blue' }), 'Ordered 2 of AB-1234 (blue)');
    assert.match(text(await call('order', { article: 'ab', count: 2 })), /article/);
    assert.deepEqual((await call('root', { x: 9 })).structuredContent, { result: 3 });
    const failed = await call('root', { x: -1 });
    assert.deepEqual([failed.isError, text(failed)], [true, 'x must not be negative']);
});

test('resources are read by URI and by template, and change', async (t) => {
    const client = await connect(t, 'resources');
    const read = async (uri) => (await client.readResource({ uri })).contents[0];
    assert.equal((await client.listResources()).resources.length, 3);
    assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1);
    assert.equal((await read('notes://welcome')).text, 'Welcome to Tenon.');
    assert.equal(Buffer.from((await read('notes://pixel')).blob, 'base64').length, 8);
    assert.equal((await read('notes://day/friday')).text, 'Demo');
    await refused(read('notes://day/sunday'), -32002, /sunday/);
    const days = await client.complete({
        ref: { type: 'ref/resource', uri: 'notes://day/{day}' },
        argument: { name: 'day', value: '' },
    });
    assert.deepEqual(days.completion.values, ['monday', 'friday']);

    const updates = listen(client, 'notifications/resources/updated');
    await client.subscribeResource({ uri: 'notes://visits' });
    await client.callTool({ name: 'visit' });
    await until(() => updates.length === 1, 'the update');
    assert.equal((await read('notes://visits')).text, '1');
});

test('files are read only inside their folder', async (t) => {
    const client = await connect(t, 'files'); // which serves the folder that it is started in
    const name = readdirSync('.').find((entry) => /\.(mjs|json)$/.test(entry));
    const { contents } = await client.readResource({ uri: `docs:///${name}` });
    assert.equal(contents[0].text, readFileSync(name, 'utf8'));
    for (const uri of ['docs:////etc/passwd', 'docs:///%2Fetc%2Fpasswd', 'docs:///%252Fetc', 'docs:///missing'])
        await refused(client.readResource({ uri }), -32002, /not found/i);
    const size = (path) => client.callTool({ name: 'size', arguments: { path } });
    assert.deepEqual((await size(name)).structuredContent, { result: readFileSync(name).length });
    for (const path of ['/etc/passwd', '../../etc/passwd', '', '.']) assert.equal((await size(path)).isError, true);
});

test('prompts are filled in, and their arguments completed', async (t) => {
    const client = await connect(t, 'prompts');
    const review = await client.getPrompt({ name: 'review', arguments: { code: 'int x;', language: 'c++' } });
    assert.equal(review.messages[0].content.text, 'Please review this c++ code:\n\nint x;');
    const greet = await client.getPrompt({ name: 'greet' });
    assert.deepEqual(greet.messages.map((m) => m.role), ['user', 'assistant']);
    const languages = await client.complete({
        ref: { type: 'ref/prompt', name: 'review' },
        argument: { name: 'language', value: 'c' },
    });
    assert.deepEqual(languages.completion.values, ['c', 'c++']);
});

test('progress is reported, and a cancelled count stops', async (t) => {
    const client = await connect(t, 'progress');
    const log = listen(client, 'notifications/message');
    const seen = [];
    const options = { onprogress: (p) => seen.push(p.message) };
    assert.equal(await say(client, 'count', { to: 3, delay_ms: 20 }, options), 'counted to 3');
    await client.ping();
    assert.equal(seen.length + client.lateProgress, 3);
    assert.deepEqual(seen, ['counted 1', 'counted 2', 'counted 3'].slice(0, seen.length));
    assert.deepEqual(log, [{ level: 'info', data: 'done counting' }]);
    const cancel = new AbortController();
    const stopped = { signal: cancel.signal, onprogress: () => cancel.abort('enough') };
    await assert.rejects(say(client, 'count', { to: 1000, delay_ms: 20 }, stopped), /enough/);
    assert.equal(await say(client, 'count', { to: 3, delay_ms: 20 }), 'counted to 3'); // a late answer, among client.errors, comes before
});

test('ask asks the user, the model and the host', async (t) => {
    const forms = [{ action: 'accept', content: { size: 'large', extra_cheese: true } }, { action: 'decline' }, { action: 'cancel' }];
    const sample = { model: 'test', role: 'assistant', content: { type: 'text', text: 'Short.' } };
    const client = await connect(t, 'ask', {
        capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
        handlers: [
            ['elicitation/create', () => forms.shift()],
            ['sampling/createMessage', () => sample],
            ['roots/list', () => ({ roots: [{ uri: 'file:///example/project' }] })],
        ],
    });
    assert.equal(await say(client, 'order_pizza'), 'Order 42: with extra cheese');
    assert.equal(await say(client, 'order_pizza'), 'No pizza then.');
    assert.equal(await say(client, 'order_pizza'), 'Never mind.');
    assert.equal(await say(client, 'summarise', { text: 'Long.' }), 'Short.');
    assert.deepEqual((await client.callTool({ name: 'where' })).structuredContent, { result: ['file:///example/project'] });
});

test('tasks continue after their first response', async (t) => {
    const handlers = [['elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } })]];
    const client = await connect(t, 'tasks', { capabilities: { elicitation: {} }, handlers });
    await client.listTools();
    assert.equal(await say(client, 'compute', { seconds: 0 }), 'computed for 0 s'); // as a call
    const run = async (name, args = {}) => {
        const seen = [];
        const options = { task: { ttl: 60_000 } };
        for await (const m of client.experimental.tasks.callToolStream({ name, arguments: args }, undefined, options))
            seen.push(m);
        return [seen[0].type, text(seen.at(-1).result)];
    };
    assert.deepEqual(await run('compute', { seconds: 1 }), ['taskCreated', 'computed for 1 s']);
    assert.deepEqual(await run('greet'), ['taskCreated', 'Hello, Ada!']);
    assert.deepEqual(await run('greet_later'), ['taskCreated', 'Hello, Ada!']);
    const { tasks } = await client.experimental.tasks.listTasks();
    assert.deepEqual(tasks.map((task) => task.status), ['completed', 'completed', 'completed']);
});

test('embedded serves from the loop of its host', async (t) => {
    const client = await connect(t, 'embedded');
    await client.listTools();
    const sum = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
    assert.deepEqual(sum.structuredContent, { result: 5 });
    assert.equal((await client.callTool({ name: 'add', arguments: { a: 2 } })).isError, true);
    assert.deepEqual(await client.ping(), {});
});
