// The page on the real program and the example server `everything`: over stdio and HTTP, in both eras.
// rules: TOOL-15, SEC-1, SEC-2
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, newContext, openInspect, show } from './browser.mjs';
import { program, startInspect } from './program.mjs';
import { call, control, result, waysTo } from './steps.mjs';

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

for (const [name, argumentsOf] of Object.entries(waysTo('everything')))
    test(`everything over ${name}`, async (t) => {
        const page = await openInspect(t, browser, await argumentsOf(t));
        const modern = name.endsWith('modern');

        await t.test('the server says what it is', async () => {
            await page
                .locator('dl.facts')
                .getByText(modern ? '2026-07-28' : '2025-11-25', { exact: true })
                .first()
                .waitFor();
            await page
                .locator('dl.facts .badge')
                .getByText(modern ? 'modern' : 'legacy')
                .waitFor();
            await page.locator('.card', { hasText: 'Tools' }).getByText('echo, add').waitFor();
            await page.locator('.last-words').getByText('breaks no rule').waitFor();
            await page.locator('.card', { hasText: 'Allowed' }).getByText('nothing was asked yet').waitFor();
        });
        await t.test('a tool runs after consent, with arguments of the form', async () => {
            await call(page, 'weather', { city: 'Bern', days: '2' });
            await result(page).getByText('Bern').first().waitFor();
            await result(page).locator('table').getByText('19.5').waitFor();
        });
        await t.test('a tool is found, and its hints are claims of the server', async () => {
            await show(page, 'tools');
            await page.getByLabel('Search tools').fill('adds two');
            await page.getByText(/^1 of \d+ tools$/).waitFor();
            await page.locator('#tools-list .list-row').click();
            await page.locator('.details h2').getByText('add', { exact: true }).waitFor();
            await page.locator('.details .claims').getByText('claimed by the server:').waitFor();
            await show(page, 'tools', 'weather');
        });
        await t.test('Tenon says what is wrong while one types', async () => {
            await control(page, '/days').fill('9');
            await page.waitForSelector('tn-editor[data-valid="false"]');
            assert.match(await page.locator('[data-id="/days"] .field-error').innerText(), /7/);
        });
        await t.test('a refused call is not sent', async () => {
            await call(page, 'picture', {}, 'Refuse');
            await result(page).getByText('not sent').waitFor();
        });
        await t.test('all kinds of content are shown', async () => {
            await call(page, 'mixed');
            await result(page).locator('img').waitFor();
            await result(page).getByText('note://welcome').waitFor();
            await result(page).getByText('embedded resource').waitFor();
            await call(page, 'sound');
            await result(page).locator('audio').waitFor();
            await call(page, 'fail');
            await result(page).getByText('the tool reports an error').waitFor();
        });
        await t.test('a running call shows its progress and can be cancelled', async () => {
            await call(page, 'count', { to: '100000' });
            await page
                .locator('.progress')
                .getByText(/of 100000/)
                .waitFor();
            await page.locator('.pending').getByRole('button', { name: 'Cancel' }).click();
            await page.waitForSelector('section.result');
        });
        await t.test('a form of the server is answered', async () => {
            await call(page, 'ask_user');
            await page.getByRole('link', { name: 'Answer' }).click();
            const card = page.locator('.question[data-kind="form"]');
            await card.locator('[data-id="/name"] > [data-role="control"]').fill('Ada');
            await card.locator('[data-id="/age"] > [data-role="control"]').fill('36');
            await card.locator('tn-editor[data-valid="true"]').waitFor();
            await card.getByRole('button', { name: 'Send', exact: true }).click();
            await show(page, 'tools', 'ask_user');
            await result(page).getByText('Ada is 36').waitFor();
        });
        await t.test('resources are read, and their changes are seen', async () => {
            await show(page, 'resources', 'note://welcome');
            await page.getByRole('button', { name: 'Read', exact: true }).click();
            await page.locator('#consent-dialog').getByRole('button', { name: 'Allow once' }).click();
            await result(page).getByText('Welcome to Tenon.').waitFor();
            await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
            await page.getByRole('button', { name: 'Unsubscribe' }).waitFor();
            await call(page, 'touch', { uri: 'note://welcome' });
            await show(page, 'resources', 'note://welcome');
            await page.getByText(/^1 change; /).waitFor();
        });
        await t.test('templates and prompts are completed and filled in', async () => {
            await show(page, 'templates', 'note://{folder}/{name}');
            await page.locator('[data-argument="folder"]').fill('a');
            await page.waitForFunction(() => document.querySelector('datalist option')?.value === 'attic');
            await page.locator('[data-argument="folder"]').fill('attic');
            await page.locator('[data-argument="name"]').fill('old');
            await page.getByText('note://attic/old').first().waitFor();
            await page.getByRole('button', { name: 'Read', exact: true }).click();
            await page.locator('#consent-dialog').getByRole('button', { name: 'Allow once' }).click();
            await result(page).getByText('attic holds old').waitFor();
            await show(page, 'prompts', 'simple');
            await page.getByRole('button', { name: 'Get prompt' }).click();
            await result(page).getByText('This is a simple prompt.').waitFor();
        });
        await t.test('a changed list is seen', async () => {
            await call(page, 'grow', { name: 'sprout' });
            await page.locator('#tools-list').getByText('sprout').waitFor();
        });
        await t.test('a decision holds until it is revoked', async () => {
            await call(page, 'echo', { message: 'one' }, 'For this session');
            await result(page).getByText('one').first().waitFor();
            await call(page, 'echo', { message: 'two' }, null);
            await result(page).getByText('two').first().waitFor();
            await show(page, 'consent');
            await page.getByRole('button', { name: 'Revoke the decision about echo' }).click();
            await page.getByText('No standing decisions').waitFor();
            await call(page, 'echo', { message: 'three' });
            await result(page).getByText('three').first().waitFor();
            await show(page, 'consent');
            const past = page.locator('.decided');
            await past.getByText(/allowed once call the tool echo$/).waitFor();
            await past.getByText(/allowed for this session call the tool echo$/).waitFor();
            await past.getByText(/refused call the tool picture$/).waitFor();
            await past.getByText(/allowed once read note:\/\/welcome$/).waitFor();
            await show(page, 'server');
            await page.locator('.card', { hasText: 'Allowed' }).getByText('last: allowed echo').waitFor();
        });
        await t.test('every message is in the history, with its verdict', async () => {
            await show(page, 'history');
            await page.locator('.filters [aria-label="Method"]').fill('tools/call');
            await page.waitForFunction(() => /match$/.test(document.getElementById('history-status').textContent));
            await page.locator('.message-row').first().click();
            await page.locator('.details h2').waitFor();
            await page.getByRole('button', { name: 'Pin' }).click();
            await page.getByRole('button', { name: 'Unpin' }).waitFor();
            assert.equal(await page.locator('.message-row.broken').count(), 0);
        });
        await t.test('a call can be copied', async () => {
            await show(page, 'tools', 'echo');
            await control(page, '/message').fill('hi');
            await page.getByRole('button', { name: 'Copy as tenon call' }).click();
            await page.getByRole('button', { name: 'Copied' }).waitFor();
            assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^tenon call .*echo/s);
        });
        assert.deepEqual(page.problems, []);
    });

/** Each view has a key. The view of a tap is only on the page of a tap. */
const KEYS_OF_VIEWS = '234567890oa1';

test('everything is used with the keyboard only', async (t) => {
    const page = await openInspect(t, browser, ['--', program('everything')]);
    const { keyboard } = page;
    const focused = (what) => page.waitForFunction((selector) => document.activeElement.matches(selector), what);
    const chooseTool = async (name) => {
        await keyboard.press('Escape'); // leaves a field
        await keyboard.press('Control+k');
        await page.waitForSelector('dialog[open]');
        await keyboard.type(name);
        await page.locator('dialog[open]').getByText(name, { exact: true }).first().waitFor();
        await keyboard.press('Enter');
        await page.waitForFunction((hash) => location.hash === hash, `#/tools/${name}`);
        await page.locator('.details h2').getByText(name, { exact: true }).waitFor();
    };
    /** Moves with Tab until the element has the focus. A page where it cannot be reached fails by its bound. */
    const tabTo = async (selector) => {
        for (let steps = 0; steps < 200; ++steps) {
            if (await page.evaluate((one) => document.activeElement.matches(one), selector)) return;
            await keyboard.press('Tab');
        }
        assert.fail(`${selector} is not reached with Tab`);
    };
    const runAndDecide = async () => {
        await page.waitForSelector('tn-editor[data-valid="true"]');
        await keyboard.press('Control+Enter');
        await page.waitForSelector('#consent-dialog');
        await focused('[data-decision="once"]');
        await keyboard.press('Enter');
    };

    await t.test('every view is reached', async () => {
        const reached = new Set();
        for (const key of KEYS_OF_VIEWS) {
            const before = await page.evaluate(() => location.hash);
            await keyboard.press(key);
            await page.waitForFunction((old) => location.hash !== old, before);
            reached.add(await page.evaluate(() => location.hash));
        }
        assert.equal(reached.size, KEYS_OF_VIEWS.length, [...reached].join(' '));
    });
    await t.test('a form is filled in, and the call is allowed', async () => {
        await chooseTool('weather');
        await tabTo('.details [data-id="/city"] > [data-role="control"]');
        await keyboard.type('Bern');
        await runAndDecide();
        await result(page).getByText('Bern').first().waitFor();
    });
    await t.test('a running call is cancelled', async () => {
        await chooseTool('count');
        await tabTo('.details [data-id="/to"] > [data-role="control"]');
        await keyboard.press('Control+a');
        await keyboard.type('100000');
        await runAndDecide();
        await page.locator('.progress').getByText(/of 100000/).waitFor();
        await tabTo('.pending button');
        await keyboard.press('Enter');
        await result(page).getByText(/cancel/i).first().waitFor();
    });
    assert.deepEqual(page.problems, []);
});

test('a page without a server, a server that does not start, and a program that has ended: the page says so', async (t) => {
    const ends = [];
    const start = (_, args) => startInspect({ after: (end) => ends.push(end) }, args);
    const stop = async () => {
        while (ends.length) await ends.shift()();
    };
    t.after(stop);
    const page = await openInspect(t, browser, [], { start, state: 'not connected' });
    await page.getByText('No server is connected').waitFor();
    await show(page, 'tools');
    await page.getByText('Connect to a server first').waitFor();
    await show(page, 'server');
    await page.getByLabel('Command').fill('no_such_program_of_tenon');
    await page.getByRole('button', { name: 'Connect', exact: true }).last().click();
    await page.getByText('The connection failed').waitFor();
    await stop();
    await page.getByText('The program does not answer; trying again.').waitFor();
    await page.getByText('program not reachable').waitFor();
    assert.deepEqual(page.problems, []);
});

test('a link works once', async (t) => {
    const page = await openInspect(t, browser, ['--', program('everything')]);
    const context = await newContext(browser);
    t.after(() => context.close());
    const other = await context.newPage();
    const response = await other.goto(page.used);
    assert.equal(response.status(), 403);
});
