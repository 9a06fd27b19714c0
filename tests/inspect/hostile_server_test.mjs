// The real program between a hostile server and the browser, and between hostile web pages and the inspector: no script runs,
// nothing is fetched, nothing passes for text of the page, and nothing but the page itself gets an answer.
// rules: SEC-1, SEC-2
import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, openInspect, show } from './browser.mjs';
import { inspect, openAll } from './hostile_checks.mjs';
import { hostile } from './hostile_server.mjs';
import { program, startNode } from './program.mjs';

const script = fileURLToPath(new URL('hostile_server.mjs', import.meta.url));
let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

const WAYS = {
    stdio: () => ['--era', 'legacy', '--', process.execPath, script],
    HTTP: async (t) => ['--era', 'legacy', await startNode(t, [script, '--http'], /serving (http:\S+)/)],
};

/** Records every request of the page, and every dialog and window that it opens. */
function watch(page) {
    const seen = { requested: [], problems: [] };
    page.on('request', (one) => seen.requested.push(one.url()));
    page.on('dialog', (dialog) => seen.problems.push(`dialog ${dialog.message()}`));
    page.context().on('page', (other) => seen.problems.push(`a window ${other.url()}`));
    return seen;
}

async function allow(page, button) {
    await page.getByRole('button', { name: button, exact: true }).click();
    const dialog = page.locator('#consent-dialog');
    await dialog.waitFor();
    await inspect(page, `${button}: consent`);
    await dialog.getByRole('button', { name: 'Allow once' }).click();
}

for (const [way, argumentsOf] of Object.entries(WAYS))
    test(`everything that a hostile server says over ${way} stays text`, async (t) => {
        const page = await openInspect(t, browser, await argumentsOf(t));
        const seen = watch(page);
        const { origin } = new URL(page.url());
        const look = async (view, argument) => {
            await show(page, view, argument);
            if (argument !== undefined) await page.waitForSelector('.details article');
            await openAll(page);
            await inspect(page, view);
        };
        await page.locator('dl.facts').getByText('tracker.example').first().waitFor();
        await look('server');
        await look('tools', hostile);
        await look('resources', `note://${hostile}`);
        await look('templates', 'note://tracker.example/{a}');
        await look('prompts', hostile);

        await show(page, 'resources', 'javascript:hacked=1//tracker.example');
        await page.waitForSelector('.details article');
        await allow(page, 'Read');
        await page.waitForSelector('section.result');
        await openAll(page);
        await inspect(page, 'a resource');

        await show(page, 'prompts', hostile);
        await page.getByRole('button', { name: 'Get prompt' }).click();
        await page.waitForSelector('section.result');
        await openAll(page);
        await inspect(page, 'a prompt');

        await show(page, 'tools', hostile);
        await page.waitForSelector('.details article');
        await page.locator('.json-text').fill('{}');
        await allow(page, 'Call');
        await show(page, 'questions');
        for (const kind of ['form', 'url', 'sampling'])
            await page.locator(`.question[data-kind="${kind}"]`).first().waitFor();
        await openAll(page);
        await inspect(page, 'questions');
        await show(page, 'tools', hostile);
        await page.waitForSelector('section.result');
        await openAll(page);
        await inspect(page, 'a result');
        const links = await page
            .locator('section.result a[href]')
            .evaluateAll((all) => all.map((one) => one.getAttribute('href')).filter((href) => !href.startsWith('#/')));
        assert.deepEqual(links, [], 'no address of the server is a link');

        for (const view of ['live', 'history', 'consent', 'check', 'signin', 'apps']) await look(view);
        await show(page, 'history');
        await page.locator('.filters [aria-label="Method"]').fill('tools/call');
        await page.waitForFunction(() => /match$/.test(document.getElementById('history-status').textContent));
        await page.locator('.message-row').last().click();
        await page.waitForSelector('.details article');
        await openAll(page);
        await inspect(page, 'a message');
        await page.keyboard.press('Control+k');
        await page.waitForSelector('#palette');
        await inspect(page, 'palette');

        const elsewhere = seen.requested.filter(
            (url) => !url.startsWith(`${origin}/`) && !/^(?:data:(?:image|audio)\/|blob:)/.test(url),
        );
        assert.deepEqual(elsewhere, [], 'nothing is fetched');
        assert.deepEqual([...seen.problems, ...page.problems], []);
        assert.equal(page.context().pages().length, 1);
    });

/** Sends a request as a program would, with any headers. Resolves to its status. */
const statusOf = (url, options = {}, body = '') =>
    new Promise((resolve, reject) => {
        const sent = request(url, options, (response) => {
            response.resume();
            resolve(response.statusCode);
        });
        sent.on('error', reject);
        sent.end(body);
    });

test('other sites, other ports, requests without Origin and a used link get nothing', async (t) => {
    const page = await openInspect(t, browser, ['--', program('everything')]);
    const { origin, host } = new URL(page.url());
    const [cookie] = await page.context().cookies();
    const key = await page.locator('meta[name="tenon-key"]').getAttribute('content');
    const login = `${cookie.name}=${cookie.value}`;
    const post = (headers) =>
        statusOf(`${origin}/api/status`, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } }, '{}');
    const all = { Cookie: login, 'X-Tenon-Key': key, Origin: origin };

    assert.equal(await post(all), 200, 'the page itself');
    assert.equal(await post({ ...all, Origin: 'https://evil.example' }), 403);
    assert.equal(await post({ ...all, Origin: 'null' }), 403);
    assert.equal(await post({ ...all, Origin: `http://127.0.0.1:${Number(new URL(origin).port) + 1}` }), 403);
    assert.equal(await post({ ...all, Host: 'evil.example' }), 403, 'DNS rebinding');
    assert.equal(await post({ ...all, Host: `localhost.evil.example:${new URL(origin).port}` }), 403);
    assert.equal(await post({ 'X-Tenon-Key': key }), 403, 'no cookie and no Origin');
    assert.equal(await post({ Cookie: login }), 403, 'no key and no Origin');
    assert.equal(await post({ ...all, 'X-Tenon-Key': 'wrong' }), 403);
    assert.equal(await post({ ...all, 'Content-Type': 'text/plain' }), 415, 'a form of another site');
    assert.equal(await statusOf(page.used), 403, 'a used link');
    assert.equal(await statusOf(`${origin}/?token=wrong`), 403);
    assert.equal(await statusOf(`${origin}/`), 403);
    assert.equal(await statusOf(`${origin}/app.js`), 403);
    assert.equal(host, new URL(page.used).host);
});

test('a web page on another port of this machine cannot reach the inspector', async (t) => {
    const page = await openInspect(t, browser, ['--', program('everything')]);
    const { origin } = new URL(page.url());
    const evil = createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end('<!DOCTYPE html><title>evil</title>');
    });
    await new Promise((resolve) => evil.listen(0, '127.0.0.1', resolve));
    t.after(() => evil.close());
    const other = await page.context().newPage(); // the same browser, so it has the cookie
    const statuses = new Map();
    other.on('response', (response) => {
        const { pathname } = new URL(response.url());
        if (response.url().startsWith(origin)) statuses.set(`${response.request().method()} ${pathname}`, response.status());
    });
    await other.goto(`http://127.0.0.1:${evil.address().port}/`);
    const got = await other.evaluate(async (target) => {
        const attempt = async (work) => {
            try {
                return await work();
            } catch (error) {
                return `refused: ${error.name}`;
            }
        };
        const load = (tag, src) =>
            new Promise((resolve) => {
                const element = document.createElement(tag);
                element.onload = () => resolve('loaded');
                element.onerror = () => resolve('refused');
                element.src = src;
                document.body.append(element);
            });
        return {
            read: await attempt(async () => (await fetch(`${target}/api/status`, { method: 'POST', credentials: 'include', body: '{}' })).text()),
            blind: await attempt(async () => (await fetch(`${target}/api/disconnect`, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' })).type),
            script: await load('script', `${target}/app.js`),
            image: await load('img', `${target}/icon.svg`),
        };
    }, origin);
    assert.match(got.read, /^refused/);
    assert.deepEqual([got.script, got.image], ['refused', 'refused']);
    await other.evaluate((target) => {
        const frame = document.createElement('iframe');
        frame.src = `${target}/`;
        document.body.append(frame);
        return new Promise((resolve) => (frame.onload = resolve));
    }, origin);
    for (const [what, status] of statuses) assert.equal(status, 403, what);
    assert.ok(statuses.has('GET /'), [...statuses.keys()].join());
    await page.locator('.target').getByText('connected', { exact: true }).waitFor(); // the blind request did nothing
});
