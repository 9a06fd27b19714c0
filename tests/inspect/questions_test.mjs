// Questions of real servers on the real program: forms, pages, sampling, roots, log levels and tasks with input; over stdio
// and HTTP, in both eras.
// rules: SEC-1, SEC-2
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, openInspect, show } from './browser.mjs';
import { call, result, waysTo } from './steps.mjs';

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

/** Calls a tool that asks. Resolves to the card of its question. */
async function ask(page, tool, kind, values = {}) {
    await call(page, tool, values, 'Allow once');
    await show(page, 'questions');
    const card = page.locator(`.question[data-kind="${kind}"]`);
    await card.waitFor();
    return card;
}

/** Waits for the result of a tool. */
async function answered(page, tool, text) {
    await show(page, 'tools', tool);
    await result(page).getByText(text).first().waitFor();
}

// The command reads the request as JSON on its standard input, and writes the answer.
const SAMPLER = ['--sample-command', 'grep -o pong'];

for (const [name, argumentsOf] of Object.entries(waysTo('everything')))
    test(`questions over ${name}`, async (t) => {
        const page = await openInspect(t, browser, [...SAMPLER, ...(await argumentsOf(t))]);

        await t.test('sampling: the user writes the answer', async () => {
            const card = await ask(page, 'ask_model', 'sampling', { prompt: 'what is the answer?' });
            await card.getByText('what is the answer?').first().waitFor();
            await card.getByText('At most 100 tokens.').waitFor();
            await card.getByText(name.startsWith('HTTP') ? /^Asked by http:/ : /^Asked by .*everything/).waitFor();
            await card.getByLabel('Text').fill('forty-two');
            await card.getByRole('button', { name: 'Send', exact: true }).click();
            await answered(page, 'ask_model', 'forty-two');
        });
        await t.test('sampling: a command answers, and the user changes it', async () => {
            const card = await ask(page, 'ask_model', 'sampling', { prompt: 'say pong' });
            await card.getByRole('button', { name: 'Run the sampler' }).click();
            await page.waitForFunction(() => document.querySelector('[data-role="sample"]').value !== '');
            assert.equal(await card.getByLabel('Text').inputValue(), 'pong');
            await card.getByLabel('Text').fill('sampled, then changed');
            await card.getByRole('button', { name: 'Send', exact: true }).click();
            await answered(page, 'ask_model', 'sampled, then changed');
        });
        await t.test('sampling: a refusal is an error of the call', async () => {
            const card = await ask(page, 'ask_model', 'sampling', { prompt: 'no' });
            await card.getByRole('button', { name: 'Refuse' }).click();
            await answered(page, 'ask_model', /refused/);
        });
        await t.test('a form can be declined', async () => {
            const card = await ask(page, 'ask_user', 'form');
            await card.getByRole('button', { name: 'Decline' }).click();
            await answered(page, 'ask_user', 'no answer');
        });
        await t.test('a page is shown with its whole address, and is not opened by itself', async () => {
            const card = await ask(page, 'ask_page', 'url');
            assert.equal(await card.locator('a').first().getAttribute('href'), 'https://example.com/sign-in');
            await card.getByRole('button', { name: 'I agree' }).click();
            await answered(page, 'ask_page', 'signed in');
            assert.equal(page.context().pages().length, 1);
        });
        await t.test('a page can be declined', async () => {
            const card = await ask(page, 'ask_page', 'url');
            await card.getByRole('button', { name: 'Decline' }).click();
            await answered(page, 'ask_page', 'not signed in');
        });
        await t.test('only the roots that the user chose are shared', async () => {
            await show(page, 'questions');
            for (const uri of ['file:///tmp/shared', 'file:///tmp/private']) {
                await page.getByLabel('Folder as a file: URI').fill(uri);
                await page.getByRole('button', { name: 'Add', exact: true }).click();
                await page.getByRole('button', { name: `Remove ${uri}` }).waitFor();
            }
            const card = await ask(page, 'ask_roots', 'roots');
            await card.getByLabel('file:///tmp/private').uncheck();
            await card.getByRole('button', { name: 'Send', exact: true }).click();
            await answered(page, 'ask_roots', 'file:///tmp/shared');
            assert.equal(await result(page).getByText('file:///tmp/private').count(), 0);
        });
        await t.test('the server logs from the level that the user chose', async () => {
            const level = async (name) => {
                await page.locator('[data-role="log-level"]').selectOption(name);
                await page.getByText(`The server sends log messages from ${name}.`).waitFor();
            };
            await show(page, 'live');
            await level('error');
            await call(page, 'chat');
            await page.waitForSelector('section.result');
            await show(page, 'live');
            await page.locator('#log-list').getByText('emergency', { exact: true }).waitFor();
            assert.equal(await page.locator('#log-list').getByText('warning', { exact: true }).count(), 0);
            await level('debug');
            await call(page, 'chat');
            await show(page, 'live');
            await page.locator('#log-list').getByText('warning', { exact: true }).first().waitFor();
        });
        await t.test('a decision never to sample is kept, and listed', async () => {
            const card = await ask(page, 'ask_model', 'sampling', { prompt: 'never' });
            await card.getByRole('button', { name: 'Never' }).click();
            await answered(page, 'ask_model', /refused/);
            await show(page, 'consent');
            await page.getByRole('button', { name: 'Revoke the decision about sampling' }).waitFor();
        });
        await t.test('what was answered is listed', async () => {
            await show(page, 'questions');
            const list = page.getByRole('region', { name: 'Answered' });
            await list.getByText('sampling: decline').first().waitFor();
            await list.getByText('url: accept').first().waitFor();
        });
        assert.deepEqual(page.problems, []);
    });

for (const [name, argumentsOf] of Object.entries(waysTo('tasks')))
    test(`a task asks the user, over ${name}`, async (t) => {
        const page = await openInspect(t, browser, await argumentsOf(t));
        await show(page, 'tools', 'greet');
        await page.getByLabel('as a task').check();
        await page.getByRole('button', { name: 'Call', exact: true }).click();
        await page.getByRole('button', { name: 'Allow once' }).click();
        await page.getByText('This runs as a task.').waitFor();
        await show(page, 'live');
        await page.getByRole('button', { name: 'Refresh tasks' }).click();
        const task = page.locator('.live-call', { hasText: 'greet' }).first();
        if (name.endsWith('modern')) {
            await task.getByText('The task asks:').waitFor();
            await task.locator('[data-id="/name"] > [data-role="control"]').fill('Ada');
            await task.locator('tn-editor[data-valid="true"]').waitFor();
            await task.getByRole('button', { name: 'Send answer' }).click();
            await task.getByText('The task asks:').waitFor({ state: 'detached' });
            await task.getByRole('button', { name: 'Result' }).click();
        } else {
            await task.getByRole('button', { name: 'Result' }).click(); // the question comes with the request for the result
            await show(page, 'questions');
            const card = page.locator('.question[data-kind="form"]');
            await card.locator('[data-id="/name"] > [data-role="control"]').fill('Ada');
            await card.locator('tn-editor[data-valid="true"]').waitFor();
            await card.getByRole('button', { name: 'Send', exact: true }).click();
            await show(page, 'live');
        }
        await page.locator('.live-call').getByText('Hello, Ada!').first().waitFor();
        assert.deepEqual(page.problems, []);
    });
