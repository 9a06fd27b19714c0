// Starts `tenon inspect` and the official Inspector in turns, on the same server and in the same browser, and prints what each
// needs until its page is usable. For tenon that is: connected, with the list of tools. For the Inspector: its page is drawn; its
// user still has to connect.
//
// usage: node bench/inspect.mjs BUILD_FOLDER [ROUNDS]
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { launch } from '../tests/inspect/browser.mjs';

const build = resolve(process.argv[2] ?? 'build');
const rounds = Number(process.argv[3] ?? 5);
const inspector = resolve(
    import.meta.dirname,
    '../tests/interop/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);
const home = mkdtempSync(join(tmpdir(), 'tenon-bench-'));
const everything = join(build, 'bin/everything');

async function freePort() {
    const probe = createServer();
    await new Promise((done) => probe.listen(0, '127.0.0.1', done));
    const { port } = probe.address();
    await new Promise((done) => probe.close(done));
    return port;
}

const PROGRAMS = {
    'tenon inspect': {
        command: () => [join(build, 'bin/tenon'), 'inspect', '--no-open', '--', everything],
        environment: async () => ({}),
        usable: (page) =>
            page.waitForFunction(() => /^\d+$/.test(document.querySelector('.card-value')?.textContent ?? '')),
    },
    Inspector: {
        command: () => [process.execPath, inspector, '--web', everything],
        environment: async () => ({ MCP_AUTO_OPEN_ENABLED: 'false', CLIENT_PORT: `${await freePort()}` }),
        usable: (page) => page.waitForFunction(() => document.querySelectorAll('button').length > 0),
    },
};

/** The processes of a program: itself and its children, without the inspected server. */
function processesOf(root) {
    const all = readdirSync('/proc').filter((one) => /^\d+$/.test(one));
    const found = new Set([String(root)]);
    for (let size = 0; size !== found.size; ) {
        size = found.size;
        for (const pid of all)
            try {
                const [, parent] = /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'));
                if (found.has(parent)) found.add(pid);
            } catch {
                // it has ended
            }
    }
    return [...found].filter((pid) => !readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(everything));
}

const NS_PER_MS = 1e6;

/** The measured program has a core of its own, so that the browser does not compete with it. */
const OWN_CORE = '0';
const CORES = availableParallelism();
const leaveOwnCore = () => {
    if (CORES > 1) spawnSync('taskset', ['--all-tasks', '--pid', '--cpu-list', `1-${CORES - 1}`, `${process.pid}`]);
};

/** What a program has used since its start: milliseconds of CPU time, milliseconds in which a thread could run but had no core,
 *  and memory in MiB. */
function costOf(root) {
    const sum = { cpu: 0, queued: 0, memory: 0 };
    for (const pid of processesOf(root)) {
        sum.memory += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
        for (const thread of readdirSync(`/proc/${pid}/task`)) {
            const [ran, queued] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
            sum.cpu += Number(ran) / NS_PER_MS;
            sum.queued += Number(queued) / NS_PER_MS;
        }
    }
    return sum;
}

/** Milliseconds in which the page waited for its program: from sending a request until its whole response was there, in the
 *  clock of the browser. Times in which several requests waited count once. The stream of events has no end, so it counts from the
 *  first command of the page until the commands that follow its first event. */
const waiting = (page) =>
    page.evaluate(() => {
        const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
        const spans = entries.map((one) => [one.requestStart || one.startTime, one.responseEnd]);
        const sent = (command) => entries.find((one) => one.name.endsWith(`/api/${command}`))?.startTime;
        if (sent('decisions') !== undefined && sent('server') !== undefined) spans.push([sent('decisions'), sent('server')]);
        spans.sort((one, other) => one[0] - other[0]);
        let [sum, end] = [0, 0];
        for (const [from, to] of spans) {
            sum += Math.max(0, to - Math.max(from, end));
            end = Math.max(end, to);
        }
        return { waiting: sum, requests: entries.length };
    });

async function measure(program, browser) {
    const [command, ...args] = program.command();
    const env = { ...process.env, HOME: home, ...(await program.environment()) };
    const begin = performance.now();
    const child = spawn('taskset', ['--cpu-list', OWN_CORE, command, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const url = await new Promise((done, fail) => {
        for (const stream of [child.stdout, child.stderr])
            createInterface({ input: stream }).on('line', (line) => {
                const found = /(http:\/\/\S+(?:token|TOKEN)=\S+)/.exec(line);
                if (found) done(found[1]);
            });
        child.on('exit', (status) => fail(new Error(`${command} ended with status ${status}`)));
    });
    const printed = performance.now() - begin;
    const atLink = costOf(child.pid);
    const context = await browser.newContext();
    const page = await context.newPage();
    const opened = performance.now();
    await page.goto(url);
    await program.usable(page);
    const browsing = performance.now() - opened;
    const cost = costOf(child.pid);
    const waited = await waiting(page);
    await context.close();
    child.removeAllListeners('exit');
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 3000);
    await ended;
    clearTimeout(late);
    return { printed, ...waited, own: printed + cost.cpu + cost.queued - atLink.cpu - atLink.queued, ...cost, browsing };
}

leaveOwnCore();
const browser = await launch(); // its processes use the cores of this one
const best = {};
const loads = [loadavg()[0]];
try {
    for (let round = 0; round < rounds; ++round)
        for (const [name, program] of Object.entries(PROGRAMS)) {
            const one = await measure(program, browser);
            if (!best[name] || one.own < best[name].own) best[name] = one;
        }
    loads.push(loadavg()[0]);
} finally {
    await browser.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

const columns = {
    printed: 'link ms',
    waiting: 'waiting ms',
    own: 'own time ms',
    cpu: 'CPU ms',
    queued: 'queued ms',
    browsing: 'browser ms',
    requests: 'requests',
    memory: 'memory MiB',
};
const row = (name, cells) => console.log(`${name.padEnd(14)}${cells.map((one) => one.padStart(13)).join('')}`);
row('', Object.values(columns));
for (const [name, one] of Object.entries(best))
    row(
        name,
        Object.keys(columns).map((key) => one[key].toFixed(1)),
    );
row(
    'ratio',
    Object.keys(columns).map((key) => `${(best.Inspector[key] / best['tenon inspect'][key]).toFixed(1)}x`),
);
console.log(`The round with the smallest own time, of ${rounds}; ${CORES} cores, load ${loads.map((one) => one.toFixed(1)).join(' to ')}.
link: from the start of the program until its link was read. waiting: the page had sent a request and did not have the whole response.
own time: link, and then the time in which the program worked or had no core, until the page was usable (goal: 100 ms; memory 20 MiB).
CPU: of all threads of the program, from its start until the page was usable. queued: a thread could run, but had no core.
browser: from the link to the usable page, mostly the browser's own work.`);
process.exit(0);
