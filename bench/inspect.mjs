// Starts `tenon inspect` and the official Inspector in turns, on the same server and in the same browser, and prints what each
// needs until its page is usable. For tenon that is: connected, with the list of tools. For the Inspector: its page is drawn; its
// user still has to connect.
//
// usage: node bench/inspect.mjs BUILD_FOLDER [ROUNDS]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
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
function costOf(root) {
    let memory = 0;
    let cpu = 0;
    for (const pid of processesOf(root)) {
        memory += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
        for (const thread of readdirSync(`/proc/${pid}/task`))
            cpu += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / NS_PER_MS;
    }
    return { memory, cpu };
}

/** Sends a request, reads the whole response, and resolves to the milliseconds that it took. */
function timeOf(url, options, body) {
    const begin = performance.now();
    return new Promise((done, fail) => {
        const sent = request(url, options, (response) => {
            response.resume();
            response.on('end', () => done(performance.now() - begin));
        });
        sent.on('error', fail);
        sent.end(body);
    });
}

/** How long the program takes to answer all requests of its page, one after another, without the work of the browser. */
async function answering(page) {
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const { names, key, origin } = await page.evaluate(() => ({
        names: performance.getEntriesByType('resource').map(({ name }) => name),
        key: document.querySelector('meta[name="tenon-key"]')?.content ?? '',
        origin: location.origin,
    }));
    const headers = { Cookie: cookie, 'X-Tenon-Key': key, Origin: origin, 'Content-Type': 'application/json' };
    let sum = 0;
    for (const url of [`${origin}/`, ...names].filter((one) => one.startsWith(origin) && !/\/api\/events/.test(one)))
        sum += url.includes('/api/')
            ? await timeOf(url, { method: 'POST', headers }, '{}')
            : await timeOf(url, { headers: { Cookie: cookie } });
    return sum;
}

async function measure(program, browser) {
    const [command, ...args] = program.command();
    const env = { ...process.env, HOME: home, ...(await program.environment()) };
    const begin = performance.now();
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const url = await new Promise((done, fail) => {
        for (const stream of [child.stdout, child.stderr])
            createInterface({ input: stream }).on('line', (line) => {
                const found = /(http:\/\/\S+(?:token|TOKEN)=\S+)/.exec(line);
                if (found) done(found[1]);
            });
        child.on('exit', (status) => fail(new Error(`${command} ended with status ${status}`)));
    });
    const printed = performance.now() - begin;
    const context = await browser.newContext();
    const page = await context.newPage();
    const opened = performance.now();
    await page.goto(url);
    await program.usable(page);
    const browsing = performance.now() - opened;
    const { memory, cpu } = costOf(child.pid);
    const requests = await answering(page);
    await context.close();
    child.removeAllListeners('exit');
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 3000);
    await ended;
    clearTimeout(late);
    return { printed, cpu, own: printed + cpu, requests, browsing, memory };
}

const browser = await launch();
const best = {};
try {
    for (let round = 0; round < rounds; ++round)
        for (const [name, program] of Object.entries(PROGRAMS)) {
            const one = await measure(program, browser);
            best[name] ??= one;
            for (const key of Object.keys(one)) best[name][key] = Math.min(best[name][key], one[key]);
        }
} finally {
    await browser.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

const columns = {
    printed: 'link printed ms',
    cpu: 'CPU ms',
    own: 'own time ms',
    requests: 'requests ms',
    browsing: 'in the browser ms',
    memory: 'memory MiB',
};
const row = (name, cells) => console.log(`${name.padEnd(14)}${cells.map((one) => one.padStart(19)).join('')}`);
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
console.log(`own time: until the link is printed, and all CPU time until the page is usable (goal: 100 ms and 20 MiB). requests: all requests of the page, one after another, from a script; best of ${rounds}`);
process.exit(0);
