// 100,000 messages of a real server in the real program: they scroll from end to end, can be filtered, and the browser needs at
// most 150 MiB for the page.
// A result of several MiB is shown in part.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, openInspect, show } from './browser.mjs';
import { heap, MIB, processMemory } from './memory.mjs';
import { program, startTap } from './program.mjs';
import { call, result } from './steps.mjs';

const COUNT = 100_000;
const PINGS = COUNT / 2; // each has a response
const BATCH = 1000;
let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

test('100,000 messages of a real server scroll from end to end', async (t) => {
    let client;
    const start = async (scope, args) => {
        const tap = await startTap(scope, args);
        client = tap.client;
        return tap.url;
    };
    const page = await openInspect(t, browser, ['--', program('everything')], { start });
    await show(page, 'history');
    // A ping needs no introduction in legacy revisions.
    for (let first = 1; first <= PINGS; first += BATCH) {
        for (let id = first; id < first + BATCH; ++id) client.send({ jsonrpc: '2.0', id, method: 'ping' });
        for (let id = first; id < first + BATCH; ++id) await client.next();
    }
    const status = (text) =>
        page.waitForFunction((start) => document.getElementById('history-status').textContent.startsWith(start), text);
    const scrollTo = (part) =>
        page.evaluate((p) => {
            const list = document.getElementById('history-list');
            list.scrollTop = p * (list.scrollHeight - list.clientHeight);
        }, part);
    const rowIs = (number) =>
        page.waitForFunction(
            (n) => [...document.querySelectorAll('.col-number')].some((one) => one.textContent === String(n)),
            number,
        );
    await status(`${COUNT} messages`);
    await scrollTo(0);
    await rowIs(1);
    for (const part of [0.25, 0.5, 0.75, 0.1, 0.9]) {
        await scrollTo(part);
        await rowIs(Math.round(part * (COUNT - 20)) + 10);
    }
    for (let step = 0; step <= 60; ++step) await scrollTo(step / 60);
    await scrollTo(1);
    await rowIs(COUNT);
    assert.ok((await page.locator('.list-row').count()) < 100);

    await page.getByLabel('Kind').selectOption('response');
    await status(`${PINGS} messages match`);
    await scrollTo(0);
    await scrollTo(1);
    await rowIs(COUNT);

    const used = await heap(page);
    const whole = await processMemory(browser);
    console.log(`the page uses ${(used / MIB).toFixed(1)} MiB, its process ${(whole / MIB).toFixed(1)} MiB`);
    assert.ok(used <= 150 * MIB, `${used} bytes`);
    assert.ok(whole <= 150 * MIB, `the process has ${whole} bytes`);
    assert.deepEqual(page.problems, []);
});

test('of a result of several MiB the page shows a part, and offers the rest', async (t) => {
    const server = fileURLToPath(new URL('big_server.mjs', import.meta.url));
    const page = await openInspect(t, browser, ['--', process.execPath, server]);
    await call(page, 'big');
    const shown = result(page);
    await shown.getByText('line 0 of a long text').first().waitFor();
    assert.ok((await shown.locator('*').count()) < 3000, 'a part of the rows and of the text');
    await shown.getByRole('button', { name: /^Show more: \d+ rows/ }).first().click();
    await page.waitForFunction(() => document.querySelectorAll('section.result tbody tr').length === 200);
    const text = () => shown.evaluate((one) => one.textContent.length);
    const before = await text();
    await shown.getByRole('button', { name: /^Show more: .* are hidden$/ }).last().click();
    await page.waitForFunction((old) => document.querySelector('section.result').textContent.length > old, before);
    assert.ok((await text()) < MIB, 'the rest of the text is still offered');
    await page.getByLabel('Search tools').fill('nothing has this name'); // the page still works
    await page.getByText(/^0 of 1 tools?$/).waitFor();
    assert.deepEqual(page.problems, []);
});
