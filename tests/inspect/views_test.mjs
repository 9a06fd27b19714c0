// Every view: no accessibility problem, no horizontal scrolling at 380 pixels, everything by keyboard, and every state in words.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { violations } from './axe.mjs';
import { launch, open, show } from './browser.mjs';
import { startFake } from './fake_backend.mjs';
import { views, worldOf } from './world.mjs';

const calm = 'weather';
let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

/** Starts a fake program that ends with the test. */
async function fakeOf(t, world) {
    const fake = await startFake(world);
    t.after(() => fake.close());
    return fake;
}

/** Waits until a view shows its data. */
async function settled(page, view) {
    await show(page, ...view);
    if (['tools', 'resources', 'templates', 'prompts'].includes(view[0]))
        await page.waitForSelector('.details article');
    if (view[0] === 'history') await page.waitForSelector('.details article');
    if (view[0] === 'check') await page.waitForSelector('#report');
    if (view[0] === 'tools') await page.waitForSelector('tn-editor:not([data-valid="unknown"])');
}

// axe_test.mjs looks at the real program in the light. This world has what no real server has at once.
test('axe finds nothing in any view in the dark', async (t) => {
    const fake = await fakeOf(t, worldOf(calm, { mode: 'tap' }));
    const page = await open(browser, fake.url, { scheme: 'dark' });
    t.after(() => page.context().close());
    for (let i = 0; i < 3; ++i) {
        fake.emit('log', { level: 'error', logger: calm, data: { i } });
        fake.emit('stderr', { text: `line ${i}`, connection: 1 });
    }
    fake.emit('progress', { call: 'c99', progress: 1, total: 2, message: calm });
    for (const view of views(calm)) {
        await settled(page, view);
        assert.deepEqual(await violations(page), [], view[0]);
    }
    await show(page, 'tools', calm);
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.waitForSelector('#consent-dialog');
    assert.deepEqual(await violations(page), [], 'consent dialog');
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.waitForSelector('section.result');
    assert.deepEqual(await violations(page), [], 'result');
    for (const key of ['?', 'Control+k']) {
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press(key);
        await page.waitForSelector('dialog[open]');
        assert.deepEqual(await violations(page), [], key);
        await page.keyboard.press('Escape');
        await page.waitForSelector('dialog[open]', { state: 'detached' });
    }
    assert.deepEqual(page.problems, []);
});

test('at 380 pixels nothing is wider than the page', async (t) => {
    const long = 'a_very_long_name_without_any_space_that_goes_on_and_on_and_on_0123456789';
    const fake = await fakeOf(t, worldOf(long, { mode: 'tap' }));
    const page = await open(browser, fake.url, { width: 380, height: 700 });
    t.after(() => page.context().close());
    for (const view of views(long)) {
        await settled(page, view);
        const wide = await page.evaluate(() => [
            document.documentElement.scrollWidth,
            document.getElementById('main').scrollWidth - document.getElementById('main').clientWidth,
        ]);
        assert.ok(wide[0] <= 380 && wide[1] <= 0, `${view[0]}: ${wide}`);
    }
    await show(page, 'tools', long);
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.waitForSelector('#consent-dialog');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 380));
    await page.getByRole('button', { name: 'Refuse', exact: true }).click();
    await page.waitForSelector('#consent-dialog', { state: 'detached' });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'History' }).click();
    await page.waitForSelector('#view-history');
});

test('a tool can be found, called and allowed with the keyboard only', async (t) => {
    const fake = await fakeOf(t, worldOf(calm, { open: { questions: [], consents: [], held: [], calls: [] } }));
    const page = await open(browser, fake.url);
    t.after(() => page.context().close());
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
    await page.keyboard.press('2');
    await page.waitForSelector('#tools-list .list-row');
    await page.keyboard.press('/');
    await page.keyboard.type('weath');
    await page.waitForFunction(() => document.querySelectorAll('#tools-list .list-row').length === 1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('tn-editor[data-valid="true"]');
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('#consent-dialog');
    assert.equal(await page.evaluate(() => document.activeElement.dataset.decision), 'once');
    await page.keyboard.press('Enter');
    await page.waitForSelector('section.result');
    assert.deepEqual(
        fake.sent.filter((one) => ['call', 'decide'].includes(one.name)).map((one) => one.name),
        ['call', 'decide'],
    );
    await page.keyboard.press('Control+k');
    await page.keyboard.type('second');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash === '#/tools/second');
    assert.deepEqual(page.problems, []);
});

test('a decision that the user did not start is not given by a key that was meant for something else', async (t) => {
    const fake = await fakeOf(t, worldOf(calm));
    const page = await open(browser, fake.url);
    t.after(() => page.context().close());
    fake.emit('consent', {
        consent: 'k1',
        kind: 'sampling',
        server: calm,
        subject: calm,
        sends: {},
        changed: false,
        by: 'server',
    });
    await page.waitForSelector('#consent-dialog');
    for (const key of ['Enter', 'Space', 'Escape']) await page.keyboard.press(key);
    assert.ok(await page.locator('#consent-dialog').isVisible());
    assert.equal(
        fake.sent.some((one) => one.name === 'decide'),
        false,
    );
    await page.getByRole('button', { name: 'Never' }).click();
    await page.waitForSelector('#consent-dialog', { state: 'detached' });
    assert.equal(fake.sent.find((one) => one.name === 'decide').body.decision, 'never');
});

test('questions of every kind are answered with what one sees', async (t) => {
    const fake = await fakeOf(t, worldOf(calm));
    const page = await open(browser, fake.url);
    t.after(() => page.context().close());
    await page.getByRole('link', { name: 'Answer' }).click();
    const card = (kind) => page.locator(`.question[data-kind="${kind}"]`);
    await card('form').locator('[data-id="/name"] [data-role="control"]').fill('Ada');
    await card('form').getByRole('button', { name: 'Send', exact: true }).click();
    await card('form').waitFor({ state: 'detached' });
    await card('url').getByRole('button', { name: 'Decline' }).click();
    await card('url').waitFor({ state: 'detached' });
    await card('sampling').getByRole('button', { name: 'Run the sampler' }).click();
    await page.waitForFunction(() => document.querySelector('[data-role="sample"]').value === 'from the sampler');
    await card('sampling').locator('[data-role="sample"]').fill('edited');
    await card('sampling').getByRole('button', { name: 'Send', exact: true }).click();
    await card('sampling').waitFor({ state: 'detached' });
    await card('roots').getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('The server asks nothing.').waitFor();
    const answers = fake.sent.filter((one) => one.name === 'answer').map((one) => one.body);
    assert.deepEqual(answers[0], { question: 'q1', action: 'accept', content: { name: 'Ada' } });
    assert.deepEqual(answers[1], { question: 'q2', action: 'decline' });
    assert.equal(answers[2].result.content.text, 'edited');
    assert.deepEqual(answers[3], { question: 'q4', action: 'decline' });
});

test('every state has its words: empty, loading, failed, disconnected, refused', async (t) => {
    const fake = await fakeOf(t, { state: 'idle', target: null });
    const page = await open(browser, fake.url);
    t.after(() => page.context().close());
    await page.getByText('No server is connected').waitFor();
    await page.getByRole('button', { name: 'Connect to weather' }).waitFor();
    fake.world.state = 'failed';
    fake.world.reason = 'no such program';
    fake.emit('state', fake.status(false));
    await page.getByText('The connection failed').waitFor();
    await show(page, 'tools');
    await page.getByText('Connect to a server first').waitFor();
    fake.world.state = 'ready';
    fake.emit('state', { ...fake.status(false), connection: 2 });
    await page.getByText('The server has no tools.').waitFor();
    await fake.close();
    await page.getByText('The program does not answer; trying again.').waitFor();
    await page.getByText('program not reachable').waitFor();
});

test('the page connects again after the stream ends, and misses nothing', async (t) => {
    const fake = await fakeOf(t, worldOf(calm));
    const page = await open(browser, fake.url);
    t.after(() => page.context().close());
    await show(page, 'live');
    fake.emit('log', { level: 'info', logger: 'a', data: 'first' });
    await page.getByText('first', { exact: true }).waitFor();
    fake.cut();
    fake.emit('log', { level: 'info', logger: 'a', data: 'second' });
    await page.getByText('second', { exact: true }).waitFor();
    assert.equal(await page.locator('.log-row').count(), 2);
});

test('lost events cost neither the result of a call nor a question that came after them', async (t) => {
    const asked = Promise.withResolvers();
    const released = Promise.withResolvers();
    const status = async (body, fake) => {
        const now = fake.status(); // without what happens from now on
        asked.resolve();
        await released.promise;
        return now;
    };
    const outcome = ({ call }) => ({ call, kind: 'tool', name: calm, ms: 1, result: { content: [{ type: 'text', text: 'missed' }] } });
    const world = worldOf(calm, {});
    const fake = await fakeOf(t, { ...world, open: { questions: [], consents: [], held: [], calls: [] }, commands: { status, outcome } });
    const page = await open(browser, fake.url);
    t.after(() => page.context().close());
    await settled(page, ['tools', calm]);
    fake.emit('call_started', { call: 'c50', kind: 'tool', name: calm });
    await page.getByText('Running since').waitFor();
    fake.emit('lost', { from: 1, to: 2 });
    await asked.promise;
    fake.emit('consent', { consent: 'k50', kind: 'tool', server: calm, subject: calm, sends: {}, changed: false, by: 'server' });
    await page.waitForSelector('#consent-dialog');
    released.resolve();
    await page.locator('section.result').getByText('missed').first().waitFor();
    assert.equal(await page.locator('#consent-dialog').count(), 1);
});
