// Takes the pictures of the documentation: node screenshots.mjs [FOLDER]. Not part of the tests: a picture is not the same on
// every machine. Needs build/bin/tenon and build/bin/everything, or TENON_BIN.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launch, openInspect, show } from './browser.mjs';
import { program } from './program.mjs';

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

async function take(scheme) {
    const page = await openInspect(scope, browser, ['--', program('everything')], { scheme, height: 800 });
    await page.waitForSelector('.card');
    await picture(page, `server-${scheme}`);
    await callWeather(page);
    await picture(page, `consent-${scheme}`);
    await page.getByRole('button', { name: 'For this session' }).click();
    await page.waitForSelector('section.result');
    await page.locator('.details h2').first().scrollIntoViewIfNeeded();
    await picture(page, `tools-${scheme}`);
    await show(page, 'tools', 'ask_user');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByRole('link', { name: 'Answer' }).click();
    await page.waitForSelector('.question tn-editor');
    await picture(page, `question-${scheme}`);
    await page.getByRole('button', { name: 'Decline' }).click();
    await show(page, 'history');
    await page.waitForSelector('.message-row time');
    await page.locator('.message-row', { hasText: 'tools/call' }).last().click();
    await page.waitForSelector('.details article');
    await picture(page, `history-${scheme}`);
}

try {
    await take('light');
    await take('dark');
    const small = await openInspect(scope, browser, ['--', program('everything')], { width: 380, height: 760 });
    await callWeather(small);
    await small.getByRole('button', { name: 'Allow once' }).click();
    await small.waitForSelector('section.result');
    await small.locator('section.result').scrollIntoViewIfNeeded();
    await picture(small, 'small');
} finally {
    for (const end of ends) await end();
    await browser.close();
}
