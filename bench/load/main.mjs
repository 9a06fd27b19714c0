// Measures the floor, Tenon and its peers under load, and prints tables: see docs/performance.md.
//
// usage: main.mjs [--quick] [--alone] [--rounds N] [--seconds S] [WORD...]     words choose cells: http 8,32   stdio modern   list
// --alone: without the peers
import { parseArgs } from "node:util";
import os from "node:os";
import { cells } from "./cells.mjs";
import { measure } from "./measure.mjs";
import { cellTable, goalTable, median } from "./table.mjs";

const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: "boolean" }, alone: { type: "boolean" }, rounds: { type: "string" }, seconds: { type: "string" } }
});
const chosen = cells.filter(
    (cell) => positionals.every((word) => cell.words.includes(word)) && (!values.quick || cell.quick))
    .map((cell) => ({ ...cell, alone: cell.alone || values.alone }));
if (chosen.length === 0) {
    const words = [...new Set(cells.flatMap((cell) => cell.words))].sort();
    console.error(`no cell has all of these words: ${positionals.join(" ")}\nthe words are: ${words.join(" ")}`);
    process.exit(2);
}
const settings = {
    rounds: Number(values.rounds ?? (values.quick ? 1 : 3)),
    duration: Number(values.seconds ?? 1),
    patience: 1.5
};

const found = new Map();
const foreign = [];
console.log(`${os.cpus().length} x ${os.cpus()[0].model}, Linux ${os.release()}, ${new Date().toISOString().slice(0, 16)}Z, ` +
    `${settings.rounds} rounds of ${settings.duration} s; server and generator on a core each\n`);
for (const cell of chosen) {
    const runs = await measure(cell, settings);
    found.set(cell.id ?? cell.title, { cell, runs });
    for (const list of runs.values()) foreign.push(...list.map((run) => run.foreign));
    console.log(cellTable(cell, runs));
}
console.log(goalTable(found));
console.log(`*: the generator was the limit. Other processes kept ${median(foreign).toFixed(2)} cores busy meanwhile (median).`);
