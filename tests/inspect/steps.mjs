// What a user does on the page, for tests on the real program: the ways to reach a server, and calls of tools.
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
