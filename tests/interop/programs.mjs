// Where the programs under test are, and one that serves HTTP.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const bin = process.env.TENON_BIN ?? new URL('../../build/bin', import.meta.url).pathname;
export const path = (program) => `${bin}/${program}`;

/** Starts a server and waits until it serves. When the test `t` is over its clients leave, by `beforeStop`, and then it
 *  is asked to leave too, and must exit with 0. */
export async function startHttp(t, program) {
    const child = spawn(path(program), ['--http', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const exited = once(child, 'exit');
    const kill = () => child.kill('SIGKILL'); // when a test that failed leaves the server behind
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
            for (const leave of server.stopped ? [] : server.beforeStop) await leave();
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
        exited.then(([status]) => reject(new Error(`${program} left with ${status}: ${server.stderr}`)));
    });
    return server;
}
