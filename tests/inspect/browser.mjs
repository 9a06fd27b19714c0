// Starts Debian's Chromium without any network but loopback.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { startInspect, withFiles } from './program.mjs';

export const executablePath =
    process.env.TENON_CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));

const FLAGS = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-dev-shm-usage',
    '--no-proxy-server',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

// A page that the test replaced has no address, and could not open a frame on this machine.
if (process.env.TENON_PAGE === 'files') FLAGS.push('--disable-features=LocalNetworkAccessChecks,PrivateNetworkAccess');

/** How long a step may take. A loaded machine is slow, and a step that hangs fails in any case: so it is generous. */
const STEP_TIME = 180_000;

/** One browser for a file of tests. */
export const launch = (more = []) =>
    chromium.launch({ executablePath, headless: true, args: [...FLAGS, ...more], timeout: STEP_TIME });

/** A context for pages: nothing is shared with others. All tests get theirs here. */
export async function newContext(browser, options = {}) {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(STEP_TIME); // also of navigations and events
    return context;
}

/** Opens a page that fails the test on any error of a script. Errors are in `page.problems`. */
export async function open(browser, url, { width = 1280, height = 800, scheme = 'light' } = {}) {
    const context = await newContext(browser, {
        viewport: { width, height },
        colorScheme: scheme,
        acceptDownloads: true,
        permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    page.problems = [];
    page.on('pageerror', (error) => page.problems.push(String(error)));
    page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
            page.problems.push(message.text());
    });
    await page.goto(url);
    await page.waitForSelector('.view');
    return page;
}

/** Goes to a view by its address, without loading the page again. */
export async function show(page, view, argument = '') {
    await page.evaluate(
        (hash) => {
            location.hash = hash;
        },
        `#/${view}${argument ? '/' + encodeURIComponent(argument) : ''}`,
    );
    await page.waitForSelector(`#view-${view}`);
}

/** Starts `tenon inspect` and opens its page. Both end with the test. The URL that was used is in `page.used`.
 *  `start` starts the program in another way, and `state` is the state to wait for. */
export async function openInspect(
    t,
    browser,
    args,
    { width = 1280, height = 900, scheme = 'light', state = 'connected', start = startInspect } = {},
) {
    const url = await start(t, args);
    const context = await newContext(browser, {
        viewport: { width, height },
        colorScheme: scheme,
        permissions: ['clipboard-read', 'clipboard-write'],
    });
    t.after(() => context.close());
    await withFiles(context);
    const page = await context.newPage();
    page.problems = [];
    page.on('pageerror', (error) => page.problems.push(String(error)));
    page.used = url;
    await page.goto(url);
    if (process.env.TENON_PAGE === 'files') await page.goto(new URL('/', url).href); // a redirect is not replaced
    await page.locator('.target').getByText(state, { exact: true }).waitFor();
    return page;
}
