// 100,000 messages of a real server in the real program: they scroll from end to end, can be filtered, and the browser needs at
// most 150 MiB for the page.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, openInspect, show } from './browser.mjs';
import { heap, MIB, processMemory } from './memory.mjs';
import { program, startTap } from './program.mjs';

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
