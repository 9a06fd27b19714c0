// Nodes of a cluster that die or stop while they have something to do. The client knows which node gets a request.
import test from 'node:test';
import assert from 'node:assert/strict';
import { logged, skip, start_cluster, start_node, until } from './cluster_nodes.mjs';
import { events, open_session } from './cluster_raw.mjs';

test('a task whose node is killed fails with the reason, and other tasks go on', { skip, timeout: 300000 }, async t => {
    const cluster = await start_cluster(3, { name: 'tasks', port: '--http' });
    t.after(cluster.stop);
    const [first, second, third] = cluster.nodes.map(node => node.url);
    const session = await open_session(cluster.url);
    const begin = async (at, seconds) =>
        (await session.ask(at, 'tools/call', { name: 'compute', arguments: { seconds }, task: {} })).task.taskId;
    const look = taskId => session.ask(third, 'tasks/get', { taskId });
    const doomed = await begin(first, 3600), long = await begin(second, 3600), short = await begin(second, 1);
    assert.equal((await look(doomed)).status, 'working');
    await cluster.kill(0);
    assert.equal((await look(doomed)).status, 'working', 'its lease has not run out');
    const { content } = await session.ask(third, 'tasks/result', { taskId: short });
    assert.equal(content[0].text, 'computed for 1 s');
    assert.equal((await look(short)).status, 'completed');
    const fresh = await begin(third, 1);  // other nodes begin new tasks
    await until(async () => (await look(fresh)).status === 'completed');
    await until(async () => (await look(doomed)).status !== 'working');
    const failed = await look(doomed);
    assert.equal(failed.status, 'failed');
    assert.match(failed.statusMessage, /node/);
    assert.equal((await look(long)).status, 'working');
    assert.equal((await session.ask(third, 'tasks/cancel', { taskId: long })).status, 'cancelled');
});

// Reads the numbers that `count` reports, from after the event `after` until its response.
async function read_count(response) {
    const ids = [], numbers = [];
    let answer;
    for await (const { id, data } of events(response)) {
        ids.push(id);
        const message = data ? JSON.parse(data) : {};
        if (message.method === 'notifications/progress') numbers.push(message.params.progress);
        if (message.result) answer = message.result.content[0].text;
    }
    return { ids, numbers, answer };
}

test('the stream of a call is resumed on other nodes while one is killed, and after its own node is killed', { skip, timeout: 300000 }, async t => {
    const cluster = await start_cluster();
    t.after(cluster.stop);
    const [first, second, third] = cluster.nodes.map(node => node.url);
    const session = await open_session(cluster.url);
    const stop = new AbortController();
    const call = await session.start(first, 'tools/call',
        { name: 'count', arguments: { to: 40, delay_ms: 50 }, _meta: { progressToken: 1 } }, stop.signal);
    let id, seen = 0;
    for await (const event of events(call)) {
        id = event.id;
        if (event.data) seen = JSON.parse(event.data).params.progress;
        if (seen >= 3) break;
    }
    stop.abort();
    const resumed = session.listen(second, id);
    await cluster.kill(2);
    const all = Array.from({ length: 40 - seen }, (_, i) => seen + 1 + i);
    const one = await read_count(await resumed);
    assert.deepEqual(one.numbers, all);
    assert.equal(one.answer, 'counted to 40');
    await cluster.restart(2);
    await cluster.kill(0);
    const two = await read_count(await session.listen(third, id));
    assert.deepEqual(two.numbers, all, 'the log outlives the node that wrote it');
    assert.equal(two.answer, 'counted to 40');
    assert.equal((await session.listen(second, one.ids.at(-1))).status, 204, 'there is nothing more');
});

// Returns the next message of a stream.
async function next_message(stream) {
    for (;;) {
        const { value, done } = await stream.next();
        assert.ok(!done, 'the stream ended');
        if (value.data) return JSON.parse(value.data);
    }
}

test('a node that is told to stop drains: not ready, no new sessions, calls finish, streams end with retry, status 0', { skip, timeout: 300000 }, async t => {
    const cluster = await start_cluster(1);
    t.after(cluster.stop);
    const node = await start_node(cluster.store, undefined, undefined, ['--metrics', '127.0.0.1:0']);
    const [, metrics] = await logged(node.child, /metrics at (http:\/\/[\d.:]+)/);
    const ready = async () => (await fetch(new URL('/readyz', metrics))).status;
    await until(async () => await ready() === 200);
    const session = await open_session(node.url, { elicitation: {} });
    const listener = await session.listen(node.url);
    const heard = (async () => {
        const all = [];
        for await (const event of events(listener)) all.push(event);
        return all;
    })();
    // The call lasts until its question is answered, however slow this machine is.
    const call = events(await session.start(node.url, 'tools/call', { name: 'ask_user', arguments: {} }));
    const question = await next_message(call);
    node.child.kill('SIGTERM');
    await until(async () => await ready() === 503);
    // The port closes a moment after /readyz says 503.
    await until(() => open_session(node.url).then(() => false, error => { assert.match(error.message, /fetch failed/); return true; }));
    await session.answer(cluster.nodes[0].url, question.id, { action: 'accept', content: { name: 'Ada', age: 36 } });
    assert.equal((await next_message(call)).result.content[0].text, 'Ada is 36', 'a running call finishes');
    const all = await heard;
    assert.equal(all.at(-1).retry, '1000', 'its stream says when to reconnect');
    assert.ok(all.at(-1).id, 'and where');
    assert.equal(await node.child.exited, 0);
    const moved = await session.listen(cluster.nodes[0].url, all.at(-1).id);
    assert.equal(moved.status, 200, 'the stream goes on elsewhere');
    await moved.body.cancel();
});
