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
import { program } from './program.mjs';
import { suiteCases } from './schema_cases.mjs';
import { matches } from '../../web/form/matches.js';
import { Schemas } from '../../web/form/schemas.js';

const module = (path) =>
    fileURLToPath(new URL(`../interop/node_modules/@modelcontextprotocol/${path}`, import.meta.url));
let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

/** Values that the form can make, but that Tenon's validator refuses, with the reason. */
const REFUSED = [
    'refRemote.json', // refers to other documents
    'dynamicRef.json',
    'defs.json',
    'ref.json: remote ref, containing refs itself',
    'vocabulary.json',
    'ref.json: refs with relative uris',
];

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

async function call(page, tool, text) {
    await show(page, 'tools', tool);
    await page.locator('.details h2').getByText(tool, { exact: true }).waitFor();
    await page.locator('.json-text').fill(JSON.stringify(text));
    await page.waitForSelector('tn-editor[data-valid="true"]');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.locator('#consent-dialog').getByRole('button', { name: 'Allow once' }).click();
    await page.waitForSelector('section.result');
    return page.locator('section.result').first().innerText();
}

test('server-everything: every tool has a form whose example is valid', async (t) => {
    if (!existsSync(module('server-everything'))) return t.skip('the npm packages of tests/interop are not installed');
    const page = await openInspect(t, browser, [
        '--',
        process.execPath,
        module('server-everything/dist/index.js'),
        'stdio',
    ]);
    const { names, bad } = await tryExamples(page);
    assert.ok(names.length >= 8, names.join());
    assert.deepEqual(bad, []);
    assert.match(await call(page, 'echo', { message: 'across' }), /Echo: across/);
    assert.deepEqual(page.problems, []);
    return undefined;
});

test('server-filesystem: a file is written and read', async (t) => {
    if (!existsSync(module('server-filesystem'))) return t.skip('the npm packages of tests/interop are not installed');
    const folder = mkdtempSync(join(tmpdir(), 'tenon-files-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'a.txt'), 'written before');
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
    return undefined;
});

test('Tenon accepts the arguments that the forms make for the JSON Schema suite', async (t) => {
    const cases = suiteCases()
        .flatMap(({ name, schema, values }) => values.slice(0, 1).map((value) => ({ name, schema, value })))
        .filter(
            ({ name, schema, value }) =>
                matches(schema, value, new Schemas(schema)) && !REFUSED.some((start) => name.startsWith(start)),
        );
    if (cases.length === 0) return t.skip('the JSON Schema suite is not there: ../shared/suites/json-schema');
    assert.ok(cases.length >= 300, `${cases.length} schemas`);
    const page = await openInspect(t, browser, ['--', program('everything')]);
    const failed = [];
    for (let from = 0; from < cases.length; from += 60)
        failed.push(
            ...(await page.evaluate(fillForms, JSON.stringify(cases.slice(from, from + 60)))).filter(
                (one) => one.problem || !one.same || !one.valid,
            ),
        );
    console.log(`${cases.length} schemas of the JSON Schema suite`);
    assert.deepEqual(
        failed.map((one) => `${one.name}: ${one.problem || one.left}`),
        [],
    );
    return undefined;
});
