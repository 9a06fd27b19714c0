// Reads the results of one scenario, and prints the checks that did not pass. Warnings count as failures, because a
// client should do what they ask for. So do skipped checks, except for methods that the revision does not have.
//
// usage: verdict_client.mjs RESULTS STATUS
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [results, status] = process.argv.slice(2);

// http-standard-headers is for 2026-07-28 only, where there is no handshake.
// The hints of skills are defined from 2026-07-28 on. There they must be tried.
const cannot_be_tried = new Set(['ClientMcpMethodHeader_initialize', 'ClientMcpMethodHeader_notifications_initialized']);
const of_a_newer_revision = ({ id, errorMessage }) =>
  /^sep-2640-skills-(list|get)-cache-attributes$/.test(id) && /^not applicable on negotiated protocol/.test(errorMessage);

const passed = (check) =>
  check.status === 'SUCCESS' || check.status === 'INFO' || (check.status === 'SKIPPED' && (cannot_be_tried.has(check.name) || of_a_newer_revision(check)));

const files = existsSync(results) ? readdirSync(results, { recursive: true }).filter((f) => f.endsWith('checks.json')) : [];
const checks = files.flatMap((file) => JSON.parse(readFileSync(join(results, file), 'utf8')));
const wrong = checks
  .filter((check) => !passed(check))
  .map((check) => `${check.status} ${check.id} ${check.name}: ${check.errorMessage ?? check.description}`);
if (!checks.some((check) => check.status === 'SUCCESS')) wrong.push('nothing was checked');
if (status !== '0') wrong.push(`the suite ended with status ${status}`);
for (const line of wrong) console.log(line);
process.exitCode = wrong.length === 0 ? 0 : 1;
