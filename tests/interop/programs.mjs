// Finds the programs under test, and starts one that serves HTTP.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const bin = process.env.TENON_BIN ?? new URL('../../build/bin', import.meta.url).pathname;
export const path = (program) => `${bin}/${program}`;

/** Starts a server with these environment variables too, and waits until it serves. After the test `t`, the functions of `beforeStop` disconnect the clients.
 *  Then the server gets SIGTERM and must exit with status 0. */
export async function startHttp(t, program, variables = {}) {
    const env = { ...process.env, ...variables };
    const child = spawn(path(program), ['--http', '0'], { stdio: ['ignore', 'ignore', 'pipe'], env });
    const exited = once(child, 'exit');
    const kill = () => child.kill('SIGKILL'); // for a failed test that did not stop the server
    process.once('exit', kill);
    exited.then(() => process.off('exit', kill));
    const server = {
        stderr: '',
        beforeStop: [],
        async stop() {
            server.stopped = true;
            child.kill('SIGTERM');
            assert.deepEqual(await exited, [0, null], `exit of ${program}; stderr: ${server.stderr}`);
        },
    };
    t.after(async () => {
        try {
            for (const disconnect of server.stopped ? [] : server.beforeStop) await disconnect();
        } finally {
            await server.stop();
        }
    });
    server.url = await new Promise((resolve, reject) => {
        child.stderr.setEncoding('utf8').on('data', (chunk) => {
            server.stderr += chunk;
            const [, url] = /serving (http:\S+)\s/.exec(server.stderr) ?? [];
            if (url) resolve(new URL(url));
        });
        exited.then(([status]) => reject(new Error(`${program} exited with status ${status}: ${server.stderr}`)));
    });
    return server;
}
