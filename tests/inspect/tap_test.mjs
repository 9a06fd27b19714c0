// The tap for a server with a URL: the official TypeScript clients speak to the address that is printed, in both eras.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, openInspect, show } from './browser.mjs';
import { startHttp, startInspect } from './program.mjs';

const sdk = fileURLToPath(new URL('../interop/node_modules/@modelcontextprotocol/client', import.meta.url));
let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

/** Starts a tap, and opens its page. Resolves to the page, and to the address that the page shows for clients. */
async function openTap(t) {
    const url = await startHttp(t);
    const page = await openInspect(t, browser, ['--tap', url], { start: startInspect });
    await show(page, 'tap');
    return { page, address: await page.locator('.banner .big-address code').innerText() };
}

/** Connects an official client to an address. Resolves to the client, and to the function that ends its session. */
async function connect(t, way, address) {
    const { connect: open } = await import(new URL(`../interop/ways/${way}.mjs`, import.meta.url).href);
    const server = { url: new URL(address), stderr: '', beforeStop: [] };
    const client = await open(t, 'everything', { server });
    return { client, end: () => Promise.all(server.beforeStop.map((one) => one())) };
}

async function breakpoint(page, direction, method) {
    await page.getByLabel('Direction').selectOption(direction);
    await page.getByRole('textbox', { name: 'Method' }).fill(method);
    await page.getByRole('button', { name: 'Add breakpoint' }).click();
    await page.getByRole('button', { name: `Remove the breakpoint ${method}` }).waitFor();
}

for (const way of ['v1_http', 'v2_http', 'v2_http_legacy'])
    test(`an official client works through a tap: ${way}`, async (t) => {
        if (!existsSync(sdk)) return t.skip('the npm packages of tests/interop are not installed');
        const { page, address } = await openTap(t);
        const { client, end } = await connect(t, way, address);
        const echo = async (message) =>
            (await client.callTool({ name: 'echo', arguments: { message } })).content[0].text;

        await t.test('calls and progress pass', async () => {
            const seen = [];
            const counted = await client.callTool(
                { name: 'count', arguments: { to: 10 } },
                ...(way === 'v1_http' ? [undefined] : []),
                { onprogress: (one) => seen.push(one.progress) },
            );
            assert.match(counted.content[0].text, /counted to 10/);
            assert.ok(seen.length > 0);
            assert.equal(await echo('through the tap'), 'through the tap');
        });
        await t.test('the page shows the HTTP requests and the messages, and no rule is broken', async () => {
            const post = page.locator('ol.steps > li', { hasText: 'POST' }).first();
            await post.locator('summary').click();
            await post.getByText('mcp-protocol-version').first().waitFor();
            await show(page, 'history');
            await page.locator('.filters [aria-label="Method"]').fill('tools/call');
            await page.waitForFunction(() => /^[4-9] messages match$|^\d\d/.test(document.getElementById('history-status').textContent));
            assert.equal(await page.locator('.message-row.broken').count(), 0);
            await show(page, 'tap');
        });
        await t.test('a request is held, and sent on as it was changed', async () => {
            await breakpoint(page, 'sent', 'tools/call');
            const answer = echo('from the client');
            const card = page.locator('[data-held]').first();
            const text = await card.locator('textarea').inputValue();
            await card.locator('textarea').fill(JSON.stringify(JSON.parse(text.replace('from the client', 'by the user')), null, 2));
            await card.getByRole('button', { name: 'Send on' }).click();
            assert.equal(await answer, 'by the user');
            await page.getByRole('button', { name: 'Remove the breakpoint tools/call' }).click();
            await page.getByText('No breakpoints: every message passes.').waitFor();
        });
        await t.test('a response is held, and sent on as it was changed', async () => {
            await breakpoint(page, 'received', 'tools/call');
            const answer = echo('of the server');
            const card = page.locator('[data-held]').first();
            await card.getByText('server → client').waitFor();
            const text = await card.locator('textarea').inputValue();
            await card.locator('textarea').fill(text.replace('of the server', 'by the user'));
            await card.getByRole('button', { name: 'Send on' }).click();
            assert.equal(await answer, 'by the user');
            await page.getByRole('button', { name: 'Remove the breakpoint tools/call' }).click();
        });
        await t.test('the end of a session passes', async () => {
            await end();
            if (way !== 'v2_http') await page.locator('ol.steps > li', { hasText: 'DELETE' }).waitFor();
        });
        assert.deepEqual(page.problems, []);
        return undefined;
    });
