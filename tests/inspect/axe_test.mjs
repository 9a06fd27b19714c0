// axe-core on every view of the real program, after real use: in light and dark, at 1280 and at 380 pixels.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { violations } from './axe.mjs';
import { launch, openInspect, show } from './browser.mjs';
import { program, startTap } from './program.mjs';
import { call, result, runCheck } from './steps.mjs';

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

/** Each theme and each width once: no style depends on both. */
const LOOKS = [
    ['light', 1280],
    ['dark', 380],
];

/** Checks what the page shows in every look. At 380 pixels nothing may be wider than the page. */
async function check(page, where) {
    for (const [colorScheme, width] of LOOKS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await violations(page), [], `${where}, ${colorScheme}, ${width} pixels`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${where}: ${wide} of ${width} pixels`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
}

async function settled(page, view, argument, ready) {
    await show(page, view, argument);
    await page.locator(ready).first().waitFor();
}

/** Each has a program of its own, so that none takes long. */
const PARTS = {
    'the server, and the comparison of both eras': async (page) => {
        await page.getByRole('button', { name: 'Compare eras' }).click();
        await page.getByRole('heading', { name: 'Both eras' }).waitFor();
        await check(page, 'server');
    },
    'a tool: its form, the question for consent, its result': async (page) => {
        await call(page, 'weather', { city: 'Bern', days: '2' }, null);
        await page.waitForSelector('#consent-dialog');
        await check(page, 'consent dialog');
        await page.locator('#consent-dialog').getByRole('button', { name: 'For this session' }).click();
        await result(page).locator('table').waitFor();
        await check(page, 'weather');
        await call(page, 'mixed');
        await result(page).locator('img').waitFor();
        await check(page, 'mixed');
        await call(page, 'fail');
        await result(page).getByText('the tool reports an error').waitFor();
        await check(page, 'fail');
    },
    'resources, templates and prompts': async (page) => {
        await settled(page, 'resources', 'note://welcome', '.details article');
        await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
        await page.getByRole('button', { name: 'Unsubscribe' }).waitFor();
        await check(page, 'resources');
        await settled(page, 'templates', 'note://{folder}/{name}', '.details article');
        await check(page, 'templates');
        await settled(page, 'prompts', 'simple', '.details article');
        await page.getByRole('button', { name: 'Get prompt' }).click();
        await result(page).getByText('This is a simple prompt.').waitFor();
        await check(page, 'prompts');
    },
    'a question, and what is open': async (page) => {
        await call(page, 'ask_user');
        await settled(page, 'questions', '', '.question tn-editor[data-valid="false"]');
        await check(page, 'questions');
        await settled(page, 'live', '', '.live-call');
        await check(page, 'live');
        await show(page, 'questions');
        await page.getByRole('button', { name: 'Decline' }).click();
        await page.getByText('The server asks nothing.').waitFor();
        await check(page, 'answered');
    },
    'history, consent and check': async (page) => {
        await settled(page, 'history', '1', '.details article');
        await page.locator('.message-row time').first().waitFor();
        await check(page, 'history');
        await call(page, 'weather', { city: 'Bern' }, 'For this session');
        await result(page).locator('table').waitFor();
        await show(page, 'consent');
        await page.getByRole('button', { name: 'Revoke the decision about weather' }).waitFor();
        await check(page, 'consent');
        await runCheck(page);
        await check(page, 'check');
    },
    'the views without content': async (page) => {
        for (const view of ['signin', 'apps']) {
            await settled(page, view, '', `#view-${view} h1`);
            await check(page, view);
        }
    },
};
for (const [part, use] of Object.entries(PARTS))
    test(`axe finds nothing: ${part}`, async (t) => {
        const page = await openInspect(t, browser, ['--', program('everything')]);
        await use(page);
        assert.deepEqual(page.problems, []);
    });

test('axe finds nothing on the page of a tap', async (t) => {
    let client;
    const start = async (scope, args) => {
        const tap = await startTap(scope, args);
        client = tap.client;
        return tap.url;
    };
    const page = await openInspect(t, browser, ['--', program('everything')], { start });
    await show(page, 'tap');
    await page.getByRole('textbox', { name: 'Method' }).fill('ping');
    await page.getByRole('button', { name: 'Add breakpoint' }).click();
    await page.getByRole('button', { name: 'Remove the breakpoint ping' }).waitFor();
    client.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    await page.locator('[data-held]').first().waitFor();
    await check(page, 'tap');
    await page.locator('[data-held]').first().getByRole('button', { name: 'Drop' }).click();
    await page.getByText('No message waits.').waitFor();
    assert.deepEqual(page.problems, []);
});
