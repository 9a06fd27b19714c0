// Resources, templates and subscriptions.
// rules: RES-1, RES-2, RES-4, RES-5, RES-6, RES-7, RES-9
import assert from 'node:assert/strict';
import test from 'node:test';
import { connect, listen, refused, say, subscribe, testIf, until, way } from '../harness.mjs';

test('resources and templates are listed', async (t) => {
    const client = await connect(t, 'everything');
    const { resources } = await client.listResources();
    assert.deepEqual(resources.map((r) => r.uri), ['note://welcome', 'note://dot']);
    assert.equal(resources[0].title, 'Welcome');
    assert.deepEqual(resources[0].annotations, { audience: ['assistant'], priority: 0.5 });
    assert.deepEqual([resources[1].mimeType, resources[1].size], ['image/png', 69]);
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(resourceTemplates.map((r) => r.uriTemplate), ['note://{folder}/{name}']);
});

test('text, bytes and templates are read', async (t) => {
    const client = await connect(t, 'everything');
    const read = async (uri) => (await client.readResource({ uri })).contents[0];
    assert.deepEqual(await read('note://welcome'), { uri: 'note://welcome', mimeType: 'text/plain', text: 'Welcome to Tenon.' });
    const dot = await read('note://dot');
    assert.equal(dot.mimeType, 'image/png');
    assert.equal(Buffer.from(dot.blob, 'base64').length, 69);
    assert.equal((await read('note://attic/box%201')).text, 'attic holds box 1');
});

test('a missing resource and a malformed URI are refused', async (t) => {
    const client = await connect(t, 'everything');
    await refused(client.readResource({ uri: 'note://nobody' }), way.notFoundCode, /note:\/\/nobody/);
    await refused(client.readResource({ uri: 'note://attic/missing' }), way.notFoundCode, /note:\/\/attic\/missing/);
    await refused(client.readResource({ uri: 'no uri' }), -32602, /uri/);
    await refused(client.readResource({ uri: 'note://a/%2e%2e/b' }), -32602, /\.\./);
});

test('only subscribers are notified of changes', async (t) => {
    const client = await connect(t, 'everything');
    const updates = listen(client, 'notifications/resources/updated');
    const touch = (uri) => say(client, 'touch', { uri });
    await touch('note://welcome');
    const endWelcome = await subscribe(client, 'note://welcome');
    await subscribe(client, 'note://attic/box');
    await touch('note://welcome');
    await touch('note://dot');
    await until(() => updates.length === 1, 'the first update');
    await touch('note://attic/box');
    await until(() => updates.length === 2, 'the second update');
    await endWelcome();
    await touch('note://welcome');
    await touch('note://attic/box');
    await until(() => updates.length === 3, 'the update after one that must not come');
    assert.deepEqual(updates, [{ uri: 'note://welcome' }, { uri: 'note://attic/box' }, { uri: 'note://attic/box' }]);
});

testIf(!way.modern, 'an unknown resource cannot be subscribed to', async (t) => {
    const client = await connect(t, 'everything');
    await refused(client.subscribeResource({ uri: 'note://nobody' }), way.notFoundCode, /note:\/\/nobody/);
});
