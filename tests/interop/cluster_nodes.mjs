// Starts Redis, nodes of `everything` and nginx as processes, for tests of a cluster.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as dial, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const bin = process.env.TENON_BIN;
const dir = mkdtempSync(join(tmpdir(), 'tenon-cluster-'));
const path = `${process.env.PATH}:/usr/sbin`;
const started = [];
process.on('exit', () => {
    for (const child of started) child.end();
    rmSync(dir, { recursive: true, force: true });
});

const has = program => spawnSync('sh', ['-c', `command -v ${program}`], { env: { ...process.env, PATH: path } }).status === 0;
export const skip = has('redis-server') && has('nginx') ? false : 'redis-server or nginx is not installed';

export function start(program, args) {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, PATH: path } });
    started.push(child);
    // A killed nginx would leave its worker behind.
    child.end = () => child.kill(program === 'nginx' ? 'SIGTERM' : 'SIGKILL');
    child.log = '';
    child.stderr.on('data', data => { child.log += data; child.heard?.(); });
    child.exited = new Promise(resolve => child.on('exit', status => { child.over = true; child.heard?.(); resolve(status); }));
    return child;
}

// Runs a program to its end.
export function run(program, args) {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', data => { said += data; });
    return new Promise(resolve => child.on('close', status => resolve({ status, said })));
}

// Waits until the log of a process has this text, and returns the match.
export async function logged(child, text) {
    for (;;) {
        const match = child.log.match(text);
        if (match) return match;
        assert.ok(!child.over, `it ended: ${child.log}`);
        await new Promise(resolve => { child.heard = resolve; });
    }
}

// Waits for a condition that nothing announces.
export async function until(condition) {
    while (!await condition()) await new Promise(resolve => setTimeout(resolve, 20));
}

// The file of a socket exists a moment before the server accepts connections.
const accepts = socket => new Promise(resolve => {
    const connection = dial(socket, () => { connection.destroy(); resolve(true); });
    connection.on('error', () => resolve(false));
});

// Returns a port that no program uses now. The kernel never gives it to a connection, unlike ports above 32767: a
// killed node could not start again at a port that a connection of nginx has got.
async function free_port() {
    for (;;) {
        const port = 10000 + Math.floor(Math.random() * 20000);
        const free = await new Promise(resolve => {
            const server = createServer().on('error', () => resolve(false));
            server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
        });
        if (free) return port;
    }
}

// `program`: with its arguments for the port and the store. `more`: arguments after them. Without `fixed`, tries another
// port when a program of another test was faster.
export const everything = { name: 'everything', port: '--http' };
export async function start_node(store, fixed, program = everything, more = []) {
    for (;;) {
        const port = fixed ?? await free_port();
        const child = start(join(bin, program.name), [program.port, String(port), '--store', store, ...more]);
        const said = await logged(child, fixed ? /serving http/ : /serving http|in use/);
        if (said[0] !== 'in use') return { child, port, url: `http://127.0.0.1:${port}/mcp` };
        await child.exited;
    }
}

export async function start_nginx(nodes) {
    const servers = nodes.map(node => `server 127.0.0.1:${node.port} max_fails=0;`).join(' ');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${dir}/${name};`);
    for (;;) {
        const port = await free_port();
        writeFileSync(join(dir, 'nginx.conf'), `pid ${dir}/nginx.pid; daemon off; error_log stderr notice;
events { worker_connections 256; }
http {
    access_log off; ${temporary.join(' ')}
    upstream nodes { ${servers} }
    server {
        listen 127.0.0.1:${port};
        location / {
            proxy_pass http://nodes; proxy_http_version 1.1; proxy_set_header Connection "";
            proxy_set_header Host $http_host; proxy_buffering off;
        }
    }
}`);
        const child = start('nginx', ['-c', join(dir, 'nginx.conf'), '-e', 'stderr']);
        const said = await logged(child, /start worker process |in use/);
        if (said[0] !== 'in use') return `http://127.0.0.1:${port}/mcp`;
        child.end();
        await child.exited;
    }
}

// Starts Redis, nodes and nginx. `kill(i)` kills a node, and `restart(i)` starts it again at the same port.
export async function start_cluster(count = 3, program = everything) {
    const socket = join(dir, 'redis.sock');
    const redis = start('redis-server', ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', dir]);
    await until(() => { assert.ok(!redis.over, 'Redis ended'); return accepts(socket); });
    const store = `redis+unix:${socket}`;
    const nodes = [];
    for (let i = 0; i < count; ++i) nodes.push(await start_node(store, undefined, program));
    const url = await start_nginx(nodes);
    return {
        url,
        nodes,
        store,
        kill: async i => { nodes[i].child.kill('SIGKILL'); await nodes[i].child.exited; },
        restart: async i => { nodes[i] = await start_node(store, nodes[i].port, program); },
        stop: async () => { for (const child of started.splice(0)) { child.end(); await child.exited; } },
    };
}
