// More of the page on the real program: choosing a server, both eras, the checker, apps, and the tap.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, openInspect, show } from './browser.mjs';
import { program, startTap } from './program.mjs';

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

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

for (const era of ['legacy', 'modern'])
    test(`a call runs as a task, and gives its result later, ${era}`, async (t) => {
        const page = await openInspect(t, browser, ['--era', era, '--', program('tasks')]);
        await show(page, 'tools', 'compute');
        await page.locator('.details [data-id="/seconds"] > [data-role="control"]').fill('0');
        await page.getByLabel('as a task').check();
        await page.getByRole('button', { name: 'Call', exact: true }).click();
        await page.getByRole('button', { name: 'Allow once' }).click();
        await page.getByText('This runs as a task.').waitFor();
        await page.locator('section.result').getByRole('link', { name: 'Live' }).click();
        await page.getByRole('button', { name: 'Refresh tasks' }).click();
        await page.locator('.live-call').getByText('completed').waitFor();
        await page.locator('.live-call').getByRole('button', { name: 'Result' }).click();
        await page.locator('.live-call').getByText('computed for 0 s').waitFor();
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
