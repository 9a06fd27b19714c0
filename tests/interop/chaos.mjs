// Kills and restarts nodes of a cluster at random while clients call tools, and counts what goes wrong. `./dev chaos`
// runs it: chaos.mjs MINUTES [SEED]. Status 1 when an answer or an update was lost, duplicated or misdelivered.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { skip, start_cluster } from './cluster_nodes.mjs';

const [minutes, seed] = [Number(process.argv[2] ?? 1), Number(process.argv[3] ?? Date.now() % 1e6)];
assert.ok(minutes > 0 && Number.isFinite(seed), 'usage: chaos.mjs MINUTES [SEED]');
assert.ok(!skip, skip);
const clients = 4, nodes = 3;

// A linear congruential generator, so that a seed repeats the choices.
const modulus = 2 ** 31 - 1;
let state = 1 + (Math.floor(seed) % (modulus - 1));
function random(most) {
    state = (state * 48271) % modulus;
    return state % most;
}

const count = { requests: 0, refused: 0, updates: 0, kills: 0, moved: 0, lost: 0, duplicated: 0, misdelivered: 0 };
let slowest = 0;  // milliseconds: the longest that a client waited for a response or an error
const recoveries = [];  // milliseconds from a failed request to the next response, for each client
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
const cluster = await start_cluster(nodes);

async function connect(number) {
    const client = new Client({ name: `chaos ${number}`, version: '1' }, { capabilities: { elicitation: {} } });
    const seen = new Map();
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: { name: `n${number}`, age: number } }));
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => seen.set(params.uri, (seen.get(params.uri) ?? 0) + 1));
    client.onerror = () => {};
    const transport = new StreamableHTTPClientTransport(new URL(cluster.url), {
        reconnectionOptions: { initialReconnectionDelay: 50, maxReconnectionDelay: 500, reconnectionDelayGrowFactor: 2, maxRetries: 1000 },
    });
    await client.connect(transport);
    return { number, client, transport, seen };
}

// A request that was running on a killed node ends with an error of the connection or of the proxy: the client must send
// it again. A response that does not fit its request is never right.
async function use({ number, client, transport, seen }) {
    const session = transport.sessionId, touched = [];
    let failed, kills = count.kills;
    const attempt = async (name, args, expected) => {
        ++count.requests;
        const begun = performance.now();
        try {
            const result = await client.callTool({ name, arguments: args }, undefined, { timeout: 30000 });
            if (failed !== undefined) recoveries.push(performance.now() - failed);
            failed = undefined;
            if (kills !== count.kills) ++count.moved;
            kills = count.kills;
            if (expected && result.content[0]?.text !== expected) ++count.misdelivered;
            return true;
        } catch {
            ++count.refused;
            failed ??= performance.now();
            await sleep(20);
            return false;
        } finally {
            slowest = Math.max(slowest, performance.now() - begun);
        }
    };
    for (let i = 0; performance.now() < end; ++i) {
        const text = `client ${number} message ${i}`;
        if (i % 10 === 9) {
            const uri = `note://chaos/${number}.${i}`;
            try { await client.subscribeResource({ uri }); } catch { continue; }
            // An update is only certain when the call was answered.
            if (await attempt('touch', { uri })) { touched.push(uri); ++count.updates; }
        } else if (i % 5 === 4) {
            await attempt('ask_user', {}, `n${number} is ${number}`);
        } else {
            await attempt('echo', { message: text }, text);
        }
    }
    if (transport.sessionId !== session) ++count.lost;
    return { client, seen, touched };
}

async function kill_nodes() {
    while (performance.now() < end) {
        await sleep(500 + random(2500));
        const victim = random(nodes);
        await cluster.kill(victim);
        ++count.kills;
        await sleep(random(1000));
        await cluster.restart(victim);
    }
}

// Before the first kill: a client whose `initialize` fails has no session that could go on.
const connected = await Promise.all(Array.from({ length: clients }, (_, i) => connect(i + 1)));
const end = performance.now() + minutes * 60000;
const killer = kill_nodes();
const users = await Promise.all(connected.map(use));
await killer;
const deadline = performance.now() + 10000;
for (const { seen, touched } of users)
    while (touched.some(uri => !seen.has(uri)) && performance.now() < deadline) await sleep(50);
for (const { client, seen, touched } of users) {
    count.lost += touched.filter(uri => !seen.has(uri)).length;
    for (const times of seen.values()) count.duplicated += times - 1;
    await client.close();
}
recoveries.sort((a, b) => a - b);
const at = part => (recoveries.length ? Math.round(recoveries[Math.min(recoveries.length - 1, Math.floor(part * recoveries.length))]) : 0);
console.log(`seed          ${seed}
requests      ${count.requests} (${count.refused} ended with an error, because their node died)
updates       ${count.updates}
kills         ${count.kills}
moved         ${count.moved} times a session went on after the death of a node
lost          ${count.lost}
duplicated    ${count.duplicated}
misdelivered  ${count.misdelivered}
recovery      p50 ${at(0.5)} ms, p99 ${at(0.99)} ms
slowest       ${Math.round(slowest)} ms for one request, also if it ended with an error`);
await cluster.stop();
process.exit(count.lost + count.duplicated + count.misdelivered === 0 ? 0 : 1);
