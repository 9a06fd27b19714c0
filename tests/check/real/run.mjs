// Runs `tenon check` on servers and clients of other projects, one after another, and compares each failure with
// verdicts.txt. Status 1: a failure has no verdict, a verdict is false, or a verdict no longer occurs.
//
// usage: node run.mjs [--small] [--all-revisions] [--save FOLDER] [NAME...] | --small --selftest
//
// --small: only the servers that need no more packages than tests/interop. --all-revisions: report the failures of all
// revisions that a server supports, without verdicts. --save: write each report into a folder. --selftest: test that a
// wrong verdict is noticed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { clients } from './clients.mjs';
import { checkClient, checkServer } from './sandbox.mjs';
import { servers, smallServers } from './servers.mjs';
import { compare, readVerdicts, selftest } from './verdicts.mjs';

const { values: options, positionals: names } = parseArgs({
    options: {
        small: { type: 'boolean' },
        selftest: { type: 'boolean' },
        'all-revisions': { type: 'boolean' },
        save: { type: 'string' },
    },
    allowPositionals: true,
});
if (options.selftest) {
    selftest();
    process.exit(0);
}
const verdicts = readVerdicts(join(import.meta.dirname, 'verdicts.txt'));
const known = options.small ? smallServers : [...servers, ...clients];
const unknown = names.filter((name) => !known.some((subject) => subject.name === name));
if (unknown.length > 0) throw new Error(`there is no server or client ${unknown.join(', ')}`);
const subjects = names.length > 0 ? known.filter(({ name }) => names.includes(name)) : known;

const least = 20; // passed rules, of a server or client that was really checked

function problemsOf(subject, report, failures) {
    if (subject.unreachable)
        return report.summary.passed === 0 && failures.length === 0 ? [] : [`${subject.name} is not unreachable any more`];
    const problems = options['all-revisions'] ? [] : compare(verdicts, subject.name, failures);
    if (report.summary.passed < least)
        problems.push(`${subject.name} was not checked: ${report.incomplete ?? report.stderr}`);
    return problems;
}

const describe = ({ rule, revision, detail }) => `    ${rule} ${revision}: ${detail}`;

const problems = [];
for (const subject of subjects) {
    const begin = Date.now();
    const report = subject.command
        ? await checkClient(subject)
        : await checkServer(subject, options['all-revisions'] ? ['--all-revisions'] : []);
    const failures = report.findings.filter(({ outcome }) => outcome === 'fail');
    const { passed, warnings = 0 } = report.summary;
    const took = ((Date.now() - begin) / 1000).toFixed(1);
    console.log([`${subject.name}: ${passed} passed, ${warnings} warnings, ${failures.length} failures, ${took} s`,
        ...failures.map(describe)].join('\n'));
    if (options.save) writeFileSync(join(options.save, `${subject.name}.json`), JSON.stringify(report, null, 2));
    problems.push(...problemsOf(subject, report, failures));
}
for (const problem of problems) console.log(`real: ${problem}`);
console.log(`real: ${subjects.length} servers and clients, ${problems.length} problems`);
process.exit(problems.length > 0 ? 1 : 0);
