// What a user does on the page, for tests on the real program: the ways to reach a server, and calls of tools.
import { readFileSync } from 'node:fs';
import { show } from './browser.mjs';
import { program, startHttp } from './program.mjs';

/** The arguments of `tenon inspect` for one of our example servers, over stdio and HTTP, in both eras. */
export const waysTo = (name) => ({
    'stdio, modern': () => ['--era', 'modern', '--', program(name)],
    'stdio, legacy': () => ['--era', 'legacy', '--', program(name)],
    'HTTP, modern': async (t) => ['--era', 'modern', await startHttp(t, name)],
    'HTTP, legacy': async (t) => ['--era', 'legacy', await startHttp(t, name)],
});

export const control = (page, id) => page.locator(`.details [data-id="${id}"] > [data-role="control"]`);
export const result = (page) => page.locator('section.result').first();

/** Calls a tool with the form, and makes the decision, unless it is null. */
export async function call(page, tool, values = {}, decision = 'Allow once') {
    await show(page, 'tools', tool);
    await page.locator('.details h2').getByText(tool, { exact: true }).waitFor();
    for (const [name, value] of Object.entries(values)) await control(page, `/${name}`).fill(value);
    await page.waitForSelector('tn-editor[data-valid="true"]');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    if (decision) await page.locator('#consent-dialog').getByRole('button', { name: decision }).click();
}

/** Clicks a button that saves a file. Resolves to the text of the file. */
export async function download(page, name) {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
    return readFileSync(await file.path(), 'utf8');
}

/** Runs the checker with one generated call for each tool. Resolves to both reports that can be saved. */
export async function runCheck(page) {
    await show(page, 'check');
    await page.getByText('Not checked yet.').waitFor();
    await page.getByLabel('Generated calls for each tool').fill('1');
    await page.getByRole('button', { name: 'Run the check' }).click();
    await page.waitForSelector('#report');
    return {
        html: await download(page, 'Save as HTML'),
        report: JSON.parse(await download(page, 'Save as JSON')),
    };
}

/** Saves the messages that the history shows, in both formats. */
export async function exportHistory(page) {
    return {
        json: JSON.parse(await download(page, 'Export JSON')),
        har: JSON.parse(await download(page, 'Export HAR')),
    };
}
