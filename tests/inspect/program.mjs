// Starts `tenon inspect` for a test, with an own folder for what it remembers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const bin = process.env.TENON_BIN ?? fileURLToPath(new URL('../../build/bin', import.meta.url));
export const program = (name) => join(bin, name);

/** Starts a program, and resolves to the first match of `pattern` in what it writes. It ends with the test. */
export async function startAndFind(t, command, args, pattern, options = {}) {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    const exited = once(child, 'exit');
    exited.then(() => process.off('exit', kill));
    t.after(async () => {
        child.kill('SIGTERM');
        await exited;
    });
    let all = '';
    return new Promise((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr])
            createInterface({ input: stream }).on('line', (line) => {
                all += `${line}\n`;
                const found = pattern.exec(line);
                if (found) resolve(found[1]);
            });
        exited.then(([status]) => reject(new Error(`${command} ended with status ${status}: ${all}`)));
    });
}

/** A folder that is removed when the program that uses it has ended. */
export const ownFolder = () => mkdtempSync(join(tmpdir(), 'tenon-inspect-'));
export const remove = (folder) => rmSync(folder, { recursive: true, force: true });

/** Starts the program on a target. It remembers things in `folder`. Resolves to the URL with the token. */
export function startInspect(t, args, folder = ownFolder()) {
    const env = {
        ...process.env,
        PATH: `${bin}:${process.env.PATH}`,
        HOME: folder,
        XDG_STATE_HOME: folder,
        XDG_CONFIG_HOME: folder,
        XDG_DATA_HOME: folder,
    };
    const url = startAndFind(t, program('tenon'), ['inspect', '--no-open', ...args], /^(http:\/\/\S+)$/, {
        env,
        cwd: folder,
    });
    t.after(() => remove(folder)); // after the program has ended: these steps run in the order in which they were added
    return url;
}

/** Calls `start` with a port that is free now. Another program may be faster: then another port is tried. */
export async function withFreePort(start) {
    for (let tries = 0; ; ++tries) {
        const probe = createServer();
        await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve));
        const { port } = probe.address();
        await new Promise((resolve) => probe.close(resolve));
        try {
            return await start(port);
        } catch (error) {
            if (tries === 5) throw error;
        }
    }
}

/** Starts an example server over HTTP. Resolves to its URL. */
export const startHttp = (t, name = 'everything') =>
    startAndFind(t, program(name), ['--http', '0'], /serving (http:\S+)/);

/** Starts a script of Node. Resolves to the first match of `pattern` in what it writes. */
export const startNode = (t, args, pattern, options) => startAndFind(t, process.execPath, args, pattern, options);

const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/** For work on the page: with TENON_PAGE=files, the files of web/ replace those inside of the program. */
export async function withFiles(context) {
    if (process.env.TENON_PAGE !== 'files') return;
    const read = (path) => readFileSync(fileURLToPath(new URL(`../../web${path}`, import.meta.url)), 'utf8');
    await context.route(
        (url) => url.pathname !== '/' && TYPES[extname(url.pathname)] !== undefined,
        (route) => {
            const { pathname } = new URL(route.request().url());
            return route.fulfill({ body: read(pathname), contentType: TYPES[extname(pathname)] });
        },
    );
    await context.route(
        (url) => url.pathname === '/' && url.search === '',
        async (route) => {
            const response = await route.fetch();
            const text = await response.text();
            const meta = (name) => new RegExp(`${name}" content="([^"]*)`).exec(text)?.[1] ?? '';
            return route.fulfill({
                response,
                body: read('/index.html')
                    .replace('@TENON_KEY@', meta('tenon-key'))
                    .replace('@TENON_APPS@', meta('tenon-apps')),
            });
        },
    );
}

/** Starts a tap as a client would: its input and output carry the messages, and the URL is on standard error. */
export async function startTap(t, args) {
    const folder = ownFolder();
    const child = spawn(program('tenon'), ['inspect', '--tap', '--no-open', ...args], {
        env: { ...process.env, HOME: folder, XDG_STATE_HOME: folder },
        cwd: folder,
    });
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    const exited = once(child, 'exit').finally(() => process.off('exit', kill));
    t.after(async () => {
        child.stdin.end();
        child.kill('SIGTERM');
        await exited;
        remove(folder);
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const client = {
        send: (message) => child.stdin.write(`${JSON.stringify(message)}\n`),
        next: async () => JSON.parse((await lines.next()).value),
    };
    const url = await new Promise((resolve, reject) => {
        createInterface({ input: child.stderr }).on('line', (line) => {
            const found = /(http:\/\/\S+token=\S+)/.exec(line);
            if (found) resolve(found[1]);
        });
        exited.then(([status]) => reject(new Error(`the tap ended with status ${status}`)));
    });
    return { url, client };
}
