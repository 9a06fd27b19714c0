// node bench.mjs FOLDER: prints the CPU nanoseconds per validation with validators compiled by Ajv, one line per case.
import { readFileSync } from "node:fs";
import Ajv from "ajv";

const folder = process.argv[2];
const read = (name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));

function cpuNanoseconds(run, times) {
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) run();
  const used = process.cpuUsage(before);
  return ((used.user + used.system) * 1000) / times;
}

for (const [name, times] of [["call", 3_000_000], ["document", 600]]) {
  const validate = new Ajv({ strict: false }).compile(read(`${name}.schema.json`));
  const instance = read(`${name}.json`);
  if (!validate(instance)) throw new Error(`${name} is not valid`);
  let valid = 0;
  const run = () => { if (validate(instance)) valid++; };
  cpuNanoseconds(run, times); // warm-up: the engine optimises the code
  const best = Math.min(...[1, 2, 3].map(() => cpuNanoseconds(run, times)));
  if (valid === 0) throw new Error("nothing was measured");
  console.log(`ajv/${name} ${best.toFixed(1)}`);
}
