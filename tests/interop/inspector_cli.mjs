// The command line of the Inspector, over both transports. Each call starts a new process.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { path, startHttp } from './programs.mjs';

const launcher = new URL('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url).pathname;
const home = mkdtempSync(join(tmpdir(), 'tenon-inspector-')); // it keeps files of its own there
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

async function inspect(target, method, ...options) {
    const args = [launcher, '--cli', ...target, '--method', method, ...options];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, HOME: home } });
    return JSON.parse(stdout);
}

const ways = {
    stdio: async () => [path('everything')],
    HTTP: async (t) => [(await startHttp(t, 'everything')).url.href, '--transport', 'http'],
};

for (const [name, target] of Object.entries(ways)) {
    test(`${name}: tools are listed and called`, async (t) => {
        const at = await target(t);
        const [{ tools }, sum, weather, failure] = await Promise.all([
            inspect(at, 'tools/list'),
            inspect(at, 'tools/call', '--tool-name', 'add', '--tool-arg', 'a=1', '--tool-arg', 'b=2.5'),
            inspect(at, 'tools/call', '--tool-name', 'weather', '--tool-arg', 'city=Oslo', '--tool-arg', 'unit=fahrenheit'),
            inspect(at, 'tools/call', '--tool-name', 'fail').catch((error) => error),
        ]);
        assert.equal(tools.length, 17);
        assert.deepEqual(tools.find((tool) => tool.name === 'add').annotations, { readOnlyHint: true, idempotentHint: true });
        assert.deepEqual(sum.structuredContent, { result: 3.5 });
        assert.deepEqual([weather.structuredContent.city, weather.structuredContent.unit], ['Oslo', 'fahrenheit']);
        const failed = failure instanceof Error ? failure.stdout + failure.stderr : JSON.stringify(failure);
        assert.match(failed, /fails on purpose/);
    });

    test(`${name}: the schemas of the tools are portable`, async (t) => {
        const { tools } = await inspect(await target(t), 'tools/list', '--strict'); // which exits with 6 when not
        assert.equal(tools.length, 17);
    });

    test(`${name}: resources and templates are listed and read`, async (t) => {
        const at = await target(t);
        const [{ resources }, { resourceTemplates }, text, bytes, expanded] = await Promise.all([
            inspect(at, 'resources/list'),
            inspect(at, 'resources/templates/list'),
            inspect(at, 'resources/read', '--uri', 'note://welcome'),
            inspect(at, 'resources/read', '--uri', 'note://dot'),
            inspect(at, 'resources/read', '--uri', 'note://attic/box'),
        ]);
        assert.deepEqual(resources.map((r) => r.uri), ['note://welcome', 'note://dot']);
        assert.deepEqual(resourceTemplates.map((r) => r.uriTemplate), ['note://{folder}/{name}']);
        assert.equal(text.contents[0].text, 'Welcome to Tenon.');
        assert.equal(Buffer.from(bytes.contents[0].blob, 'base64').length, 69);
        assert.equal(expanded.contents[0].text, 'attic holds box');
    });

    test(`${name}: prompts are listed and filled in`, async (t) => {
        const at = await target(t);
        const [{ prompts }, letter] = await Promise.all([
            inspect(at, 'prompts/list'),
            inspect(at, 'prompts/get', '--prompt-name', 'letter', '--prompt-args', 'to=Ada', 'tone=formal'),
        ]);
        assert.deepEqual(prompts.map((p) => p.name), ['simple', 'letter']);
        assert.equal(letter.messages[0].content.text, 'Write a formal letter to Ada.');
    });

    test(`${name}: what is not there is said on the way out`, async (t) => {
        await assert.rejects(inspect(await target(t), 'resources/read', '--uri', 'note://nobody'), (error) => {
            assert.notEqual(error.code, 0);
            assert.match(error.stderr, /note:\/\/nobody/);
            return true;
        });
    });
}
