// Runs `tenon check --client` on the official clients. It must report exactly what docs/check-findings.md lists.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { path } from './programs.mjs';

const subject = new URL('subjects/client.mjs', import.meta.url).pathname;

function check(version, where) {
    const args = ['check', '--client', '--json', '--', process.execPath, subject, version, where];
    return new Promise((resolve) => {
        execFile(path('tenon'), args, { maxBuffer: 1 << 26 }, (_, stdout) => resolve(JSON.parse(stdout)));
    });
}

const expected = { stdio: [], HTTP: ['HTTP-10.client-new-session'] };

for (const version of ['v1', 'v2'])
    for (const [transport, where] of [['stdio', '{server}'], ['HTTP', '{url}']])
        test(`TypeScript ${version}, ${transport}`, async () => {
            const report = await check(version, where);
            const failed = report.findings.filter(({ outcome }) => outcome === 'fail');
            assert.deepEqual(failed.map(({ rule }) => rule), expected[transport], JSON.stringify(failed, null, 2));
            assert.equal(report.incomplete, undefined);
            assert.ok(report.summary.passed > 35, `${report.summary.passed} passed`);
        });
