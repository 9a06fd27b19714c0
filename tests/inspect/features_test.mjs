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

test('the checker runs from the page, and its report can be saved', async (t) => {
    const page = await openInspect(t, browser, ['--', program('everything')]);
    await show(page, 'check');
    await page.getByText('Not checked yet.').waitFor();
    await page.getByLabel('Generated calls for each tool').fill('1');
    await page.getByRole('button', { name: 'Run the check' }).click();
    await page.getByText('The server keeps every rule that was tried.').waitFor();
    const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as HTML' }).click(),
    ]);
    assert.equal(file.suggestedFilename(), 'tenon-check.html');
    await show(page, 'server');
    await page.locator('.card', { hasText: 'Conforms?' }).getByText('yes').waitFor();
});

test('an app runs in its frame, and sees the result of its tool', async (t) => {
    const page = await openInspect(t, browser, ['--', program('app')]);
    if (!(await page.locator('meta[name="tenon-apps"]').getAttribute('content')))
        return t.skip('this program has no port for apps');
    await show(page, 'tools', 'roll');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.waitForSelector('section.result');
    await page.getByRole('link', { name: 'ui://dice/view' }).click();
    await page.getByRole('button', { name: 'Open the app' }).click();
    await page.getByRole('button', { name: 'Allow once' }).click();
    const frame = page.frameLocator('.app-frame iframe');
    await page.locator('.app-messages').getByText('ui/initialize').first().waitFor();
    await page.locator('.app-messages').getByText('to the app').first().waitFor();
    const initialized = { jsonrpc: '2.0', method: 'ui/notifications/initialized' }; // the example does not say it
    await frame.locator('body').evaluate((_, message) => parent.postMessage(message, '*'), initialized);
    await frame.locator('#eyes').getByText('4').waitFor();
    const sandbox = await page.locator('.app-frame iframe').getAttribute('sandbox');
    assert.equal(sandbox, 'allow-scripts allow-forms');
    const origins = await page.evaluate(() => [
        location.origin,
        new URL(document.querySelector('.app-frame iframe').src).origin,
    ]);
    assert.notEqual(origins[0], origins[1]);
    return undefined;
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
