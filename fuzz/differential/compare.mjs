// Reads the cases that the native program writes, and compares each with the result of another implementation. The table
// `known` of a subject has the differences that are right, with the reason.
//
// usage: node compare.mjs PROGRAM SUBJECT SEED COUNT
import { spawn } from 'node:child_process';

const [program, subject, seed, count] = process.argv.slice(2);
const { parts, judge, known } = await import(`./${subject}.mjs`);

// Splits the output into its parts. Each part is a length of four bytes, then the bytes.
async function* frames(stream) {
    let rest = Buffer.alloc(0);
    for await (const chunk of stream) {
        rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32LE(0)) {
            const end = 4 + rest.readUInt32LE(0);
            yield rest.subarray(4, end);
            rest = rest.subarray(end);
        }
    }
    if (rest.length > 0) throw new Error('the last case is cut');
}

const child = spawn(program, [subject, seed, count], { stdio: ['ignore', 'pipe', 'inherit'] });
const seen = new Map(known.map((row) => [row.what, 0]));
let cases = 0, accepted = 0, different = 0, current = [];
for await (const frame of frames(child.stdout)) {
    current.push(frame);
    if (current.length < parts) continue;
    const texts = current;
    current = [];
    cases += 1;
    if (texts.at(-1).toString().startsWith('+')) accepted += 1;
    const difference = await judge(...texts);
    if (!difference) continue;
    const row = known.find((k) => k.when(difference, ...texts));
    if (row) {
        seen.set(row.what, seen.get(row.what) + 1);
        continue;
    }
    different += 1;
    if (different <= 10) console.log(`DIFFERENT: ${difference}\n${texts.map((t) => '  ' + JSON.stringify(t.toString('latin1'))).join('\n')}`);
}
for (const [what, times] of seen) console.log(`known, ${times} times: ${what}`);
console.log(`${subject}: ${cases} cases, ${accepted} accepted by Tenon, ${different} differences`);
if (cases < Number(count) || accepted === 0) console.log(`compare.mjs: too few cases; exit status ${child.exitCode}`);
process.exit(different === 0 && cases === Number(count) && accepted > 0 ? 0 : 1);
