// Measures calls over HTTP with each store: their time, and the CPU time of all nodes. Calls that use the store answer with a
// stream of stored events; others answer with JSON. See docs/performance.md.
//
// usage: store_calls.mjs BIN [ROUNDS] [CALLS]     BIN has the program `everything`
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import os from "node:os";
import { join } from "node:path";

const [bin, rounds = "9", calls = "1500"] = process.argv.slice(2);
const dir = mkdtempSync(join(os.tmpdir(), "tenon-store-bench-"));
const children = [];
process.on("exit", () => {
    for (const child of children) child.kill("SIGKILL");
    rmSync(dir, { recursive: true, force: true });
});

// ---- processes

function start(program, words) {
    const child = spawn(program, words, { stdio: ["ignore", "ignore", "pipe"] });
    children.push(child);
    child.log = "";
    child.stderr.on("data", (data) => { child.log += data; });
    return child;
}
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
async function until(condition, what) {
    for (let tries = 0; !await condition(); ++tries) {
        if (tries > 2000) throw new Error(`it does not start: ${what}`);
        await pause(10);
    }
}
async function startNode(store) {
    const child = start(join(bin, "everything"), ["--http", "0", ...(store ? ["--store", store] : [])]);
    const port = () => child.log.match(/serving http:\/\/127\.0\.0\.1:(\d+)/)?.[1];
    await until(() => port(), child.log);
    return { pid: child.pid, port: Number(port()) };
}
async function startRedis() {
    const path = join(dir, "redis.sock");
    const child = start("redis-server", ["--port", "0", "--unixsocket", path, "--save", "", "--dir", dir]);
    const accepts = () => new Promise((done) => {
        const socket = net.connect(path, () => (socket.destroy(), done(true)));
        socket.on("error", () => done(false));
    });
    await until(accepts, "redis-server");
    return { pid: child.pid, url: `redis+unix:${path}` };
}
// Returns the CPU time of a process in microseconds, by the scheduler's clock.
function cpu(pid) {
    let sum = 0;
    for (const task of readdirSync(`/proc/${pid}/task`))
        sum += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]);
    return sum / 1000;
}

// ---- requests

const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
function post(port, fields, body) {
    return new Promise((done, fail) => {
        const text = JSON.stringify({ jsonrpc: "2.0", ...body });
        const request = http.request({ port, host: "127.0.0.1", path: "/mcp", method: "POST", agent, headers: {
            "Content-Type": "application/json", Accept: "application/json, text/event-stream",
            "Content-Length": Buffer.byteLength(text), ...fields } }, (response) => {
            let all = "";
            response.on("data", (data) => { all += data; });
            response.on("end", () => done({ status: response.statusCode, headers: response.headers, text: all }));
        });
        request.on("error", fail);
        request.end(text);
    });
}
let lastId = 0;
const legacy = { "MCP-Protocol-Version": "2025-11-25" };
const call = (name, args, meta) => ({ id: ++lastId, method: "tools/call", params: { name, arguments: args, ...(meta && { _meta: meta }) } });
const kinds = {
    // Three stored events: one for resuming, the progress, and the response.
    "stream": (s) => [{ ...legacy, "Mcp-Session-Id": s }, call("count", { to: 1, delay_ms: 0 }, { progressToken: 1 })],
    "JSON, session": (s) => [{ ...legacy, "Mcp-Session-Id": s }, call("echo", { message: "hello" })],
    "JSON, 2026-07-28": () => [{ "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "echo" },
        call("echo", { message: "hello" }, { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} })],
};
async function openSession(ports) {
    const hello = await post(ports[0], {}, { id: ++lastId, method: "initialize", params: {
        protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } } });
    const id = hello.headers["mcp-session-id"];
    await post(ports[0], { ...legacy, "Mcp-Session-Id": id }, { method: "notifications/initialized" });
    return id;
}
async function one(port, session, kind) {
    const [fields, body] = kinds[kind](session);
    const answer = await post(port, fields, body);
    if (answer.status !== 200 || !answer.text.includes(kind === "stream" ? "counted to 1" : "hello"))
        throw new Error(`a wrong answer: ${answer.status} ${answer.text}`);
}

// ---- measuring

// One call at a time for the time of a call; then 8 at a time for each node, for the CPU time. Requests go to the nodes in turn.
async function measure(setup, kind, count) {
    const ports = setup.nodes.map((node) => node.port);
    const sessions = await Promise.all(Array.from({ length: 8 * ports.length }, () => openSession(ports)));
    const each = Math.ceil(count / 8);
    let turn = 0;
    const next = (session) => one(ports[turn++ % ports.length], session, kind);
    for (const session of sessions) for (let i = 0; i < 2 * ports.length; ++i) await next(session);
    const times = [];
    for (let i = 0; i < count / 3; ++i) {
        const began = process.hrtime.bigint();
        await next(sessions[0]);
        times.push(Number(process.hrtime.bigint() - began) / 1000);
    }
    const used = () => setup.nodes.reduce((sum, node) => sum + cpu(node.pid), 0);
    const [nodes, store] = [used(), setup.redis ? cpu(setup.redis.pid) : 0];
    await Promise.all(sessions.map(async (session) => { for (let i = 0; i < each; ++i) await next(session); }));
    const done = each * sessions.length;
    times.sort((a, b) => a - b);
    return { p50: times[Math.floor(times.length / 2)], cpu: (used() - nodes) / done,
        store: setup.redis ? (cpu(setup.redis.pid) - store) / done : 0 };
}
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
function shuffled(list) {
    const out = [...list];
    for (let i = out.length - 1; i > 0; --i) {
        const j = Math.floor(Math.random() * (i + 1));
        [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
}

const redis = await startRedis();
const nodes = async (store, count) => Promise.all(Array.from({ length: count }, () => startNode(store)));
const setups = {
    "memory": { nodes: await nodes("", 1) },
    "sqlite": { nodes: await nodes(`sqlite:${join(dir, "state.db")}`, 1) },
    "redis": { nodes: await nodes(redis.url, 1), redis },
    "redis, 3 nodes": { nodes: await nodes(`${redis.url}?prefix=three`, 3), redis },
};
const cells = Object.keys(kinds).flatMap((kind) => Object.keys(setups).map((name) => ({ kind, name, runs: [] })));
for (const cell of cells) await measure(setups[cell.name], cell.kind, 200);  // warms up
for (let round = 0; round < Number(rounds); ++round)
    for (const cell of shuffled(cells)) cell.runs.push(await measure(setups[cell.name], cell.kind, Number(calls)));

// Ratios and differences are of one round, and the table has their median: a busy machine disturbs both sides.
const of = (kind, name) => cells.find((cell) => cell.kind === kind && cell.name === name);
const compare = (cell, base, f) => median(cell.runs.map((run, round) => f(run, base.runs[round])));
console.log(`${rounds} rounds of ${calls} calls; load average ${os.loadavg()[0].toFixed(1)} on ${os.cpus().length} cores`);
console.log(["call".padEnd(18), "store".padEnd(15), ...["p50 us", "+ us", "CPU us", "x memory", "x 1 node", "redis us"]
    .map((s) => s.padStart(9))].join(" "));
for (const cell of cells) {
    const memory = of(cell.kind, "memory"), single = of(cell.kind, "redis");
    const columns = [
        median(cell.runs.map((run) => run.p50)).toFixed(0),
        cell === memory ? "" : compare(cell, memory, (a, b) => a.p50 - b.p50).toFixed(0),
        median(cell.runs.map((run) => run.cpu)).toFixed(1),
        cell === memory ? "" : compare(cell, memory, (a, b) => a.cpu / b.cpu).toFixed(2),
        cell.name.includes("nodes") ? compare(cell, single, (a, b) => a.cpu / b.cpu).toFixed(2) : "",
        setups[cell.name].redis ? median(cell.runs.map((run) => run.store)).toFixed(1) : "",
    ];
    console.log([cell.kind.padEnd(18), cell.name.padEnd(15), ...columns.map((s) => s.padStart(9))].join(" "));
}
process.exit(0);
