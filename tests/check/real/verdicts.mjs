// Reads verdicts.txt: one line for each failure that a server or client of another project really has.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

export const readVerdicts = (path) => parseVerdicts(readFileSync(path, 'utf8'), path);

/** Returns the verdicts by "SUBJECT RULE REVISION". A line has five parts with "|" between them:
 *  subject | rule | revision | true, false or "true, sometimes" | reason. */
function parseVerdicts(text, path) {
    const verdicts = new Map();
    for (const [index, line] of text.split('\n').entries()) {
        if (line.trim() === '' || line.startsWith('#')) continue;
        const parts = line.split('|').map((part) => part.trim());
        const [subject, rule, revision, verdict, ...reason] = parts;
        const where = `${path}:${index + 1}`;
        if (!/^(true|false)(, sometimes)?$/.test(verdict ?? '') || !reason.join('|'))
            throw new Error(`${where}: a verdict is: subject | rule | revision | true or false | reason`);
        const key = `${subject} ${rule} ${revision}`;
        if (verdicts.has(key)) throw new Error(`${where}: there is a second verdict for ${key}`);
        verdicts.set(key, { subject, isTrue: verdict.startsWith('true'), sometimes: verdict.endsWith('sometimes') });
    }
    return verdicts;
}

/** Compares the failures of one subject with its verdicts. Returns what is wrong, in sentences. */
export function compare(verdicts, subject, failures) {
    const problems = [];
    const seen = new Set(failures.map(({ rule, revision }) => `${subject} ${rule} ${revision}`));
    for (const key of seen) {
        const verdict = verdicts.get(key);
        if (!verdict) problems.push(`${key} failed and has no verdict: read the specification, and write one`);
        else if (!verdict.isTrue) problems.push(`${key} failed, and its verdict is false: correct the checker`);
    }
    for (const [key, verdict] of verdicts)
        if (verdict.subject === subject && !seen.has(key) && !verdict.sometimes)
            problems.push(`${key} has a verdict, but did not fail: remove the verdict`);
    return problems;
}

/** Throws if a wrong verdict is not noticed. */
export function selftest() {
    const verdicts = parseVerdicts('# comment\na | R-1.x | 2025-11-25 | true | why\na | R-2.x | 2025-11-25 | true, sometimes | why', 't');
    const failure = (rule) => ({ rule, revision: '2025-11-25' });
    assert.deepEqual(compare(verdicts, 'a', [failure('R-1.x')]), []);
    assert.deepEqual(compare(verdicts, 'a', [failure('R-1.x'), failure('R-2.x')]), []);
    assert.match(compare(verdicts, 'a', [])[0], /a R-1.x 2025-11-25 has a verdict, but did not fail/);
    assert.match(compare(verdicts, 'a', [failure('R-1.x'), failure('R-3.x')])[0], /R-3.x 2025-11-25 failed and has no verdict/);
    assert.match(compare(verdicts, 'b', [failure('R-1.x')])[0], /b R-1.x 2025-11-25 failed and has no verdict/);
    const bad = parseVerdicts('a | R-1.x | 2025-11-25 | false | why', 't');
    assert.match(compare(bad, 'a', [failure('R-1.x')])[0], /its verdict is false/);
    assert.throws(() => parseVerdicts('a | R-1.x | 2025-11-25 | true', 't'), /t:1: a verdict is/);
    assert.throws(() => parseVerdicts('a | R-1.x | 2025-11-25 | perhaps | why', 't'), /t:1: a verdict is/);
    assert.throws(() => parseVerdicts('a | b | c | true | why\na | b | c | true | why', 't'), /t:2: there is a second/);
}
