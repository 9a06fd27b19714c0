// The tap between the official TypeScript clients and `everything`, over HTTP and stdio, in both eras.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, openInspect, show } from './browser.mjs';
import { program, startHttp, startInspect } from './program.mjs';

const PATIENCE = 600_000; // of the clients: the page holds a call, and a loaded machine is slow
const sdk = fileURLToPath(new URL('../interop/node_modules/@modelcontextprotocol/client', import.meta.url));
let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

const ways = (name) => import(new URL(`../interop/ways/${name}.mjs`, import.meta.url).href);

/** A tap for a server with a URL: the client speaks to the address that the page shows. */
async function tapHttp(t, way) {
    const url = await startHttp(t);
    const page = await openInspect(t, browser, ['--tap', url], { start: startInspect });
    await show(page, 'tap');
    const address = await page.locator('.banner .big-address code').innerText();
    const server = { url: new URL(address), stderr: '', beforeStop: [] };
    const client = await (await ways(way)).connect(t, 'everything', { server });
    return { page, client, end: () => Promise.all(server.beforeStop.map((one) => one())) };
}

/** A tap for a command: the client starts the tap instead of its server. */
async function tapStdio(t, way) {
    const folder = mkdtempSync(join(tmpdir(), 'tenon-inspect-'));
    const tap = [program('tenon'), 'inspect', '--tap', '--no-open', '--', program('everything')];
    const args = [`HOME=${folder}`, `XDG_STATE_HOME=${folder}`, ...tap];
    const client = await (await ways(way)).connect(t, 'everything', { command: 'env', args });
    t.after(() => rmSync(folder, { recursive: true, force: true })); // after the end of the tap
    const url = () => /http:\/\/\S+token=\S+(?=\n)/.exec(client.stderr)?.[0];
    while (!url()) await once(client.transport.stderr, 'data'); // it may come after the first response
    const page = await openInspect(t, browser, [], { start: url });
    await show(page, 'tap');
    return { page, client, end: () => client.close() };
}

async function breakpoint(page, direction, method) {
    await page.getByLabel('Direction').selectOption(direction);
    await page.getByRole('textbox', { name: 'Method' }).fill(method);
    await page.getByRole('button', { name: 'Add breakpoint' }).click();
    await page.getByRole('button', { name: `Remove the breakpoint ${method}` }).waitFor();
}

for (const way of ['v1_http', 'v2_http', 'v2_http_legacy', 'v1_stdio', 'v2_stdio', 'v2_stdio_legacy'])
    test(`an official client works through a tap: ${way}`, async (t) => {
        if (!existsSync(sdk)) return t.skip('the npm packages of tests/interop are not installed');
        const http = way.includes('http');
        const { page, client, end } = await (http ? tapHttp : tapStdio)(t, way);
        const call = (params, options) => client.callTool(params, ...(way.startsWith('v1') ? [undefined] : []), options);
        const echo = async (message) =>
            (await call({ name: 'echo', arguments: { message } }, { timeout: PATIENCE })).content[0].text;

        await t.test('calls and progress pass', async () => {
            const seen = [];
            const onprogress = (one) => seen.push(one.progress);
            const counted = await call({ name: 'count', arguments: { to: 10 } }, { onprogress, timeout: PATIENCE });
            assert.match(counted.content[0].text, /counted to 10/);
            assert.ok(seen.length > 0);
            assert.equal(await echo('through the tap'), 'through the tap');
        });
        await t.test('the page shows what was sent, and no rule is broken', async () => {
            if (http) {
                const post = page.locator('ol.steps > li', { hasText: 'POST' }).first();
                await post.locator('summary').click();
                // The newest request comes first, so another one may have taken its place.
                await page.locator('ol.steps').getByText('mcp-protocol-version').locator('visible=true').first().waitFor();
            }
            await show(page, 'history');
            await page.locator('.filters [aria-label="Method"]').fill('tools/call');
            await page.waitForFunction(() => /^([4-9]|\d\d+) messages match$/.test(document.getElementById('history-status').textContent));
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
            if (http && way !== 'v2_http') await page.locator('ol.steps > li', { hasText: 'DELETE' }).waitFor();
        });
        assert.deepEqual(page.problems, []);
        return undefined;
    });
