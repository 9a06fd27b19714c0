// Runs the cells: starts the servers, measures them in turns with `tenon bench`, and stops them.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import { servers, tenon } from "./cells.mjs";

const pinned = os.cpus().length > 1 && spawnSync("taskset", ["--version"]).status === 0;
const on = (cpu, words) => (pinned ? ["taskset", "-c", String(cpu), ...words] : words).map(String);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

const freePort = () => new Promise((done) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
        const { port } = server.address();
        server.close(() => done(port));
    });
});

const connects = (port) => new Promise((done) => {
    const socket = net.connect(port, "127.0.0.1", () => (socket.destroy(), done(true)));
    socket.on("error", () => done(false));
});

async function startServer(name, cell) {
    const port = await freePort();
    const [program, ...words] = on(0, servers[name].http({ port, ...cell }));
    const child = spawn(program, words, { stdio: "ignore" });
    for (let tries = 0; !await connects(port); ++tries) {
        if (tries > 1000 || child.exitCode !== null) throw new Error(`${name} does not start: ${program} ${words.join(" ")}`);
        await pause(10);
    }
    return { name, port, child };
}

// Returns the CPU seconds that all processes of the machine have used.
function busySeconds() {
    if (!existsSync("/proc/stat")) return 0;
    const ticks = readFileSync("/proc/stat", "utf8").split("\n")[0].split(/\s+/).slice(1, 9).map(Number);
    return (ticks.reduce((a, b) => a + b) - ticks[3] - ticks[4]) / 100;
}

function bench(words) {
    const before = busySeconds();
    const started = Date.now();
    const [program, ...rest] = on(1, [tenon, "bench", "--json", "--quiet", "--yes", ...words]);
    const { status, stdout, stderr } = spawnSync(program, rest, { encoding: "utf8", maxBuffer: 1 << 26 });
    if (status !== 0) throw new Error(`tenon bench ${words.join(" ")} ended with status ${status}: ${stderr}`);
    const found = JSON.parse(stdout);
    const busy = (busySeconds() - before) / ((Date.now() - started) / 1000);
    const own = (found.server?.cpuSeconds ?? 0) / (found.seconds || 1) + (found.generatorLoad ?? 0);
    return { ...found, foreign: Math.max(0, busy - own) };
}

const hold = (cell) => (cell.hold ? ["--hold", cell.hold] : []);
const load = (cell) => (cell.idle ? ["--duration", "0", "--warmup", "0"] : []);

function run(cell, server, { duration, warmup }) {
    const common = ["--era", cell.era, ...(cell.progress ? ["--progress"] : []), "--duration", duration, "--warmup", warmup];
    const command = cell.way === "stdio" && servers[server.name].stdio(cell);
    // Not pinned with taskset, because the start of taskset would be measured too.
    if (cell.start) return bench(["--startup", cell.start, "--era", cell.era, "--", ...command]);
    if (cell.way === "stdio") return bench([cell.call, "--in-flight", cell.at_once, ...common, "--", ...on(0, command)]);
    return bench([`http://127.0.0.1:${server.port}/mcp`, cell.call, "--connections", cell.at_once,
        "--pid", server.child.pid, ...common, ...hold(cell), ...load(cell)]);
}

/// Measures all servers of a cell in turns. So a disturbance of the machine affects all of them.
export async function measure(cell, { rounds, duration, patience }) {
    const names = Object.keys(servers).filter(
        (name) => servers[name].eras.includes(cell.era) && !(cell.alone && servers[name].peer));
    const started = [];
    const runs = new Map(names.map((name) => [name, []]));
    // Start a new server for each measurement of idle sessions, because a process keeps memory that it once used.
    const fresh = cell.idle;
    try {
        if (cell.way === "http" && !fresh) for (const name of names) started.push(await startServer(name, cell));
        for (let round = 0; round < rounds; ++round)
            for (const name of names) {
                const server = started.find((s) => s.name === name) ??
                    (fresh ? await startServer(name, cell) : { name });
                // Node compiles hot code. It should be measured after that.
                const cold = servers[name].peer && (round === 0 || cell.way === "stdio");
                runs.get(name).push(run(cell, server, { duration, warmup: cold ? patience : 0.3 }));
                if (fresh) server.child.kill();
            }
    } finally {
        for (const { child } of started) child.kill();
    }
    return runs;
}
