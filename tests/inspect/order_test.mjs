// Unlucky orders: answers that come late, events between two answers, and updates while a button is pressed.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, open, show } from './browser.mjs';
import { startFake } from './fake_backend.mjs';
import { worldOf } from './world.mjs';

const calm = 'weather';
const NOTHING = { questions: [], consents: [], held: [], calls: [] };
let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

/** Starts a fake program and a page of it. Both end with the test. */
async function start(t, more = {}) {
    const fake = await startFake(worldOf(calm, { open: NOTHING, ...more }));
    t.after(() => fake.close());
    const page = await open(browser, fake.url);
    t.after(() => page.context().close());
    return { fake, page };
}

/** A command whose answers the test releases. `next()` resolves when the page has asked, to the function that answers. */
function heldCommand() {
    const waiting = [];
    let told = Promise.withResolvers();
    return {
        run: () =>
            new Promise((resolve) => {
                waiting.push(resolve);
                told.resolve();
            }),
        async next() {
            while (waiting.length === 0) await told.promise;
            told = Promise.withResolvers();
            return waiting.shift();
        },
    };
}

const tool = (name) => ({ name, inputSchema: { type: 'object' } });

test('a list that changes while it is loaded is loaded again', async (t) => {
    const tools = heldCommand();
    const { fake, page } = await start(t, { commands: { tools: tools.run } });
    await show(page, 'tools');
    const first = await tools.next();
    fake.emit('list_changed', { list: 'tools' });
    fake.emit('log', { level: 'info', logger: 'a', data: 'after' });
    await page.waitForFunction(async () => (await import('/lib/session.js')).store.state.logs.items.length === 1);
    first({ items: [tool('old')], decisions: {} });
    (await tools.next())({ items: [tool('new')], decisions: {} });
    await page.locator('#tools-list').getByText('new', { exact: true }).waitFor();
});

test('the answer of an older connection is not shown', async (t) => {
    const tools = heldCommand();
    const { fake, page } = await start(t, { commands: { tools: tools.run } });
    await show(page, 'tools');
    const old = await tools.next();
    fake.emit('state', { ...fake.status(false), connection: 2 });
    const now = await tools.next();
    now({ items: [tool('new')], decisions: {} });
    await page.locator('#tools-list').getByText('new', { exact: true }).waitFor();
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/tools'));
    old({ items: [tool('old')], decisions: {} });
    await answered;
    fake.emit('log', { level: 'info', logger: 'a', data: 'after' });
    await page.waitForFunction(async () => (await import('/lib/session.js')).store.state.logs.items.length === 1);
    assert.equal(await page.locator('#tools-list').getByText('old', { exact: true }).count(), 0);
});

test('a check that ends before its start is answered is shown as done', async (t) => {
    const check = heldCommand();
    const { fake, page } = await start(t, { commands: { check: check.run } });
    await show(page, 'check');
    await page.getByRole('button', { name: 'Run the check' }).click();
    const answer = await check.next();
    fake.emit('check_progress', { what: 'RPC-1', done: 1, of: 2 });
    fake.emit('check_done', { passed: 1, failed: 0, warnings: 0, incomplete: '' });
    await page.getByRole('button', { name: 'Run the check' }).waitFor();
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/check'));
    answer({ check: '1' });
    await answered;
    fake.emit('log', { level: 'info', logger: 'a', data: 'after' });
    await page.waitForFunction(async () => (await import('/lib/session.js')).store.state.logs.items.length === 1);
    await page.getByRole('button', { name: 'Run the check' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Stop' }).count(), 0);
});

test('a button that is pressed while the page changes still gets its click', async (t) => {
    const { fake, page } = await start(t);
    const task = { task: 't1', tool: calm, status: 'working', message: 'one', created: 0, updated: 0, questions: {} };
    await show(page, 'live');
    fake.emit('task', task);
    const cancel = page.getByRole('button', { name: 'Cancel task' });
    await cancel.hover();
    await page.mouse.down();
    fake.emit('task', { ...task, message: 'two' });
    fake.emit('log', { level: 'info', logger: 'a', data: 'after' });
    await page.waitForFunction(async () => (await import('/lib/session.js')).store.state.logs.items.length === 1);
    const asked = page.waitForRequest((request) => request.url().endsWith('/api/task_cancel'));
    await page.mouse.up();
    await asked;
    await page.locator('.live-call').getByText('two', { exact: true }).waitFor();
});

test('the button of a task keeps the focus while the task goes on', async (t) => {
    const { fake, page } = await start(t);
    const task = { task: 't1', tool: calm, status: 'working', message: 'one', created: 0, updated: 0, questions: {} };
    await show(page, 'live');
    fake.emit('task', task);
    await page.getByRole('button', { name: 'Cancel task' }).focus();
    fake.emit('task', { ...task, message: 'two' });
    await page.locator('.live-call').getByText('two', { exact: true }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Cancel task');
});

test('the button that stops a check keeps the focus while the numbers change', async (t) => {
    const { fake, page } = await start(t);
    await show(page, 'check');
    fake.emit('check_progress', { what: 'RPC-1', done: 1, of: 3 });
    const stop = page.getByRole('button', { name: 'Stop' });
    await stop.focus();
    fake.emit('check_progress', { what: 'RPC-2', done: 2, of: 3 });
    await page.getByText('2 of 3').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Stop');
});

test('the chosen era stays while the page is drawn again', async (t) => {
    const { fake, page } = await start(t);
    const era = page.getByLabel('Era', { exact: true });
    await era.selectOption('legacy');
    const facts = await page.locator('dl.facts').elementHandle();
    fake.emit('state', { ...fake.status(false), reason: 'nothing new' });
    await page.waitForFunction((old) => !old.isConnected, facts);
    assert.equal(await era.inputValue(), 'legacy');
    const asked = page.waitForRequest((request) => request.url().endsWith('/api/reconnect'));
    await page.getByRole('button', { name: 'Reconnect' }).click();
    await (await asked).response();
    assert.deepEqual(fake.sent.find((one) => one.name === 'reconnect').body, { era: 'legacy' });
});

test('a question for consent stays when Escape is pressed twice', async (t) => {
    const { fake, page } = await start(t);
    fake.emit('consent', { consent: 'k1', kind: 'sampling', server: calm, subject: calm, sends: {}, changed: false, by: 'server' });
    await page.waitForSelector('#consent-dialog');
    for (let i = 0; i < 3; ++i) await page.keyboard.press('Escape');
    await page.locator('#consent-dialog').getByRole('button', { name: 'Refuse' }).click();
    await page.waitForSelector('#consent-dialog', { state: 'detached' });
    assert.equal(fake.sent.find((one) => one.name === 'decide').body.decision, 'refuse');
});

test('a breakpoint that is added before the list has come does not remove the others', async (t) => {
    const first = Promise.withResolvers();
    let rules = [{ direction: 'any', method: 'tools/list' }];
    const breakpoints = async (body) => {
        if (!body.rules) await first.promise;
        rules = body.rules ?? rules;
        return { rules };
    };
    const { page } = await start(t, { mode: 'tap', commands: { breakpoints } });
    await show(page, 'tap');
    await page.locator('input[placeholder^="tools/call"]').fill('tools/call');
    await page.getByRole('button', { name: 'Add breakpoint' }).click();
    first.resolve();
    await page.getByRole('button', { name: 'Remove the breakpoint tools/call' }).waitFor();
    await page.getByRole('button', { name: 'Remove the breakpoint tools/list' }).waitFor();
});

test('an opened HTTP request stays open when the next one comes', async (t) => {
    const { fake, page } = await start(t, { mode: 'tap' });
    await show(page, 'tap');
    const exchange = (method) => ({
        method,
        url: 'http://127.0.0.1/',
        connection: 1,
        request_headers: { accept: '*/*' },
        status: 200,
        response_headers: {},
        stream: false,
        ms: 1,
    });
    fake.emit('exchange', exchange('POST'));
    const post = page.locator('ol.steps > li', { hasText: 'POST' });
    await post.locator('summary').click();
    await post.getByText('accept').waitFor();
    fake.emit('exchange', exchange('DELETE'));
    await page.locator('ol.steps > li', { hasText: 'DELETE' }).waitFor();
    assert.ok(await post.getByText('accept').isVisible());
    assert.match(await page.locator('ol.steps > li').first().innerText(), /DELETE/, 'the newest first');
});
