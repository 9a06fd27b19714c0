// Signing in at a real authorisation server (oidc-provider): each step is shown without its secrets, and can be repeated.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, newContext, openInspect, show } from './browser.mjs';
import { program, startAndFind, startNode, withFreePort } from './program.mjs';

const authority = fileURLToPath(new URL('../interop/authority/authority.mjs', import.meta.url));
const sayPort = new URL('../interop/servers/say_port.mjs', import.meta.url).href;
const provider = fileURLToPath(new URL('../interop/node_modules/oidc-provider', import.meta.url));
let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

/** Starts the protected example. Its own URL is one of its arguments, so its port must be chosen before. */
const startProtected = (t, issuer) =>
    withFreePort((port) => {
        const url = `http://127.0.0.1:${port}/mcp`;
        return startAndFind(t, program('protected'), [issuer, url, String(port)], /serving (http:\S+)/);
    });

const items = (page, title) => page.locator('ol.steps > li', { hasText: title });
const connected = (page) => page.locator('.target').getByText('connected', { exact: true }).waitFor();

/** Opens the page of the authorisation server as the user does. That page agrees by itself, and sends the browser back. */
async function agree(t, page, known) {
    const link = page.locator('.banner .big-address a');
    await page.waitForFunction(
        (old) => {
            const href = document.querySelector('.banner .big-address a')?.href;
            return href !== undefined && href !== old;
        },
        known ?? null,
    );
    const href = await link.getAttribute('href');
    const context = await newContext(browser);
    const other = await context.newPage();
    await other.goto(href);
    await context.close();
    return href;
}

async function signIn(t, era) {
    if (!existsSync(provider)) return t.skip('the npm packages of tests/interop are not installed');
    const port = await startNode(t, ['--import', sayPort, authority], /listening on port (\d+)/, {
        stdio: 'pipe', // it ends with its input
    });
    const issuer = `http://127.0.0.1:${port}`;
    const url = await startProtected(t, issuer);
    const page = await openInspect(t, browser, ['--era', era, url], { state: /connect/ });
    await show(page, 'signin');
    let link = await agree(t, page);
    await connected(page);
    const grants = async () => (await fetch(`${issuer}/grants`)).json();

    await t.test('the steps are there, without secrets', async () => {
        await items(page, 'Find out where to sign in').first().waitFor();
        await items(page, 'Get a token').first().waitFor(); // the last step: now all are there
        assert.equal(await items(page, 'Register this client').count(), 1);
        assert.equal(await items(page, 'Ask you').count(), 1);
        assert.equal(await items(page, 'Get a token').count(), 1);
        for (const details of await page.locator('ol.steps details').all())
            await details.evaluate((one) => (one.open = true));
        const text = await page.locator('ol.steps').innerText();
        assert.match(text, /"access_token":\s*"\*\*\*"/);
        assert.match(text, /code=\*\*\*/);
        assert.match(text, /code_verifier=\*\*\*/);
        assert.ok(!/eyJ[A-Za-z0-9_-]{20}/.test(text), 'a token is on the page');
    });
    await t.test('the steps survive a reload of the page', async () => {
        await page.reload();
        await connected(page);
        await show(page, 'signin');
        await items(page, 'Get a token').first().waitFor();
        assert.equal(await items(page, 'Register this client').count(), 1);
    });
    await t.test('the token is renewed without the user', async () => {
        await page.getByLabel('The first step to repeat').selectOption('refresh');
        await page.getByRole('button', { name: 'Repeat', exact: true }).click();
        await items(page, 'Renew the token').first().waitFor();
        await connected(page);
        assert.equal((await grants()).at(-1), 'refresh_token');
        assert.equal(await items(page, 'Ask you').count(), 1);
    });
    await t.test('repeating from the user keeps the registration', async () => {
        const item = items(page, 'Ask you').first();
        await item.locator('summary').click();
        await item.getByRole('button', { name: 'Repeat from this step' }).click();
        link = await agree(t, page, link);
        await items(page, 'Get a token').nth(1).waitFor();
        await connected(page);
        assert.equal(await items(page, 'Register this client').count(), 1);
    });
    await t.test('repeating from the registration registers again', async () => {
        const item = items(page, 'Register this client').first();
        await item.locator('summary').click();
        await item.getByRole('button', { name: 'Repeat from this step' }).click();
        link = await agree(t, page, link);
        await items(page, 'Get a token').nth(2).waitFor();
        await connected(page);
        assert.equal(await items(page, 'Register this client').count(), 2);
    });
    await t.test('repeating from the start asks for everything', async () => {
        await page.getByLabel('The first step to repeat').selectOption('metadata');
        await page.getByRole('button', { name: 'Repeat', exact: true }).click();
        link = await agree(t, page, link);
        await items(page, 'Get a token').nth(3).waitFor();
        await connected(page);
        assert.equal(await items(page, 'Register this client').count(), 3);
        assert.equal((await grants()).filter((one) => one === 'authorization_code').length, 4);
    });
    assert.deepEqual(page.problems, []);
    return undefined;
}

for (const era of ['legacy', 'modern'])
    test(`each step of a sign-in is shown, and can be repeated, ${era}`, (t) => signIn(t, era));
