// Whole numbers of more than 53 bits keep every digit between the form, the server and the page.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, openInspect, show } from './browser.mjs';
import { call, control, exportHistory, result } from './steps.mjs';

const script = fileURLToPath(new URL('numbers_server.mjs', import.meta.url));
const [first, second] = ['9007199254740993', '18446744073709551615'];
let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

const json = (page) => page.locator('.json-text').inputValue();

test('every digit of a large number arrives, and is shown', async (t) => {
    const page = await openInspect(t, browser, ['--era', 'legacy', '--', process.execPath, script]);

    await t.test('from the form to the server, and back', async () => {
        await call(page, 'copy', { n: first }, null);
        await page.locator('#consent-dialog .sends').getByText(first).waitFor();
        await page.locator('#consent-dialog').getByRole('button', { name: 'For this session' }).click();
        await result(page).getByText(`read ${first}`).first().waitFor();
        await result(page).locator('td').getByText(first, { exact: true }).waitFor();
        await result(page).getByRole('button', { name: 'As a tree' }).click();
        await result(page).locator('.json-number').getByText(first, { exact: true }).waitFor();
    });
    await t.test('from the JSON beside the form', async () => {
        assert.match(await json(page), new RegExp(first));
        await page.locator('.json-text').fill(`{"n": ${second}}`);
        await page.waitForSelector('tn-editor[data-valid="true"]');
        assert.equal(await control(page, '/n').inputValue(), second);
        await page.getByRole('button', { name: 'Call', exact: true }).click();
        await result(page).getByText(`read ${second}`).first().waitFor();
    });
    await t.test('in the comparison of two results', async () => {
        await page.getByText('Earlier results (1)').click();
        await page.getByRole('button', { name: /^Compare/ }).click();
        await page.locator('.diff-removed').getByText(`"n": ${first}`).waitFor();
        await page.locator('.diff-added').getByText(`"n": ${second}`).waitFor();
    });
    await t.test('in saved examples, also after the page is loaded again', async () => {
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.reload();
        await page.getByLabel('Saved examples').selectOption({ index: 1 });
        assert.equal(await control(page, '/n').inputValue(), second);
        assert.match(await json(page), new RegExp(second));
    });
    await t.test('in copied calls', async () => {
        for (const label of ['Copy as tenon call', 'Copy as C++']) {
            await page.getByRole('button', { name: label }).click();
            const done = page.getByRole('button', { name: 'Copied' });
            await done.waitFor();
            assert.match(await page.evaluate(() => navigator.clipboard.readText()), new RegExp(second));
            await done.blur();
        }
    });
    await t.test('in the history, and when a message is sent again', async () => {
        await show(page, 'history');
        await page.getByLabel('Search messages').fill(`"n":${second}`);
        const rows = page.locator('.message-row', { hasText: 'request' });
        await page.waitForFunction(() => /^2 messages match$/.test(document.getElementById('history-status').textContent));
        await rows.first().click();
        await page.locator('.details .json-number').getByText(second, { exact: true }).waitFor();
        await page.getByRole('button', { name: 'Send again' }).click();
        await rows.nth(1).waitFor();
        const { json: exported } = await exportHistory(page);
        assert.ok(JSON.stringify(exported).includes(second));
    });
    await t.test('a number that cannot be sent exactly is not sent', async () => {
        await show(page, 'tools', 'copy');
        for (const text of ['18446744073709551616', '1e400']) {
            await page.locator('.json-text').fill(`{"n": ${text}}`);
            await page.waitForSelector('tn-editor[data-valid="false"]');
            await page.locator('.editor-left').getByText('too large to be sent exactly').waitFor();
            await page.getByRole('button', { name: 'Call', exact: true }).click();
            await page.locator('.notice.error').getByText('too large to be sent exactly').waitFor();
        }
    });
    assert.deepEqual(page.problems, []);
});
