// Forms for the tools of real npm servers: each form is filled with a generated value by its controls, and Tenon's validator
// accepts the arguments. Uses every server of tests/check/real that is installed (./dev interop installs them all), and those
// of tests/interop.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { servers } from '../check/real/servers.mjs';
import { example } from '../../web/form/initial.js';
import { Schemas } from '../../web/form/schemas.js';
import { launch, openInspect } from './browser.mjs';
import { fillForms } from './fill_form.mjs';
import { program } from './program.mjs';

const FOLDERS = ['../check/real', '../interop'].map((path) =>
    fileURLToPath(new URL(`${path}/node_modules`, import.meta.url)),
);
const START_TIME = 70_000; // for a server to list its tools; some load much code
let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

/** The script of an installed npm package, or null. */
function scriptOf({ package: name, bin }) {
    const folder = FOLDERS.map((one) => join(one, name)).find((one) => existsSync(join(one, 'package.json')));
    if (!folder) return null;
    const { bin: programs } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const path = typeof programs === 'string' ? programs : (programs?.[bin] ?? Object.values(programs ?? {})[0]);
    return path && existsSync(join(folder, path)) ? join(folder, path) : null;
}

/** The tools of a server. Empty when it does not start here, for example because it needs its service. */
function toolsOf(server, script, folder) {
    const filled = (text) => text.replaceAll('{dir}', folder);
    const args = ['list', 'tools', '--json', '--timeout', '60', '--'];
    const env = Object.entries(server.env ?? {}).map(([name, value]) => `${name}=${filled(value)}`);
    args.push('env', ...env, process.execPath, script, ...(server.args ?? []).map(filled));
    const options = {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1' },
        timeout: START_TIME,
        maxBuffer: 64 * 1024 * 1024,
    };
    return new Promise((resolve) => {
        const child = execFile(program('tenon'), args, options, (error, stdout) => {
            try {
                resolve(error ? [] : JSON.parse(stdout).tools);
            } catch {
                resolve([]);
            }
        });
        child.stdin.end();
    });
}

test('the forms of npm servers make valid arguments', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'tenon-npm-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const cases = [];
    const counts = [];
    for (const server of servers.filter((one) => !one.path && !one.unreachable && !one.files)) {
        const script = scriptOf(server);
        const tools = script ? await toolsOf(server, script, folder) : [];
        if (tools.length === 0) continue;
        counts.push(`${server.name} ${tools.length}`);
        for (const { name, inputSchema: schema } of tools) {
            const value = example(schema, new Schemas(schema));
            cases.push({ name: `${server.name}: ${name}`, schema, value });
        }
    }
    if (cases.length === 0) return t.skip('no npm server is installed');
    const page = await openInspect(t, browser, ['--', program('everything')]);
    const failed = [];
    for (let from = 0; from < cases.length; from += 40)
        failed.push(
            ...(await page.evaluate(fillForms, JSON.stringify(cases.slice(from, from + 40)))).filter(
                (one) => one.problem || !one.same || !one.valid,
            ),
        );
    // Tenon refuses patterns that can take exponential time, so it cannot judge these arguments. The form is still there.
    const unchecked = failed.filter((one) => /cannot be matched in linear time/.test(one.left) && !one.problem && one.same);
    console.log(
        `${cases.length} schemas of ${counts.length} npm servers, ${unchecked.length} of them with patterns that Tenon does not run: ${counts.join(', ')}`,
    );
    assert.deepEqual(
        failed.filter((one) => !unchecked.includes(one)).map((one) => `${one.name}: ${one.problem || one.left} ${one.value}`),
        [],
    );
    return undefined;
});
