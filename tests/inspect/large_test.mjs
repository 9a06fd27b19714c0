// Long lists and large results of a fake program: new rows, filters, keys. real_large_test.mjs shows how much memory they need.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, open, show } from './browser.mjs';
import { startFake } from './fake_backend.mjs';
import { message } from './world.mjs';

const COUNT = 10_000;
let browser, fake, page;
before(async () => {
    browser = await launch();
    fake = await startFake({
        messages: Array.from({ length: COUNT }, (_, i) => message(i + 1, { text: '' })),
        tools: [{ name: 'big', inputSchema: { type: 'object' } }],
        result: () => ({
            structuredContent: { rows: Array.from({ length: 50_000 }, (_, i) => ({ i, name: `row ${i}` })) },
            content: [{ type: 'text', text: 'line of text\n'.repeat(400_000) }],
        }),
    });
    page = await open(browser, fake.url);
});
after(async () => {
    await browser?.close();
    await fake?.close();
});

const scrollTo = (part) =>
    page.evaluate((p) => {
        const list = document.getElementById('history-list');
        list.scrollTop = p * (list.scrollHeight - list.clientHeight);
    }, part);
const waitForRow = (number) =>
    page.waitForFunction(
        (n) => [...document.querySelectorAll('.col-number')].some((one) => one.textContent === String(n)),
        number,
    );

test('a long list scrolls from end to end', async () => {
    await show(page, 'history');
    await waitForRow(COUNT);
    await scrollTo(0);
    await waitForRow(1);
    for (const part of [0.5, 0.1]) {
        await scrollTo(part);
        await waitForRow(Math.round(part * (COUNT - 20)) + 10);
    }
    await scrollTo(1);
    await waitForRow(COUNT);
    assert.ok((await page.locator('.list-row').count()) < 100);
});

test('new messages appear at the end without losing the place', async () => {
    await scrollTo(1);
    await waitForRow(COUNT);
    fake.world.messages.push(message(COUNT + 1));
    fake.emit('message', message(COUNT + 1));
    await waitForRow(COUNT + 1);
    await scrollTo(0.5);
    const before = await page.evaluate(() => document.getElementById('history-list').scrollTop);
    fake.world.messages.push(message(COUNT + 2));
    fake.emit('message', message(COUNT + 2));
    await page.waitForFunction(
        (n) => document.getElementById('history-status').textContent.startsWith(`${n} `),
        COUNT + 2,
    );
    assert.equal(await page.evaluate(() => document.getElementById('history-list').scrollTop), before);
});

for (const knowsOffset of [true, false])
    test(`a filtered list can be scrolled anywhere, ${knowsOffset ? 'by the place of a row' : 'by walking through the pages'}`, async () => {
        fake.world.knowsOffset = knowsOffset;
        await page.getByLabel('Kind').selectOption('request');
        await page.getByLabel('Search messages').fill(knowsOffset ? '"id":99' : '"id":98');
        await page.waitForFunction(
            (start) => document.querySelector('.col-number')?.textContent.startsWith(start),
            knowsOffset ? '99' : '98',
        );
        await scrollTo(1);
        await waitForRow(knowsOffset ? 9_999 : 9_899);
        await page.getByLabel('Search messages').fill('');
        await page.getByLabel('Kind').selectOption('');
        await page.waitForFunction(
            (n) => document.getElementById('history-status').textContent.startsWith(`${n} `),
            fake.world.messages.length,
        );
    });

test('the keyboard moves through the list, and opens a message', async () => {
    await page.locator('#history-list').focus();
    await page.keyboard.press('Home');
    await waitForRow(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Message 2' }).waitFor();
});

test('a result of megabytes shows its beginning at once', async () => {
    await show(page, 'tools', 'big');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.waitForSelector('section.result');
    assert.ok((await page.locator('section.result *').count()) < 2000);
    await page.getByRole('button', { name: /^Show more: \d+ rows/ }).click();
    await page.waitForFunction(() => document.querySelectorAll('section.result tbody tr').length === 200);
    await page
        .getByRole('button', { name: /^Show more: .* are hidden/ })
        .last()
        .click();
    assert.deepEqual(page.problems, []);
});
