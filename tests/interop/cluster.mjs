// Redis, three nodes of `everything` and nginx, as processes. The official client keeps one session while nodes are
// killed and started again.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as dial, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

const bin = process.env.TENON_BIN;
const dir = mkdtempSync(join(tmpdir(), 'tenon-cluster-'));
const path = `${process.env.PATH}:/usr/sbin`;
const started = [];
process.on('exit', () => {
    for (const child of started) child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
});

const has = program => spawnSync('sh', ['-c', `command -v ${program}`], { env: { ...process.env, PATH: path } }).status === 0;
const skip = has('redis-server') && has('nginx') ? false : 'redis-server or nginx is not installed';

function start(program, args) {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, PATH: path } });
    started.push(child);
    child.log = '';
    child.stderr.on('data', data => { child.log += data; child.heard?.(); });
    child.exited = new Promise(resolve => child.on('exit', status => { child.over = true; child.heard?.(); resolve(status); }));
    return child;
}

// Waits until the log of a process has this text, and returns the match.
async function logged(child, text) {
    for (;;) {
        const match = child.log.match(text);
        if (match) return match;
        assert.ok(!child.over, `it ended: ${child.log}`);
        await new Promise(resolve => { child.heard = resolve; });
    }
}

// Waits for a condition that nothing announces.
async function until(condition) {
    while (!await condition()) await new Promise(resolve => setTimeout(resolve, 20));
}

// The file of a socket exists a moment before the server accepts connections.
const accepts = socket => new Promise(resolve => {
    const connection = dial(socket, () => { connection.destroy(); resolve(true); });
    connection.on('error', () => resolve(false));
});

async function start_node(store, port = 0) {
    const child = start(join(bin, 'everything'), ['--http', String(port), '--store', store]);
    const [, at] = await logged(child, /serving http:\/\/127\.0\.0\.1:(\d+)/);
    return { child, port: Number(at) };
}

function free_port() {
    return new Promise(resolve => {
        const server = createServer().listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}

async function start_nginx(nodes) {
    const port = await free_port();
    const servers = nodes.map(node => `server 127.0.0.1:${node.port} max_fails=0;`).join(' ');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${dir}/${name};`);
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
    await logged(child, /start worker process /);
    return `http://127.0.0.1:${port}/mcp`;
}

async function connect(url, capabilities = {}) {
    const client = new Client({ name: 'cluster', version: '1' }, { capabilities });
    const transport = new StreamableHTTPClientTransport(new URL(url), {
        reconnectionOptions: { initialReconnectionDelay: 50, maxReconnectionDelay: 1000, reconnectionDelayGrowFactor: 2, maxRetries: 100 },
    });
    client.session = () => transport.sessionId;
    await client.connect(transport);
    return client;
}
const call = async (client, name, args = {}) => (await client.callTool({ name, arguments: args })).content[0].text;

// Counts the updates of each resource. Each of them changes once.
async function watch(client, names) {
    const seen = new Map();
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
        seen.set(params.uri, (seen.get(params.uri) ?? 0) + 1);
    });
    const uri = name => `note://cluster/${name}`;
    for (const name of names) await client.subscribeResource({ uri: uri(name) });
    const touched = [];
    return {
        touch: name => { touched.push(uri(name)); return client.callTool({ name: 'touch', arguments: { uri: uri(name) } }); },
        // Waits until the client has seen all updates.
        arrived: async () => {
            await until(() => touched.every(one => seen.has(one)));
            for (const [one, count] of seen) assert.equal(count, 1, `updates of ${one}`);
        },
    };
}

test('one session lives on while nodes are killed and started again', { skip, timeout: 60000 }, async () => {
    const redis = start('redis-server', ['--port', '0', '--unixsocket', join(dir, 'redis.sock'), '--save', '', '--dir', dir]);
    await until(() => { assert.ok(!redis.over); return accepts(join(dir, 'redis.sock')); });
    const store = `redis+unix:${join(dir, 'redis.sock')}`;
    const nodes = [await start_node(store), await start_node(store), await start_node(store)];
    const url = await start_nginx(nodes);

    const client = await connect(url, { elicitation: {} });
    const session = client.session();
    assert.ok(session);
    // Each answer may come from another node than its question.
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: { name: 'Ada', age: 36 } }));
    const rounds = [0, 1, 2, 3, 4, 5];
    const names = rounds.flatMap(round => ['a', 'b', 'c', 'd'].map(name => `${name}${round}`));
    const updates = await watch(client, [...names, 'end']);
    for (const round of rounds) {
        await updates.touch(`a${round}`);
        for (let i = 0; i < 4; ++i) assert.equal(await call(client, 'echo', { message: `${round} ${i}` }), `${round} ${i}`);
        assert.equal(await call(client, 'ask_user'), 'Ada is 36');
        const victim = nodes[round % 3];
        await updates.touch(`b${round}`);
        await updates.arrived();  // a node that dies may take its last announcement with it
        victim.child.kill('SIGKILL');
        await victim.child.exited;
        await updates.touch(`c${round}`);  // the stream may be broken
        for (let i = 0; i < 4; ++i) assert.equal(await call(client, 'echo', { message: `killed ${i}` }), `killed ${i}`);
        nodes[round % 3] = await start_node(store, victim.port);
        await updates.touch(`d${round}`);
    }
    await updates.touch('end');
    await updates.arrived();
    assert.equal(client.session(), session, 'the session never changed');

    nodes[0].child.kill('SIGTERM');
    assert.equal(await nodes[0].child.exited, 0, 'a node that is told to stop exits with status 0');
    assert.equal(await call(client, 'echo', { message: 'still here' }), 'still here');
    await client.close();
});
