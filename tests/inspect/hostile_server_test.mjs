// The real program between a hostile server and the browser, and between hostile web pages and the inspector: no script runs,
// nothing is fetched, nothing passes for text of the page, and nothing but the page itself gets an answer.
// rules: SEC-1, SEC-2
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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

const overStdio = (era) => () => ['--era', era, '--', process.execPath, script];
const overHttp = (era) => async (t) => ['--era', era, await startNode(t, [script, '--http'], /serving (http:\S+)/)];
const WAYS = {
    'stdio, legacy': overStdio('legacy'),
    'stdio, modern': overStdio('modern'),
    'HTTP, legacy': overHttp('legacy'),
    'HTTP, modern': overHttp('modern'),
};

/** Refuses the questions of a call. Sampling comes last: a call without its answer ends, and with it the other questions. */
async function refuseAll(page) {
    for (const kind of ['form', 'url', 'sampling']) {
        const card = page.locator(`.question[data-kind="${kind}"]`);
        await card.getByRole('button', { name: /^(?:Decline|Refuse)$/ }).click();
        await card.waitFor({ state: 'detached' });
    }
}

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
        const modern = way.endsWith('modern');
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

        await show(page, 'resources', `note://${hostile}`);
        await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
        await page.getByRole('button', { name: 'Unsubscribe' }).waitFor();
        if (modern) await page.getByText(/^1 change; /).waitFor();
        await inspect(page, 'a subscription');

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
        if (modern) await refuseAll(page); // the result comes after the answers
        await show(page, 'tools', hostile);
        await page.waitForSelector('section.result');
        await openAll(page);
        await inspect(page, 'a result');
        if (modern) {
            await show(page, 'tools', 'plain');
            await page.locator('.details h2').getByText('plain', { exact: true }).waitFor();
            await allow(page, 'Call');
            await page.waitForSelector('section.result'); // a question with a script for a URL is no valid answer
            assert.equal(await page.getByRole('link', { name: 'Answer' }).count(), 0);
            await inspect(page, 'a script as a question');
            await show(page, 'tools', hostile);
            await page.waitForSelector('section.result');
        }
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

/** Every command of the program, as its documentation names them. */
const COMMANDS = [...readFileSync(new URL('../../web/API.md', import.meta.url), 'utf8').matchAll(/^\| ((?:`\w+`(?:, )?)+) \| (?:`|form|same)/gm)]
    .flatMap(([, names]) => [...names.matchAll(/\w+/g)])
    .map(([name]) => name);

test('every route refuses other origins, other sites, and requests without the cookie or the key', async (t) => {
    const page = await openInspect(t, browser, ['--', program('everything')]);
    const { origin } = new URL(page.url());
    const [cookie] = await page.context().cookies();
    const key = await page.locator('meta[name="tenon-key"]').getAttribute('content');
    const own = { Cookie: `${cookie.name}=${cookie.value}`, 'X-Tenon-Key': key, 'Content-Type': 'application/json' };
    const files = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
    const routes = [
        ...['/', '/api/events', ...files.filter((path) => !path.startsWith('/api/'))].map((path) => ['GET', path]),
        ...COMMANDS.map((name) => ['POST', `/api/${name}`]),
    ];
    assert.ok(COMMANDS.length >= 55 && COMMANDS.includes('disconnect') && COMMANDS.includes('drop'), COMMANDS.join());
    assert.ok(files.length > 40, files.join());
    const { Cookie: _, ...noCookie } = own;
    const { 'X-Tenon-Key': __, ...noKey } = own;
    const foreign = {
        'another site': { ...own, Origin: 'https://evil.example' },
        'another port': { ...own, Origin: `http://127.0.0.1:${Number(new URL(origin).port) + 1}` },
        'no origin': { ...own, Origin: 'null' },
        'a page of another port': { ...own, 'Sec-Fetch-Site': 'same-site' },
        'a page of another site': { ...own, 'Sec-Fetch-Site': 'cross-site' },
        'no cookie': noCookie,
    };
    await page.locator('.nav-size').nth(3).waitFor(); // all four lists are there, so the page sends no more by itself
    const before = await page.evaluate(stateOf);
    for (const [method, path] of routes)
        for (const [what, headers] of Object.entries(path.startsWith('/api/') ? { ...foreign, 'no key': noKey } : foreign))
            assert.equal(
                await statusOf(`${origin}${path}`, { method, headers }, method === 'POST' ? '{}' : ''),
                403,
                `${method} ${path}: ${what}`,
            );
    assert.deepEqual(await page.evaluate(stateOf), before, 'nothing was done');
});

/** What the program has done so far: its connection, its messages, its calls and its decisions. */
async function stateOf() {
    const { send } = await import('/lib/api.js');
    const { state, connection, open, last_event } = await send('status');
    const { total, last } = await send('history', { limit: 1 });
    const { decisions } = await send('decisions');
    return { state, connection, open, last_event, total, last, decisions };
}

test('a web page on another port of this machine cannot reach the inspector', async (t) => {
    const page = await openInspect(t, browser, ['--', program('everything')]);
    const { origin } = new URL(page.url());
    const evil = createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end('<!DOCTYPE html><title>evil</title>');
    });
    await new Promise((resolve) => evil.listen(0, '127.0.0.1', resolve));
    t.after(() => evil.close());
    await page.locator('.nav-size').nth(3).waitFor(); // all four lists are there, so the page sends no more by itself
    const before = await page.evaluate(stateOf);
    const other = await page.context().newPage(); // the same browser, so it has the cookie
    const statuses = await watchStatuses(other, origin);
    await other.goto(`http://127.0.0.1:${evil.address().port}/`);
    const got = await other.evaluate(attack, { target: origin, commands: COMMANDS });
    assert.match(got.read, /^refused/);
    assert.deepEqual([got.script, got.image], ['refused', 'refused']);
    await other.evaluate((target) => {
        const frame = document.createElement('iframe');
        frame.src = `${target}/`;
        document.body.append(frame);
        return new Promise((resolve) => (frame.onload = resolve));
    }, origin);
    const expected = ['GET /', 'GET /app.js', 'GET /icon.svg', ...COMMANDS.map((name) => `POST /api/${name}`)];
    await statuses.wait(expected);
    for (const [what, status] of statuses.seen) assert.equal(status, 403, what);
    assert.deepEqual(await page.evaluate(stateOf), before, 'nothing was done');
    await page.locator('.target').getByText('connected', { exact: true }).waitFor();
});

/** Records the statuses of the responses of `origin`, also of those that the browser keeps from the page. */
async function watchStatuses(page, origin) {
    const session = await page.context().newCDPSession(page);
    const sent = new Map();
    const came = new Map();
    const seen = new Map();
    let changed = () => {};
    const join = (id) => {
        if (!sent.has(id) || !came.has(id)) return;
        seen.set(sent.get(id), came.get(id));
        changed();
    };
    session.on('Network.requestWillBeSent', ({ requestId, request: { method, url } }) => {
        if (!url.startsWith(origin)) return;
        sent.set(requestId, `${method} ${new URL(url).pathname}`);
        join(requestId);
    });
    session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
        came.set(requestId, statusCode);
        join(requestId);
    });
    await session.send('Network.enable');
    const wait = (all) =>
        new Promise((resolve) => {
            changed = () => all.every((one) => seen.has(one)) && resolve();
            changed();
        });
    return { seen, wait };
}

/** What a page of another origin can try with the cookie of the inspector. Runs in that page. */
async function attack({ target, commands }) {
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
    const post = (name, mode) => fetch(`${target}/api/${name}`, { method: 'POST', mode, credentials: 'include', body: '{}' });
    for (const name of commands) await attempt(() => post(name, 'no-cors'));
    return {
        read: await attempt(async () => (await post('status', 'cors')).text()),
        script: await load('script', `${target}/app.js`),
        image: await load('img', `${target}/icon.svg`),
    };
}
