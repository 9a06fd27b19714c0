// Reads the results of a run of the suite, and prints the checks that did not pass. Warnings count as failures, because
// a server should do what they ask for. So do skipped checks that this server must allow.
//
// usage: verdict.mjs RESULTS LOG
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [results, log] = process.argv.slice(2);
const announced = Number(readFileSync(log, 'utf8').match(/\((\d+) scenarios\)/)?.[1] ?? 0);

const must_be_tried = new Set([
  'server-sse-content-type',
  'server-sse-priming-event',
  'server-sse-retry-field',
  'server-sse-disconnect-resume',
  'server-session-lifecycle-skipped',
  'server-session-delete-accepted',
  'server-session-terminated-returns-404'
]);

function passed({ id, status }) {
  if (status === 'SUCCESS') return true;
  return status !== 'FAILURE' && status !== 'WARNING' && !must_be_tried.has(id);
}

function failures(folder) {
  const file = join(results, folder, 'checks.json');
  if (!existsSync(file)) return ['the scenario could not be run'];
  return JSON.parse(readFileSync(file, 'utf8'))
    .filter((check) => !passed(check))
    .map((check) => `${check.status} ${check.id}: ${check.errorMessage ?? check.details?.message ?? check.description}`);
}

const scenarios = existsSync(results) ? readdirSync(results).sort() : [];
let failed = 0;
for (const folder of scenarios) {
  const found = failures(folder);
  if (found.length === 0) continue;
  ++failed;
  console.log(folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*/, ''));
  for (const line of found) console.log(`  ${line}`);
}
console.log(`${scenarios.length - failed} of ${announced} scenarios passed`);
if (announced === 0) console.log(readFileSync(log, 'utf8').slice(-4000));
process.exitCode = failed === 0 && announced > 0 && scenarios.length === announced ? 0 : 1;
