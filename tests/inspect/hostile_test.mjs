// A server that puts everything it can into every text: no script runs, nothing is fetched, and nothing passes for text of
// the page.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, show } from './browser.mjs';
import { startFake } from './fake_backend.mjs';
import { hostile, views, worldOf } from './world.mjs';

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

/** Texts of the server that stand outside of the places for them; `needle` is a part of each such text. */
function outside(needle) {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (node.data.includes(needle) && !node.parentElement.closest('.untrusted, textarea, option'))
            found.push(`${node.parentElement.outerHTML.slice(0, 200)}`);
    return found;
}

/** What no element may have. */
function dangerous() {
    const bad = [];
    for (const element of document.querySelectorAll('*')) {
        for (const { name, value } of element.attributes) {
            if (name.startsWith('on')) bad.push(`${element.tagName} ${name}`);
            if (
                ['href', 'src', 'action', 'srcdoc', 'srcset', 'poster', 'data'].includes(name) &&
                /^\s*(?:javascript|data:text|vbscript)/i.test(value)
            )
                bad.push(`${element.tagName} ${name}=${value}`);
        }
        if (
            element.tagName === 'A' &&
            /^https?:/.test(element.getAttribute('href')) &&
            (element.rel !== 'noopener noreferrer' || element.target !== '_blank')
        )
            bad.push(element.outerHTML);
        if (['BASE', 'OBJECT', 'EMBED', 'STYLE'].includes(element.tagName)) bad.push(element.tagName);
    }
    const scripts = document.querySelectorAll('script').length;
    if (scripts !== 1) bad.push(`${scripts} scripts`);
    return bad;
}

/** Characters that must never be in the text of the page. */
const invisible = () =>
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/.exec(
        document.body.innerText,
    )?.[0];

/** Opens every part that is closed, also those that this brings. */
const openAll = (page) =>
    page.evaluate(async () => {
        for (let round = 0; round < 6; ++round) {
            for (const details of document.querySelectorAll('#main details:not([open])')) details.open = true;
            await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))); // toggle events come after a frame
        }
    });

async function inspect(page, where) {
    assert.deepEqual(
        await page.evaluate(outside, 'tracker.example'),
        [],
        `${where}: text of the server outside of its place`,
    );
    assert.deepEqual(await page.evaluate(dangerous), [], where);
    assert.equal(await page.evaluate(invisible), undefined, `${where}: invisible characters`);
    assert.equal(await page.evaluate(() => window.hacked), undefined, `${where}: a script ran`);
}

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
    const context = await browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    page.problems = [];
    page.requested = requested;
    page.on('request', (request) => requested.push(request.url()));
    page.on('pageerror', (error) => page.problems.push(String(error)));
    page.on('dialog', (dialog) => page.problems.push(`dialog ${dialog.message()}`));
    await page.goto(fake.url);
    await page.waitForSelector('#view-server');
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
