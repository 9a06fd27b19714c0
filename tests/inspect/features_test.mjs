// More of the page on the real program: choosing a server, a tool that changes, a message that breaks a rule, tasks, and the tap.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, openInspect, show } from './browser.mjs';
import { ownFolder, program, remove, startAndFind, startInspect, startTap, withFreePort } from './program.mjs';
import { call, result } from './steps.mjs';

const changing = fileURLToPath(new URL('changing_server.mjs', import.meta.url));

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

test('the link is alone on a line, has the chosen port, and is opened in the browser', { timeout: 180_000 }, async (t) => {
    const folder = ownFolder();
    const file = join(folder, 'opened');
    writeFileSync(join(folder, 'browser'), '#!/bin/sh\nprintf %s "$1" >part && mv part opened\n', { mode: 0o755 });
    const opened = new Promise((resolve) => {
        const watcher = watch(folder, () => {
            if (!existsSync(file)) return;
            watcher.close();
            resolve(readFileSync(file, 'utf8'));
        });
    });
    const options = { cwd: folder, env: { ...process.env, HOME: folder, XDG_STATE_HOME: folder, BROWSER: join(folder, 'browser') } };
    const link = await withFreePort(async (port) => {
        const args = ['inspect', '--port', String(port), '--', program('everything')];
        const url = await startAndFind(t, program('tenon'), args, /^(http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+)$/, options);
        assert.equal(new URL(url).port, String(port));
        return url;
    });
    t.after(() => remove(folder));
    assert.equal(await opened, link);
});

test('a server is chosen on the page, and connected again in another era', async (t) => {
    const page = await openInspect(t, browser, [], { state: 'not connected' });
    await page.getByLabel('URL or command').fill(program('everything'));
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.locator('dl.facts .badge').getByText('modern').waitFor();
    await page.getByLabel('Era').selectOption('legacy');
    await page.getByRole('button', { name: 'Reconnect' }).click();
    await page.locator('dl.facts .badge').getByText('legacy').waitFor();
    await page.getByRole('button', { name: 'Compare eras' }).click();
    await page.getByRole('heading', { name: 'Both eras' }).waitFor();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.locator('.target').getByText('connected', { exact: true }).waitFor({ state: 'detached' });
    assert.deepEqual(page.problems, []);
});

test('a server that does not start says so', async (t) => {
    const page = await openInspect(t, browser, [], { state: 'not connected' });
    await page.getByLabel('URL or command').fill('/does/not/exist');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.locator('.notice.error').first().waitFor();
});

test('a server of a project is started after the user has seen its entry', async (t) => {
    const entry = { command: process.execPath, args: [changing] };
    const folder = ownFolder();
    writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { ours: entry } }));
    const start = (scope, args) => startInspect(scope, args, folder);
    const page = await openInspect(t, browser, [], { state: 'not connected', start });
    await page.getByRole('button', { name: 'Connect to ours' }).click();
    const question = page.getByRole('group', { name: 'Start this server?' });
    await question.getByText(changing).first().waitFor();
    await question.getByRole('button', { name: 'Start it' }).click();
    await page.locator('.target').getByText('connected', { exact: true }).waitFor();
    await page.locator('.target').getByText('ours', { exact: true }).waitFor();
    await page.locator('#stderr-list').getByText('the server has started').waitFor();
    assert.deepEqual(page.problems, []);
});

test('a tool that changed asks again, and a broken rule is shown with its remedy', async (t) => {
    const page = await openInspect(t, browser, ['--era', 'legacy', '--', process.execPath, changing]);
    const dialog = page.locator('#consent-dialog');
    await call(page, 'publish', {}, null);
    await dialog.getByText('Shows a text to you').first().waitFor();
    assert.equal(await dialog.getByText('changed since you decided').count(), 0);
    await dialog.getByRole('button', { name: 'Always, as it is defined now' }).click();
    await result(page).getByText('published 1').first().waitFor();
    await page.locator('.details').getByText('Shows a text to everybody').first().waitFor();
    await call(page, 'publish', {}, null);
    await dialog.getByText('The definition of this tool changed since you decided.').waitFor();
    await dialog.getByText('Shows a text to everybody').first().waitFor();
    await dialog.getByRole('button', { name: 'Never' }).click();
    await result(page).getByText('not sent').waitFor();

    await page.locator('#views .badge.warn').getByText('1', { exact: false }).waitFor();
    await show(page, 'history');
    await page.getByLabel('Verdict').selectOption('broken');
    await page.waitForFunction(() => document.getElementById('history-status').textContent === '1 message match');
    await page.locator('.message-row.broken').click();
    await page.locator('.details .verdict').getByText('Remedy:').waitFor();
    await page.locator('.details .verdict').getByText(/^RPC-/).waitFor();
    await page.locator('.details').getByText('nobody asked').first().waitFor();
    await page.getByRole('button', { name: 'Pin' }).click();
    await page.locator('.message-row').getByText('pinned').waitFor({ state: 'attached' });
    assert.deepEqual(page.problems, []);
});

test('a decision of an earlier run is listed, and can be taken back', async (t) => {
    const folder = ownFolder();
    const start = (scope, args) => startInspect(scope, args, folder);
    const target = ['--', program('everything')];
    const before = await openInspect(t, browser, target, { start });
    await call(before, 'echo', { message: 'one' }, 'Always');
    await result(before).getByText('one').first().waitFor();

    const page = await openInspect(t, browser, target, { start });
    await show(page, 'tools', 'echo');
    await page.locator('#tools-list').getByText('always allowed').waitFor();
    await show(page, 'consent');
    await page.getByText('an earlier run').waitFor();
    await page.getByRole('button', { name: 'Revoke the decision about echo' }).click();
    await page.getByText('No standing decisions').waitFor();
    await call(page, 'echo', { message: 'two' }, 'Refuse');
    await result(page).getByText('not sent').waitFor();
    assert.deepEqual([...before.problems, ...page.problems], []);
});

for (const era of ['legacy', 'modern'])
    test(`a call runs as a task, and gives its result later, ${era}`, async (t) => {
        const page = await openInspect(t, browser, ['--era', era, '--', program('tasks')]);
        await show(page, 'tools', 'compute');
        await page.locator('.details [data-id="/seconds"] > [data-role="control"]').fill('2');
        await page.getByLabel('as a task').check();
        await page.getByRole('button', { name: 'Call', exact: true }).click();
        await page.getByRole('button', { name: 'Allow once' }).click();
        await page.getByText('This runs as a task.').waitFor();
        await page.locator('section.result').getByRole('link', { name: 'Live' }).click();
        await page.getByRole('button', { name: 'Refresh tasks' }).click();
        await page.locator('.live-call').getByText('completed').waitFor(); // the page follows it
        await page.locator('.live-call').getByRole('button', { name: 'Result' }).click();
        await page.locator('.live-call').getByText('computed for 2 s').waitFor();
    });

test('a tap holds a message, and sends it on as it was changed', async (t) => {
    let client;
    const start = async (scope, args) => {
        const tap = await startTap(scope, args);
        client = tap.client;
        return tap.url;
    };
    const page = await openInspect(t, browser, ['--', program('everything')], { start });
    await show(page, 'tap');
    await page.getByRole('textbox', { name: 'Method' }).fill('tools/call');
    await page.getByRole('button', { name: 'Add breakpoint' }).click();
    await page.getByRole('button', { name: 'Remove the breakpoint tools/call' }).waitFor();
    client.send({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    });
    assert.equal((await client.next()).id, 1);
    client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    client.send({
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'echo', arguments: { message: 'from the client' } },
    });
    const card = page.locator('[data-held]').first();
    const text = await card.locator('textarea').inputValue();
    await card.locator('textarea').fill(text.replace('from the client', 'changed on the page'));
    await card.getByRole('button', { name: 'Send on' }).click();
    await page.locator('[data-held]').first().getByText('server → client').waitFor();
    await page.getByRole('button', { name: 'Send on' }).click();
    assert.equal((await client.next()).result.content[0].text, 'changed on the page');
});
