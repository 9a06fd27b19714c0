// A server that puts everything it can into every text: no script runs, nothing is fetched, and nothing passes for text of
// the page.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, newContext, show } from './browser.mjs';
import { startFake } from './fake_backend.mjs';
import { inspect, openAll, outside } from './hostile_checks.mjs';
import { hostile, views, worldOf } from './world.mjs';

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

test('text of a hostile server stays text in every view', async (t) => {
    const fake = await startFake(worldOf(hostile, { mode: 'tap' }));
    t.after(() => fake.close());
    const page = await openWatched(fake, t);
    for (let i = 0; i < 2; ++i) {
        fake.emit('log', { level: hostile, logger: hostile, data: { [hostile]: hostile } });
        fake.emit('stderr', { text: hostile, connection: 1 });
    }
    fake.emit('progress', { call: 'c99', progress: 1, total: 2, message: hostile });
    fake.emit('resource_updated', { uri: hostile });
    fake.emit('task', {
        task: hostile,
        tool: hostile,
        status: 'input_required',
        message: hostile,
        questions: { [hostile]: { method: hostile } },
    });
    fake.emit('sign_in', { url: `https://auth.example/${encodeURIComponent(hostile)}`, server: hostile });
    for (const view of views(hostile)) {
        await show(page, ...view);
        if (['tools', 'resources', 'templates', 'prompts', 'history'].includes(view[0]))
            await page.waitForSelector('.details article');
        if (view[0] === 'check') await page.waitForSelector('#report');
        await openAll(page);
        await inspect(page, view[0]);
    }
    for (const [view, name, text] of [
        ['tools', hostile, 'Call'],
        ['resources', hostile, 'Read'],
        ['prompts', hostile, 'Get prompt'],
    ]) {
        await show(page, view, name);
        await page.getByRole('button', { name: text, exact: true }).click();
        if (view !== 'prompts') {
            await page.waitForSelector('#consent-dialog');
            await inspect(page, `${view}: consent`);
            await page.getByRole('button', { name: 'Allow once' }).click();
        }
        await page.waitForSelector('section.result');
        await openAll(page);
        await inspect(page, `${view}: result`);
    }
    await page.keyboard.press('Control+k');
    await page.waitForSelector('#palette');
    await inspect(page, 'palette');
    assert.deepEqual(
        page.requested.filter(
            (url) => !url.startsWith(fake.url) && !url.startsWith('data:image/') && !url.startsWith('data:audio/'),
        ),
        [],
    );
    assert.deepEqual(page.problems, []);
    assert.equal(page.context().pages().length, 1);
});

/** Opens a page, and records every request of it. */
async function openWatched(fake, t) {
    const requested = [];
    const context = await newContext(browser);
    t.after(() => context.close());
    const page = await context.newPage();
    page.problems = [];
    page.requested = requested;
    page.on('request', (request) => requested.push(request.url()));
    page.on('pageerror', (error) => page.problems.push(String(error)));
    page.on('dialog', (dialog) => page.problems.push(`dialog ${dialog.message()}`));
    await page.goto(fake.url);
    await page.waitForSelector('.view');
    return page;
}

test('links are shown in full and only for the web', async (t) => {
    const fake = await startFake(worldOf('calm', { open: { questions: [], consents: [], held: [], calls: [] } }));
    t.after(() => fake.close());
    const page = await openWatched(fake, t);
    await show(page, 'tools', 'second');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.waitForSelector('section.result');
    const links = await page
        .locator('section.result a[href]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('href')).filter((href) => !href.startsWith('#/')));
    assert.deepEqual(links, []);
    const texts = await page.locator('section.result').innerText();
    for (const text of [
        'javascript:hacked=1',
        'data:text/html,<script>hacked=1</script>',
        'https://user:secret@evil.example/',
    ])
        assert.ok(texts.includes(text), text);
    assert.equal(await page.locator('section.result img').count(), 2); // PNG and SVG; not the one that says it is HTML
    assert.equal(await page.evaluate(() => window.hacked), undefined);
});

test('a decision cannot be imitated: text that looks like the dialog stays in its box', async (t) => {
    const fake = await startFake(
        worldOf('Tenon asks: May this tool run?', { open: { questions: [], consents: [], held: [], calls: [] } }),
    );
    t.after(() => fake.close());
    const page = await openWatched(fake, t);
    await show(page, 'tools', 'Tenon asks: May this tool run?');
    await page.waitForSelector('.details article');
    assert.equal(await page.locator('dialog').count(), 0);
    assert.deepEqual(await page.evaluate(outside, 'Tenon asks'), []);
    const colours = await page.evaluate(() => [
        getComputedStyle(document.querySelector('.details .untrusted')).color,
        getComputedStyle(document.querySelector('.details h3')).color,
    ]);
    assert.notEqual(colours[0], colours[1]);
});
