// Prompts and completion.
// rules: PROMPT-1, PROMPT-2, PROMPT-3, PROMPT-5
import assert from 'node:assert/strict';
import test from 'node:test';
import { connect, refused } from '../harness.mjs';

test('prompts are listed with their arguments', async (t) => {
    const client = await connect(t, 'everything');
    const { prompts } = await client.listPrompts();
    assert.deepEqual(prompts.map((p) => p.name), ['simple', 'letter']);
    assert.equal(prompts[1].title, 'Letter');
    assert.deepEqual(prompts[1].arguments, [
        { name: 'to', description: 'Whom', required: true },
        { name: 'tone', description: 'How it sounds', required: false },
    ]);
});

test('a prompt is filled in', async (t) => {
    const client = await connect(t, 'everything');
    const simple = await client.getPrompt({ name: 'simple' });
    assert.deepEqual(simple.messages, [{ role: 'user', content: { type: 'text', text: 'This is a simple prompt.' } }]);
    const letter = await client.getPrompt({ name: 'letter', arguments: { to: 'Ada', tone: 'formal' } });
    assert.deepEqual(letter.messages.map((m) => [m.role, m.content.text]), [
        ['user', 'Write a formal letter to Ada.'],
        ['assistant', 'Dear Ada,'],
    ]);
});

test('an unknown prompt, a missing and an unknown argument are refused by name', async (t) => {
    const client = await connect(t, 'everything');
    await refused(client.getPrompt({ name: 'nothing' }), -32602, /nothing/);
    await refused(client.getPrompt({ name: 'letter' }), -32602, /`params.arguments.to`/);
    await refused(client.getPrompt({ name: 'letter', arguments: { to: 'Ada', from: 'Bob' } }), -32602, /`params.arguments.from`/);
});

test('arguments of prompts and variables of templates are completed', async (t) => {
    const client = await connect(t, 'everything');
    const complete = async (ref, name, value, context) =>
        (await client.complete({ ref, argument: { name, value }, context })).completion.values;
    const letter = { type: 'ref/prompt', name: 'letter' };
    const note = { type: 'ref/resource', uri: 'note://{folder}/{name}' };
    assert.deepEqual(await complete(letter, 'to', 'a'), ['ada', 'alan']);
    assert.deepEqual(await complete(letter, 'tone', 'f', { arguments: { to: 'ada' } }), ['formal', 'friendly']);
    assert.deepEqual(await complete(letter, 'to', 'z'), []);
    assert.deepEqual(await complete(note, 'folder', 'a'), ['attic', 'archive']);
    assert.deepEqual(await complete(note, 'name', 'a', { arguments: { folder: 'attic' } }), []);
    await refused(complete(letter, 'from', ''), -32602, /argument/);
    await refused(complete({ type: 'ref/prompt', name: 'nothing' }, 'to', ''), -32602, /prompt/);
});
