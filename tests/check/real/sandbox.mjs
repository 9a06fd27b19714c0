// Runs `tenon check` on one server or client, in an empty folder that is also its HOME.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const bin = process.env.TENON_BIN ?? resolve(import.meta.dirname, '../../../build/bin');
const tenon = `${bin}/tenon`;
const seconds = { answer: 20, check: 240, all: 300, listen: 60 };
const common = ['check', '--json', '--time', String(seconds.check)];

/** Calls `use(folder)` with a new folder, and removes the folder. */
async function inFolder(use) {
    const folder = mkdtempSync(join(tmpdir(), 'tenon-real-'));
    for (const name of ['tmp', 'work', 'dir']) mkdirSync(join(folder, name));
    try {
        return await use(folder);
    } finally {
        rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
}

/** Returns the only environment variables that a server or client gets. */
function environment(folder) {
    const path = `${dirname(process.execPath)}:${process.env.PATH}`;
    return { PATH: path, HOME: folder, TMPDIR: join(folder, 'tmp'), LANG: 'C.UTF-8', NO_COLOR: '1' };
}

/** Runs tenon, and returns its report with its exit status. */
function report(args, folder) {
    const options = { cwd: join(folder, 'work'), env: environment(folder), maxBuffer: 1 << 28, timeout: seconds.all * 1000 };
    return new Promise((done) => {
        const child = execFile(tenon, args, options, (error, stdout, stderr) => {
            const status = error ? error.code ?? error.signal : 0;
            try {
                done({ ...JSON.parse(stdout), status, stderr });
            } catch {
                done({ findings: [], summary: { passed: 0 }, status, stderr });
            }
        });
        child.stdin.end();
    });
}

/** Returns the script of an npm package. */
export function script({ package: name, bin: wanted, folder = '.' }) {
    const root = resolve(import.meta.dirname, folder, 'node_modules', name);
    const { bin: bins } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return join(root, typeof bins === 'string' ? bins : bins[wanted] ?? Object.values(bins)[0]);
}

async function freePort() {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    server.close();
    await once(server, 'close');
    return port;
}

function accepts(port, host) {
    const socket = connect(port, host);
    return new Promise((done) => {
        socket.once('connect', () => done(true));
        socket.once('error', () => done(false));
    }).finally(() => socket.destroy());
}

async function listens(port, host) {
    for (const end = Date.now() + seconds.listen * 1000; Date.now() < end; ) {
        if (await accepts(port, host)) return true;
        await new Promise((done) => setTimeout(done, 50));
    }
    return false;
}

/** Runs `use()` while an HTTP server runs. The server and its children are ended by their process group. */
async function whileServing({ command, env, cwd, port, host }, use) {
    const child = spawn(command[0], command.slice(1), { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said = (said + bytes).slice(-2000)));
    const exited = once(child, 'exit');
    try {
        if (await listens(port, host)) return await use();
        return { findings: [], summary: { passed: 0 }, status: 3, stderr: `it does not listen: ${said}` };
    } finally {
        try {
            process.kill(-child.pid, 'SIGKILL');
        } catch {
            // it has ended by itself
        }
        await exited;
    }
}

/** Checks a server of servers.mjs. `more` are further options of `tenon check`. */
export function checkServer(server, more = []) {
    return inFolder(async (folder) => {
        const dir = join(folder, 'dir');
        const port = server.path ? await freePort() : 0;
        const fill = (text) => text.replaceAll('{dir}', dir).replaceAll('{port}', String(port));
        for (const [name, text] of Object.entries(server.files ?? {})) writeFileSync(join(dir, name), text);
        const command = [process.execPath, script(server), ...(server.args ?? []).map(fill)];
        const own = Object.fromEntries(Object.entries(server.env ?? {}).map(([name, value]) => [name, fill(value)]));
        const cwd = join(folder, 'work');
        const options = [...common, '--seed', '1', '--security', '--timeout', String(seconds.answer), ...more];
        if (server.path) {
            const host = server.host ?? '127.0.0.1';
            const env = { ...environment(folder), ...own };
            const url = `http://${host}:${port}${server.path}`;
            return whileServing({ command, env, cwd, port, host }, () => report([...options, url], folder));
        }
        const env = { ...own, TMPDIR: join(folder, 'tmp') };
        const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
        return report([...options, ...variables, '--cwd', cwd, '--', ...command], folder);
    });
}

/** Checks a client of clients.mjs. */
export function checkClient({ command }) {
    const words = { node: process.execPath, tenon };
    return inFolder((folder) => report([...common, '--client', '--', ...command.map((word) => words[word] ?? word)], folder));
}
