// What a user does besides calling: switch and compare eras, run the checker, export and repeat messages, compare results, save
// and copy calls, use an app. On the real program, over stdio and HTTP, in both eras.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, openInspect, show } from './browser.mjs';
import { call, control, exportHistory, result, runCheck, waysTo } from './steps.mjs';

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

const REVISIONS = { modern: '2026-07-28', legacy: '2025-11-25' };

async function reconnect(page, era) {
    await page.getByLabel('Era', { exact: true }).selectOption(era);
    await page.getByRole('button', { name: 'Reconnect' }).click();
    await page.locator('dl.facts .badge').getByText(era).waitFor();
    await page.locator('dl.facts').getByText(REVISIONS[era], { exact: true }).first().waitFor();
}

/** Copies by a button, and resolves to the text of the clipboard. */
async function copied(page, label) {
    await page.getByRole('button', { name: label }).click();
    const done = page.getByRole('button', { name: 'Copied' });
    await done.waitFor();
    await done.blur(); // it gets its own name again
    return page.evaluate(() => navigator.clipboard.readText());
}

for (const [name, argumentsOf] of Object.entries(waysTo('everything')))
    test(`everything over ${name}`, async (t) => {
        const page = await openInspect(t, browser, await argumentsOf(t));
        const era = name.endsWith('modern') ? 'modern' : 'legacy';

        await t.test('the eras are compared, and another one is chosen', async () => {
            await page.getByRole('button', { name: 'Compare eras' }).click();
            const both = page.getByRole('region', { name: 'Both eras' });
            await both.getByRole('heading', { name: 'Both eras' }).waitFor();
            for (const revision of Object.values(REVISIONS))
                await both.locator('.side').getByText(revision, { exact: true }).waitFor();
            assert.equal(await both.getByText('This era does not work').count(), 0);
            await reconnect(page, era === 'modern' ? 'legacy' : 'modern');
            await reconnect(page, era);
        });
        await t.test('the checker runs, and its report can be saved', async () => {
            const { html, report } = await runCheck(page);
            assert.match(html, /^<!doctype html>/i);
            const failed = report.findings.filter((one) => one.outcome === 'fail');
            assert.deepEqual(failed.map((one) => `${one.rule}: ${one.detail}`), []);
            assert.equal(report.incomplete ?? '', '');
            assert.ok(report.summary.passed > 50, `${report.summary.passed} passed`);
            await page.getByText('The server keeps every rule that was tried.').waitFor();
            assert.equal(await page.locator('#report .verdict').count(), report.summary.warnings, 'only what is wrong');
            await page.getByText(`${report.summary.passed} rules passed`).waitFor();
            // A check takes the newest revision. The page says so when that is not what the connection uses.
            await page.locator('#report').getByText(`Checked: ${REVISIONS.modern}`, { exact: true }).waitFor();
            const other = page.locator('#report').getByText('The legacy era was not checked');
            assert.equal(await other.count(), era === 'legacy' ? 1 : 0);
            await show(page, 'server');
            await page.locator('.card', { hasText: 'Conforms?' }).getByText('yes').waitFor();
        });
        await t.test('two results are compared', async () => {
            for (const message of ['one of two', 'two of two']) {
                await call(page, 'echo', { message });
                await result(page).getByText(message).first().waitFor();
            }
            await page.getByText('Earlier results (1)').click();
            await page.getByRole('button', { name: /^Compare/ }).click();
            assert.match(await page.locator('.diff-removed').first().innerText(), /one of two/);
            assert.match(await page.locator('.diff-added').first().innerText(), /two of two/);
        });
        await t.test('arguments are saved, and a call is copied in every form', async () => {
            await page.getByRole('button', { name: 'Save', exact: true }).click();
            await control(page, '/message').fill('something else');
            await page.getByLabel('Saved examples').selectOption({ index: 1 });
            assert.deepEqual(JSON.parse(await page.locator('.json-text').inputValue()), { message: 'two of two' });
            assert.match(await copied(page, 'Copy as tenon call'), /^tenon call .*echo.*two of two/s);
            assert.match(await copied(page, 'Copy as C++'), /two of two.*call_tool\("echo"/s);
            if (name.startsWith('HTTP'))
                return assert.match(await copied(page, 'Copy as curl'), /^(?:# .*\n)?curl .*two of two/s);
            await page.getByRole('button', { name: 'Copy as curl' }).click(); // there is no URL
            return page.getByRole('button', { name: 'Not copied' }).waitFor();
        });
        await t.test('a message is found, and sent again after consent', async () => {
            await show(page, 'history');
            await page.getByLabel('Search messages').fill('one of two');
            await page.waitForFunction(() => /match$/.test(document.getElementById('history-status').textContent));
            const row = page.locator('.message-row', { hasText: 'request' });
            await row.click();
            await page.getByRole('link', { name: 'its response' }).waitFor();
            await page.getByRole('button', { name: 'Send again' }).click();
            const dialog = page.locator('#consent-dialog');
            await dialog.getByText('one of two').first().waitFor();
            await dialog.getByRole('button', { name: 'Allow once' }).click();
            await row.nth(1).waitFor();
            const received = page.locator('.message-row', { hasText: 'response' }).last();
            assert.match(await received.locator('.col-size').innerText(), /\d/);
            assert.match(await received.locator('.col-ms').innerText(), /\d/);
        });
        await t.test('the messages are exported', async () => {
            await page.getByLabel('Search messages').fill('two of two');
            await page.waitForFunction(() => /^2 messages match$/.test(document.getElementById('history-status').textContent));
            const { json, har } = await exportHistory(page);
            assert.deepEqual(json.messages.map((one) => one.direction), ['sent', 'received']);
            assert.ok(json.messages.every((one) => JSON.stringify(one).includes('two of two')));
            assert.equal(har.log.version, '1.2');
            assert.equal(har.log.entries.length, 1, 'a request and its response');
            const [{ request, response, time }] = har.log.entries;
            assert.match(request.postData.text, /tools\/call.*two of two|two of two.*tools\/call/s);
            assert.match(response.content.text, /two of two/);
            assert.ok(time > 0);
        });
        assert.deepEqual(page.problems, []);
    });

for (const [name, argumentsOf] of Object.entries(waysTo('app')))
    test(`an app runs in its frame, and sees the result of its tool, over ${name}`, async (t) => {
        const page = await openInspect(t, browser, await argumentsOf(t));
        await page.getByRole('heading', { name: 'Extensions' }).waitFor();
        await call(page, 'roll');
        await page.waitForSelector('section.result');
        await page.getByRole('link', { name: 'ui://dice/view' }).click();
        await page.getByRole('button', { name: 'Open the app' }).click();
        await page.getByRole('button', { name: 'Allow once' }).click();
        const frame = page.frameLocator('.app-frame iframe');
        await page.locator('.app-messages').getByText('ui/initialize').first().waitFor();
        await page.locator('.app-messages').getByText('to the app').first().waitFor();
        const post = (message) =>
            frame.locator('body').evaluate((_, one) => parent.postMessage({ jsonrpc: '2.0', ...one }, '*'), message);
        await post({ method: 'ui/notifications/initialized' }); // the example does not say it
        await frame.locator('#eyes').getByText('4').waitFor();
        assert.equal(await page.locator('.app-frame iframe').getAttribute('sandbox'), 'allow-scripts allow-forms');
        const origins = await page.evaluate(() => [
            location.origin,
            new URL(document.querySelector('.app-frame iframe').src).origin,
        ]);
        assert.notEqual(origins[0], origins[1]);
        await post({ id: 7, method: 'tools/call', params: { name: 'reset', arguments: {} } });
        const dialog = page.locator('#consent-dialog');
        await dialog.getByText('reset').first().waitFor(); // an app needs consent too
        await dialog.getByRole('button', { name: 'Allow once' }).click();
        await page.locator('.app-messages').getByText('tools/call').first().waitFor();
        assert.deepEqual(page.problems, []);
    });
