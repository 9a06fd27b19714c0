// Takes the pictures of the documentation: node screenshots.mjs [FOLDER]. Not part of the tests: a picture is not the same on
// every machine. Needs build/bin/tenon and build/bin/everything, or TENON_BIN.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launch, openInspect, show } from './browser.mjs';

const folder = process.argv[2] ?? fileURLToPath(new URL('../../docs/images', import.meta.url));
mkdirSync(folder, { recursive: true });

const ends = [];
const scope = { after: (run) => ends.unshift(run) };
const browser = await launch();

const picture = async (page, name) => {
    await page.evaluate(() => {
        document.getElementById('announce').textContent = '';
    });
    await page.screenshot({ path: `${folder}/inspect-${name}.png` });
};
const control = (page, id) => page.locator(`.details [data-id="${id}"] > [data-role="control"]`);

async function callWeather(page) {
    await show(page, 'tools', 'weather');
    await control(page, '/city').fill('Bern');
    await control(page, '/days').fill('2');
    await page.waitForSelector('tn-editor[data-valid="true"]');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.waitForSelector('#consent-dialog');
}

const openHere = (options) =>
    openInspect(scope, browser, ['--', 'everything'], { width: 1120, height: 680, ...options });

/** The way of a new user, in both themes. */
async function take() {
    const page = await openHere({});
    await page.waitForSelector('.card');
    await picture(page, 'server');
    await callWeather(page);
    await picture(page, 'consent');
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.waitForSelector('section.result');
    await show(page, 'tools', 'ask_user');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByRole('link', { name: 'Answer' }).click();
    await page.waitForSelector('.question tn-editor[data-valid="false"]');
    await picture(page, 'question');
    await page.getByRole('button', { name: 'Decline' }).click();
    await show(page, 'history');
    await page.waitForSelector('.message-row time');
    await page.locator('.message-row', { hasText: 'tools/call' }).last().click();
    await page.waitForSelector('.details article');
    await picture(page, 'history');
}

async function takeDark() {
    const page = await openHere({ scheme: 'dark' });
    await callWeather(page);
    await page.getByRole('button', { name: 'For this session' }).click();
    await page.waitForSelector('section.result');
    await page.evaluate(() => document.getElementById('main').scrollTo(0, 0));
    await picture(page, 'tools');
}

try {
    await take();
    await takeDark();
    const small = await openHere({ width: 380, height: 700 });
    await callWeather(small);
    await small.getByRole('button', { name: 'Allow once' }).click();
    await small.waitForSelector('section.result');
    await small.locator('section.result').scrollIntoViewIfNeeded();
    await picture(small, 'small');
} finally {
    for (const end of ends) await end();
    await browser.close();
}
