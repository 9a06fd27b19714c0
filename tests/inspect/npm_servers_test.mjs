// The page on servers of other projects: their tools have forms, Tenon's validator accepts the examples, and calls work. Tenon's
// validator also judges the values that the controls make for the JSON Schema suite.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, openInspect, show } from './browser.mjs';
import { fillForms } from './fill_form.mjs';
import { call, decideAndCompare, useEverything } from './npm_everything.mjs';
import { program, startNode } from './program.mjs';
import { fittingCases, isRefused, isWrong } from './schema_cases.mjs';
import { exportHistory, runCheck } from './steps.mjs';

const module = (path) =>
    fileURLToPath(new URL(`../interop/node_modules/@modelcontextprotocol/${path}`, import.meta.url));
const sayPort = new URL('../interop/servers/say_port.mjs', import.meta.url).href;
let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

/** Opens every tool, fills in the example, and returns the tools whose example is not valid. */
async function tryExamples(page) {
    await show(page, 'tools');
    await page.waitForSelector('#tools-list .list-row');
    const names = await page.evaluate(async () =>
        (await (await import('/lib/api.js')).send('tools')).items.map((tool) => tool.name),
    );
    const bad = [];
    for (const name of names) {
        await show(page, 'tools', name);
        await page.locator('.details h2').getByText(name, { exact: true }).waitFor();
        await page.getByRole('button', { name: 'Example' }).click();
        await page.waitForSelector('tn-editor[data-valid="true"], tn-editor[data-valid="false"]');
        if ((await page.locator('tn-editor').getAttribute('data-valid')) !== 'true')
            bad.push(`${name}: ${await page.locator('.editor-left').innerText()}`);
    }
    return { names, bad };
}

/** Runs the checker to its end. */
async function tryWholeCheck(page) {
    const { html, report } = await runCheck(page);
    assert.match(html, /^<!doctype html>/i);
    assert.equal(report.incomplete ?? '', '');
    assert.ok(report.summary.passed > 30, `${report.summary.passed} passed`);
}

/** Begins a check, and stops it: over stdio it starts Node for each connection, which takes long. */
async function tryStoppedCheck(page) {
    await show(page, 'check');
    await page.getByRole('button', { name: 'Run the check' }).click();
    await page.getByRole('status').getByText(/[1-9]\d* of \d+/).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('The check is not complete').waitFor();
    await page.getByRole('button', { name: 'Run the check' }).waitFor();
}

/** Compares the eras, and exports the calls: what works on every server. These servers know one era. */
async function tryTheRest(page) {
    await show(page, 'server');
    await page.getByRole('button', { name: 'Compare eras' }).click();
    const both = page.getByRole('region', { name: 'Both eras' });
    await both.getByText('This era does not work').waitFor();
    await both.getByText(/: \d+ tools/).waitFor();
    await show(page, 'history');
    await page.locator('.filters [aria-label="Method"]').fill('tools/call');
    await page.waitForFunction(() => /match$/.test(document.getElementById('history-status').textContent));
    const { json, har } = await exportHistory(page);
    assert.ok(json.messages.length >= 2 && json.messages.every((one) => one.method === 'tools/call'));
    assert.ok(har.log.entries.length >= 1);
    assert.deepEqual(page.problems, []);
}

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
const everything = module('server-everything/dist/index.js');
const WAYS = {
    stdio: () => ['--', process.execPath, everything, 'stdio'],
    HTTP: async (t) => {
        const port = await startNode(t, ['--import', sayPort, everything, 'streamableHttp'], /listening on port (\d+)/, {
            stdio: 'pipe', // it ends with its input
            env: { ...process.env, PORT: '0' },
        });
        return [`http://127.0.0.1:${port}/mcp`];
    },
};
/** What does not depend on the transport is tried over one: the forms over stdio, and the rest over HTTP, where a check is quick. */
const MORE = {
    stdio: async (page) => {
        const { names, bad } = await tryExamples(page);
        assert.ok(names.length >= 8, names.join());
        assert.deepEqual(bad, []);
    },
    HTTP: async (page) => {
        await tryWholeCheck(page);
        await tryTheRest(page);
    },
};
for (const [way, argumentsOf] of Object.entries(WAYS))
    test(`server-everything over ${way}: its forms, and every view`, async (t) => {
        if (!existsSync(everything)) return t.skip('the npm packages of tests/interop are not installed');
        const page = await openInspect(t, browser, await argumentsOf(t));
        await useEverything(t, page, way);
        await MORE[way](page);
        assert.deepEqual(page.problems, []);
        return undefined;
    });

/** The page shares another folder: from now on the server may use only that one. */
async function shareFolder(page, folder, other) {
    await show(page, 'questions');
    await page.getByLabel('Folder as a file: URI').fill(`file://${other}`);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const card = page.locator('.question[data-kind="roots"]');
    await card.getByRole('button', { name: 'Send', exact: true }).click();
    await show(page, 'server');
    await page.locator('#stderr-list').getByText('Updated allowed directories from MCP roots: 1').waitFor();
    assert.match(await call(page, 'list_allowed_directories'), new RegExp(other));
    assert.match(await call(page, 'directory_tree', { path: folder }), /the tool reports an error[^]*Access denied/);
}

test('server-filesystem: files are written and read, and a folder is shared', async (t) => {
    if (!existsSync(module('server-filesystem'))) return t.skip('the npm packages of tests/interop are not installed');
    const folder = mkdtempSync(join(tmpdir(), 'tenon-files-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const other = mkdtempSync(join(tmpdir(), 'tenon-shared-'));
    t.after(() => rmSync(other, { recursive: true, force: true }));
    writeFileSync(join(folder, 'a.txt'), 'written before');
    writeFileSync(join(folder, 'dot.png'), Buffer.from(DOT, 'base64'));
    const page = await openInspect(t, browser, [
        '--',
        process.execPath,
        module('server-filesystem/dist/index.js'),
        folder,
    ]);
    const { names, bad } = await tryExamples(page);
    assert.ok(names.length >= 10, names.join());
    assert.deepEqual(bad, []);
    assert.match(await call(page, 'read_text_file', { path: join(folder, 'a.txt') }), /written before/);
    assert.match(await call(page, 'write_file', { path: join(folder, 'b.txt'), content: 'by the page' }), /[Ss]uccess/);
    assert.match(await call(page, 'list_directory', { path: folder }), /b\.txt/);
    await call(page, 'read_media_file', { path: join(folder, 'dot.png') });
    await page.locator('section.result img.from-server').first().waitFor();
    await decideAndCompare(page, 'get_file_info', { path: join(folder, 'a.txt') }, { path: join(folder, 'b.txt') });
    await shareFolder(page, folder, other);
    await tryStoppedCheck(page);
    await tryTheRest(page);
    return undefined;
});

test('Tenon accepts the arguments that the forms make for the JSON Schema suite', async (t) => {
    const cases = fittingCases().filter(({ name }) => !isRefused(name));
    if (cases.length === 0) return t.skip('the JSON Schema suite is not there: ../shared/suites/json-schema');
    const schemas = new Set(cases.map((one) => one.name)).size;
    assert.ok(schemas >= 300, `${schemas} schemas`);
    const page = await openInspect(t, browser, ['--', program('everything')]);
    const failed = [];
    for (let from = 0; from < cases.length; from += 60)
        failed.push(
            ...(await page.evaluate(fillForms, JSON.stringify(cases.slice(from, from + 60)))).filter(isWrong),
        );
    console.log(`${schemas} schemas of the JSON Schema suite, ${cases.length} values`);
    assert.deepEqual(
        failed.map((one) => `${one.name}: ${one.problem || one.left}`),
        [],
    );
    return undefined;
});
