// Calls: failures, progress, cancellation, timeouts.
// rules: LIFE-16, LIFE-17, RPC-14, TOOL-5, TOOL-8, TOOL-9
import assert from 'node:assert/strict';
import test from 'node:test';
import { assertStops, call, connect, refused, say, text, way } from '../harness.mjs';

test('a tool that fails gives a result that the model can read', async (t) => {
    const client = await connect(t, 'everything');
    const result = await client.callTool({ name: 'fail' });
    assert.equal(result.isError, true);
    assert.match(text(result), /fails on purpose/);
});

test('wrong arguments give a result that names them', async (t) => {
    const client = await connect(t, 'everything');
    for (const [args, reason] of [
        [{}, /city/],
        [{ city: '' }, /city/],
        [{ city: 'Oslo', days: 9 }, /days.*7/],
        [{ city: 'Oslo', days: 'two' }, /days/],
        [{ city: 'Oslo', unit: 'kelvin' }, /unit/],
    ]) {
        const result = await call(client, 'weather', args);
        assert.equal(result.isError, true, JSON.stringify(args));
        assert.match(text(result), reason);
    }
});

test('an unknown tool and an unknown method are errors with the codes of JSON-RPC', async (t) => {
    const client = await connect(t, 'everything');
    await refused(client.callTool({ name: 'nothing' }), -32602, /Unknown tool.*nothing/);
    const unknown = way.request(client, 'no/such');
    if (!(way.http && way.modern)) return refused(unknown, -32601, /no\/such/);
    // In this revision the server responds with status 404, and this client does not read the body.
    await assert.rejects(unknown, (error) => {
        assert.equal(error.status, 404);
        assert.equal(JSON.parse(error.data.text).error.code, -32601);
        return client.errors.pop() === error;
    });
});

test('progress comes in order', async (t) => {
    const client = await connect(t, 'everything');
    const seen = [];
    const options = { onprogress: (p) => seen.push(p) };
    assert.equal(await say(client, 'count', { to: 5, delay_ms: 20 }, options), 'counted to 5');
    await say(client, 'echo', { message: 'all that was sent before has arrived' });
    assert.equal(seen.length + client.lateProgress, 5);
    assert.deepEqual(seen, [1, 2, 3, 4, 5].slice(0, seen.length).map((i) => ({ progress: i, total: 5, message: `at ${i}` })));
});

test('without a progress token no progress is sent', async (t) => {
    const client = await connect(t, 'everything');
    assert.equal(await say(client, 'count', { to: 3, delay_ms: 0 }), 'counted to 3');
    assert.equal(client.lateProgress, 0);
});

test('a cancelled call stops and gets no response', async (t) => {
    const client = await connect(t, 'everything');
    const cancel = new AbortController();
    const options = { signal: cancel.signal, onprogress: (p) => p.progress === 3 && cancel.abort('enough') };
    await assert.rejects(say(client, 'count', { to: 100000, delay_ms: 1 }, options), /enough/);
    await assertStops(client, () => client.lateProgress);
});

test('a call that takes too long for the client is stopped', async (t) => {
    const client = await connect(t, 'everything');
    const options = { timeout: 50, onprogress: () => {} };
    await refused(say(client, 'count', { to: 100000, delay_ms: 1 }, options), way.timeoutCode, /timed out/);
    await assertStops(client, () => client.lateProgress);
});

test('progress keeps a slow call alive', async (t) => {
    const client = await connect(t, 'everything');
    const options = { timeout: 2000, resetTimeoutOnProgress: true, onprogress: () => {} };
    assert.equal(await say(client, 'count', { to: 25, delay_ms: 100 }, options), 'counted to 25');
});

test('cancelled calls make room for others', async (t) => {
    const client = await connect(t, 'everything');
    const cancel = new AbortController();
    const workers = 48; // three quarters of a server's 64: all that one client may hold
    const counting = Array.from({ length: workers }, () => {
        let started;
        const starts = new Promise((resolve) => (started = resolve));
        const options = { signal: cancel.signal, onprogress: started };
        return { starts, ends: assert.rejects(say(client, 'count', { to: 100000, delay_ms: 50 }, options), /enough/) };
    });
    await Promise.all(counting.map(({ starts }) => starts));
    cancel.abort('enough');
    await Promise.all(counting.map(({ ends }) => ends));
    assert.equal(await say(client, 'later', { message: 'quick' }), 'later: quick');
});

test('a slow tool delays no other request', async (t) => {
    const client = await connect(t, 'everything');
    const cancel = new AbortController();
    const slow = assert.rejects(say(client, 'count', { to: 100000, delay_ms: 50 }, { signal: cancel.signal }), /enough/);
    for (let i = 0; i < 20; ++i) assert.equal(await say(client, 'later', { message: 'quick' }), 'later: quick');
    cancel.abort('enough');
    await slow;
});
