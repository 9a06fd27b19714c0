// Takes the pictures of the documentation, on the way of a new user. A picture is not the same on every machine, so a test run
// throws them away. To renew them: TENON_PICTURES=docs/images tests/inspect/run.sh pictures_test.mjs build/bin
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, openInspect, show } from './browser.mjs';
import { call, result } from './steps.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
let browser, folder;
before(async () => {
    folder = process.env.TENON_PICTURES ? resolve(root, process.env.TENON_PICTURES) : mkdtempSync(join(tmpdir(), 'tenon-pictures-'));
    browser = await launch();
});
after(async () => {
    await browser?.close();
    if (!process.env.TENON_PICTURES) rmSync(folder, { recursive: true, force: true });
});

async function picture(page, name) {
    await page.evaluate(() => {
        document.getElementById('announce').textContent = '';
    });
    await page.screenshot({ path: join(folder, `inspect-${name}.png`) });
}

const openHere = (t, options) => openInspect(t, browser, ['--', 'everything'], { width: 1120, height: 680, ...options });

async function callWeather(page, decision) {
    await call(page, 'weather', { city: 'Bern', days: '2' }, decision);
    if (decision) await result(page).locator('table').waitFor();
    else await page.waitForSelector('#consent-dialog');
}

test('in the light: the server, a decision, a question, and the history', async (t) => {
    const page = await openHere(t, {});
    await page.locator('.last-words').waitFor();
    await picture(page, 'server');
    await callWeather(page, null);
    await picture(page, 'consent');
    await page.getByRole('button', { name: 'Allow once' }).click();
    await result(page).locator('table').waitFor();
    await call(page, 'ask_user');
    await page.getByRole('link', { name: 'Answer' }).click();
    await page.waitForSelector('.question tn-editor[data-valid="false"]');
    await picture(page, 'question');
    await page.getByRole('button', { name: 'Decline' }).click();
    await show(page, 'history');
    await page.locator('.message-row', { hasText: 'tools/call' }).last().click();
    await page.waitForSelector('.details article');
    await picture(page, 'history');
});

test('in the dark: a tool and its result', async (t) => {
    const page = await openHere(t, { scheme: 'dark' });
    await callWeather(page, 'For this session');
    await page.evaluate(() => document.getElementById('main').scrollTo(0, 0));
    await picture(page, 'tools');
});

test('on a small screen: a result', async (t) => {
    const page = await openHere(t, { width: 380, height: 700 });
    await callWeather(page, 'Allow once');
    await result(page).scrollIntoViewIfNeeded();
    await picture(page, 'small');
});

test('every picture of the documentation was taken', () => {
    const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => join('docs', name))].filter((name) => name.endsWith('.md'));
    const shown = pages.flatMap((name) => [...readFileSync(join(root, name), 'utf8').matchAll(/images\/(inspect-\w+\.png)\)/g)].map((one) => one[1]));
    const taken = readdirSync(folder);
    assert.ok(shown.length >= 3, shown.join());
    for (const name of shown) assert.ok(taken.includes(name), name);
});
