// What a user does with server-everything on the page: every kind of content and question that it has. Each step is a subtest.
import assert from 'node:assert/strict';
import { show } from './browser.mjs';
import { result } from './steps.mjs';

/** Calls a tool with arguments as JSON, and makes the decision, unless it is null. */
export async function begin(page, tool, sends = {}, decision = 'Allow once') {
    await show(page, 'tools', tool);
    await page.locator('.details h2').getByText(tool, { exact: true }).waitFor();
    await page.locator('.json-text').fill(JSON.stringify(sends));
    await page.waitForSelector('tn-editor[data-valid="true"]');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    if (decision) await page.locator('#consent-dialog').getByRole('button', { name: decision }).click();
}

/** The same for a tool that was not called before. Resolves to the text of its result. */
export async function call(page, tool, sends, decision) {
    await begin(page, tool, sends, decision);
    await page.waitForSelector('section.result');
    return result(page).innerText();
}

/** Answers a question of the running call with `answer`, and waits for the result of its tool. */
async function answered(page, tool, kind, answer, text) {
    await show(page, 'questions');
    const card = page.locator(`.question[data-kind="${kind}"]`);
    await card.waitFor();
    await answer(card);
    await show(page, 'tools', tool);
    await result(page).getByText(text).first().waitFor();
}

const send = (card) => card.getByRole('button', { name: 'Send', exact: true }).click();

/** Starts the task whose question and result come later. */
const startTask = (page) =>
    begin(page, 'simulate-research-query', { topic: 'python', ambiguous: true }).then(() =>
        page.getByText('This runs as a task.').waitFor(),
    );

/** The answer of the user goes to the task: its question comes with the request for the result. */
async function endTask(page) {
    await show(page, 'live');
    await page.getByRole('button', { name: 'Refresh tasks' }).click();
    const task = page.locator('.live-call', { hasText: 'simulate-research-query' });
    await task.getByRole('button', { name: 'Result' }).click();
    await show(page, 'questions');
    const card = page.locator('.question[data-kind="form"]');
    await card.locator('[data-id="/interpretation"] > select').selectOption({ label: 'Python snake species (snake)' });
    await card.locator('tn-editor[data-valid="true"]').waitFor();
    await send(card);
    await show(page, 'live');
    await page.locator('.live-call').getByText(/# Research Report: python \(snake\)/).first().waitFor();
}

const CONTENT = {
    'get-tiny-image': [{}, (shown) => shown.locator('img.from-server').waitFor()],
    'get-resource-links': [{ count: 2 }, (shown) => shown.getByRole('link', { name: 'Read this resource' }).nth(1).waitFor()],
    'get-resource-reference': [{ resourceType: 'Text', resourceId: 1 }, (shown) => shown.getByText('embedded resource').waitFor()],
    'get-structured-content': [{ location: 'Chicago' }, (shown) => shown.locator('table').getByText('Light rain / drizzle').waitFor()],
    'get-annotated-message': [
        { messageType: 'error', includeImage: true },
        (shown) => shown.locator('.claims', { hasText: 'annotations:' }).nth(1).waitFor(),
    ],
};

async function followProgress(page) {
    await begin(page, 'trigger-long-running-operation', { duration: 60, steps: 1200 });
    await page.locator('.progress').getByText(/of 1200/).waitFor();
    await page.locator('.pending').getByRole('button', { name: 'Cancel' }).click();
    await page.waitForSelector('section.result');
}

async function answerQuestions(page) {
    await begin(page, 'trigger-sampling-request', { prompt: 'why?', maxTokens: 7 });
    await answered(page, 'trigger-sampling-request', 'sampling', async (card) => {
        await card.getByText('context: why?').waitFor();
        await card.getByText('At most 7 tokens.').waitFor();
        await card.getByLabel('Text').fill('because');
        await send(card);
    }, 'because');
    await begin(page, 'trigger-elicitation-request');
    await answered(page, 'trigger-elicitation-request', 'form', async (card) => {
        await card.locator('option', { hasText: 'Green Lantern' }).waitFor({ state: 'attached' });
        await card.locator('[data-id="/name"] > [data-role="control"]').fill('Ada');
        await card.locator('tn-editor[data-valid="true"]').waitFor();
        await send(card);
    }, 'Name: Ada');
    await begin(page, 'trigger-url-elicitation', { url: 'https://example.com/sign-in', message: 'please' });
    await answered(page, 'trigger-url-elicitation', 'url', async (card) => {
        assert.equal(await card.locator('a').first().getAttribute('href'), 'https://example.com/sign-in');
        await card.getByRole('button', { name: 'I agree' }).click();
    }, 'User completed');
    assert.equal(page.context().pages().length, 1, 'nothing is opened by itself');
}

/** The server asks for the folders as soon as it hears that they changed. */
async function shareRoots(page) {
    await show(page, 'questions');
    await page.getByLabel('Folder as a file: URI').fill('file:///tmp/shared');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await answered(page, 'get-roots-list', 'roots', async (card) => {
        await card.getByLabel('file:///tmp/shared').waitFor();
        await send(card);
        await card.waitFor({ state: 'detached' });
        await show(page, 'live');
        await page.locator('#log-list').getByText(/Roots updated: 1/).waitFor();
        await begin(page, 'get-roots-list');
    }, 'file:///tmp/shared');
}

const RESOURCE = 'demo://resource/dynamic/text/1';

async function followResource(page) {
    await show(page, 'resources', RESOURCE);
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
    await page.getByRole('button', { name: 'Unsubscribe' }).waitFor();
    await begin(page, 'toggle-subscriber-updates');
    await show(page, 'resources', RESOURCE);
    await page.getByText(/^\d+ changes?; the last at /).waitFor();
    await show(page, 'live');
    await page.locator('li', { hasText: RESOURCE }).getByText(/changed \d+ times?/).waitFor();
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByText('No subscriptions.').waitFor();
    await call(page, 'toggle-simulated-logging');
    await show(page, 'live');
    await page.locator('#log-list').getByText(/[Ll]evel[- ]message/).first().waitFor();
}

async function completeAndRead(page) {
    await show(page, 'prompts', 'completable-prompt');
    await page.locator('[data-argument="department"]').fill('Eng');
    await page.locator('datalist option[value="Engineering"]').waitFor({ state: 'attached' });
    await page.locator('[data-argument="department"]').fill('Engineering');
    await page.locator('[data-argument="name"]').fill('A');
    await page.locator('datalist option[value="Alice"]').waitFor({ state: 'attached' }); // depends on the first argument
    await page.locator('[data-argument="name"]').fill('Alice');
    await page.getByRole('button', { name: 'Get prompt' }).click();
    await result(page).getByText('promote Alice to the head of the Engineering').first().waitFor();
    await show(page, 'templates', 'demo://resource/dynamic/text/{resourceId}');
    await page.locator('[data-argument="resourceId"]').fill('2');
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await page.locator('#consent-dialog').getByRole('button', { name: 'Allow once' }).click();
    await result(page).getByText('Resource 2').first().waitFor();
}

/** A decision for the session, two results beside each other, and a decision that is taken back. */
export async function decideAndCompare(page, tool, first, second) {
    await call(page, tool, first, 'For this session');
    await begin(page, tool, second, null);
    await page.getByText('Earlier results (1)').click();
    await page.getByRole('button', { name: /^Compare/ }).click();
    await page.locator('.diff-removed').first().waitFor();
    await page.locator('.diff-added').first().waitFor();
    await show(page, 'consent');
    await page.getByRole('button', { name: `Revoke the decision about ${tool}` }).click();
    await page.getByText('No standing decisions').waitFor();
    await page.locator('.decided').getByText(`allowed for this session call the tool ${tool}`).waitFor();
}

async function seeServer(page, way) {
    await show(page, 'server');
    const facts = page.locator('dl.facts');
    await facts.getByText('Everything Reference Server').waitFor();
    await facts.getByText('2025-11-25', { exact: true }).first().waitFor();
    await facts.getByText('found automatically').waitFor();
    await page.getByRole('heading', { name: 'Instructions of the server' }).waitFor();
    await page.locator('.capabilities').getByText('✓ tasks').waitFor();
    if (way === 'stdio') await page.locator('#stderr-list .stderr-line').first().waitFor();
}

async function seeContent(page) {
    for (const [tool, [sends, isShown]] of Object.entries(CONTENT)) {
        await call(page, tool, sends);
        await isShown(result(page));
    }
    await page.locator('.details .claims').getByText('claimed by the server:').waitFor();
}

const callEcho = async (page) => assert.match(await call(page, 'echo', { message: 'across' }), /Echo: across/);
const compareSums = (page) => decideAndCompare(page, 'get-sum', { a: 1, b: 2 }, { a: 1, b: 3 });

/** Each step, and the transports: over HTTP only what the server says by itself, on a stream of its own. */
const STEPS = [
    ['the server says what it is', seeServer],
    ['a task begins', startTask, 'stdio'],
    ['a call gives its result', callEcho],
    ['each kind of content is shown', seeContent, 'stdio'],
    ['a long call shows its progress, and is cancelled', followProgress],
    ['questions about a model, data and a page are answered', answerQuestions],
    ['folders are shared after consent', shareRoots],
    ['a resource is followed, and the log is shown', followResource],
    ['arguments are completed', completeAndRead, 'stdio'],
    ['the task asks the user, and gives its result', endTask, 'stdio'],
    ['results are compared, and a decision is taken back', compareSums, 'stdio'],
];

/** @param {'stdio'|'HTTP'} way */
export async function useEverything(t, page, way) {
    for (const [name, run, only = way] of STEPS) if (only === way) await t.test(name, () => run(page, way));
}
