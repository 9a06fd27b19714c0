// Tools: their list, their results, and changes of the list.
// rules: TOOL-1, TOOL-2, TOOL-3, TOOL-4, TOOL-6, TOOL-7, TOOL-8, TOOL-16
import assert from 'node:assert/strict';
import test from 'node:test';
import { call, connect, listen, refused, say, text, until, way } from '../harness.mjs';

const tools = [
    'echo', 'add', 'weather', 'picture', 'sound', 'mixed', 'fail', 'count', 'chat', 'later',
    'ask_user', 'ask_page', 'ask_model', 'ask_roots', 'touch', 'grow', 'shrink',
]; // prettier-ignore

test('tools/list shows every tool, in the order of registration', async (t) => {
    const client = await connect(t, 'everything');
    const list = await client.listTools();
    assert.deepEqual(list.tools.map((tool) => tool.name), tools);
    assert.ok(list.tools.every((tool) => tool.description && tool.inputSchema.type === 'object'));

    const add = list.tools.find((tool) => tool.name === 'add');
    assert.equal(add.title, 'Sum');
    assert.deepEqual(add.annotations, { readOnlyHint: true, idempotentHint: true });
    assert.deepEqual(add.inputSchema.required, ['a', 'b']);

    const weather = list.tools.find((tool) => tool.name === 'weather');
    assert.deepEqual(weather.inputSchema.required, ['city']);
    assert.equal(weather.inputSchema.properties.days.default, 1);
    assert.deepEqual(weather.outputSchema.properties.unit.enum, ['celsius', 'fahrenheit']);
});

test('text comes back unchanged', async (t) => {
    const client = await connect(t, 'everything');
    const hard = 'quotes " backslash \\ newline \n tab \t nul \u0000 emoji 🦊 combining é U+2028 \u2028';
    assert.equal(await say(client, 'echo', { message: hard }), hard);
    assert.equal(await say(client, 'echo', { message: '' }), '');
    const megabytes = 'x'.repeat(5 << 20);
    assert.equal(await say(client, 'echo', { message: megabytes }), megabytes);
    assert.equal(await say(client, 'later', { message: 'x' }), 'later: x');
});

test('structured output fits its schema: the client checks it', async (t) => {
    const client = await connect(t, 'everything');
    await client.listTools(); // from here on the client validates structuredContent
    const result = await client.callTool({ name: 'weather', arguments: { city: 'Oslo', days: 2 } });
    const weather = { city: 'Oslo', temperature: 19.5, unit: 'celsius', conditions: ['sunny', 'windy'] };
    assert.deepEqual(result.structuredContent, weather);
    assert.deepEqual(JSON.parse(text(result)), weather);
    const sum = await client.callTool({ name: 'add', arguments: { a: 0.1, b: 0.2 } });
    assert.deepEqual(sum.structuredContent, { result: 0.1 + 0.2 });
});

test('image and audio come as base64', async (t) => {
    const client = await connect(t, 'everything');
    const [image] = (await client.callTool({ name: 'picture' })).content;
    assert.deepEqual([image.type, image.mimeType], ['image', 'image/png']);
    assert.equal(Buffer.from(image.data, 'base64').subarray(1, 4).toString(), 'PNG');
    const [audio] = (await client.callTool({ name: 'sound' })).content;
    assert.deepEqual([audio.type, audio.mimeType], ['audio', 'audio/wav']);
    assert.equal(Buffer.from(audio.data, 'base64').subarray(8, 12).toString(), 'WAVE');
});

test('one result may hold all kinds of content', async (t) => {
    const client = await connect(t, 'everything');
    const { content } = await client.callTool({ name: 'mixed' });
    assert.deepEqual(content.map((c) => c.type), ['text', 'image', 'resource_link', 'resource']);
    assert.deepEqual(content[0].annotations, { audience: ['user'], priority: 0.9, lastModified: '2026-07-28T00:00:00Z' });
    assert.deepEqual([content[2].uri, content[2].name, content[2].title], ['note://welcome', 'welcome', 'Welcome']);
    assert.deepEqual(content[3].resource, { uri: 'note://inside', mimeType: 'text/plain', text: 'embedded' });
});

test('adding and removing tools notifies the client', async (t) => {
    const client = await connect(t, 'everything');
    const changes = listen(client, 'notifications/tools/list_changed');
    if (way.modern) await client.listen({ toolsListChanged: true });
    assert.equal(await say(client, 'grow', { name: 'extra' }), 'added');
    await until(() => changes.length === 1, 'list_changed');
    assert.equal(await say(client, 'extra'), 'new');
    assert.equal((await client.listTools()).tools.at(-1).name, 'extra');

    assert.equal(await say(client, 'shrink', { name: 'extra' }), 'removed');
    await until(() => changes.length === 2, 'list_changed');
    assert.equal(await say(client, 'shrink', { name: 'extra' }), 'there was none');
    await refused(client.callTool({ name: 'extra' }), -32602, /Unknown tool/);
});

test('a tool name that is taken or invalid is refused with a reason', async (t) => {
    const client = await connect(t, 'everything');
    for (const name of ['echo', 'white space', '']) {
        const result = await call(client, 'grow', { name });
        assert.ok(result.isError && text(result).length > 20, text(result));
    }
});

test('a long list has pages without gaps', async (t) => {
    const client = await connect(t, 'everything');
    const added = Array.from({ length: 1000 }, (_, i) => `tool${1000 + i}`);
    for (let i = 0; i < added.length; i += 50)
        await Promise.all(added.slice(i, i + 50).map((name) => say(client, 'grow', { name })));
    const names = [];
    let pages = 0;
    for (let cursor; pages === 0 || cursor; ++pages) {
        const page = await way.request(client, 'tools/list', cursor && { cursor });
        names.push(...page.tools.map((tool) => tool.name));
        cursor = page.nextCursor;
    }
    assert.deepEqual(names.slice(0, tools.length), tools);
    assert.deepEqual(names.slice(tools.length).sort(), added); // they were added many at a time
    assert.equal(pages, 2);
    await refused(client.listTools({ cursor: 'made up' }), -32602, /cursor/);
});
