// Sends the requests that a browser would send for a page of the Inspector and for a foreign page, with plain fetch.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import test from 'node:test';
import { startHttp } from './programs.mjs';

const inspector = 'http://localhost:6274';
const asked = [
    'accept', 'authorization', 'content-type', 'last-event-id', 'mcp-method', 'mcp-name', 'mcp-param-region',
    'mcp-protocol-version', 'mcp-session-id',
]; // prettier-ignore
const methods = ['OPTIONS', 'POST', 'GET', 'DELETE'];

const list = (value) => (value ?? '').toLowerCase().split(/\s*,\s*/);
const accept = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };

/** A page of `origin` that talks to the server. */
const page = (server, origin = inspector) => ({
    preflight: (method, headers) =>
        fetch(server.url, {
            method: 'OPTIONS',
            headers: { Origin: origin, 'Access-Control-Request-Method': method, 'Access-Control-Request-Headers': headers.join(',') },
        }),
    fetch: (method, headers = {}, message = undefined) =>
        fetch(server.url, {
            method,
            headers: { Origin: origin, ...accept, ...headers },
            body: message && JSON.stringify({ jsonrpc: '2.0', ...message }),
        }),
});

function assertReadable(response, origin = inspector) {
    assert.equal(response.headers.get('access-control-allow-origin'), origin);
    assert.ok(list(response.headers.get('vary')).includes('origin'));
    assert.ok(list(response.headers.get('access-control-expose-headers')).includes('mcp-session-id'));
}

async function* events(response) {
    let rest = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop();
        for (const block of blocks) {
            const event = {};
            for (const line of block.split('\n')) {
                const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
                if (name) event[name] = (event[name] ?? '') + value;
            }
            if (event.data || event.id) yield event;
        }
    }
}

/** Resolves to the next event that has a message. */
async function nextMessage(stream) {
    for (;;) {
        const { value, done } = await stream.next();
        assert.ok(!done, 'the stream ended');
        if (value.data) return { id: value.id, message: JSON.parse(value.data) };
    }
}

async function openSession(from) {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'page', version: '1' } };
    const response = await from.fetch('POST', {}, { id: 1, method: 'initialize', params });
    assert.equal(response.status, 200);
    assertReadable(response);
    await response.text();
    const session = { 'Mcp-Session-Id': response.headers.get('mcp-session-id'), 'Mcp-Protocol-Version': '2025-11-25' };
    const initialized = await from.fetch('POST', session, { method: 'notifications/initialized' });
    assert.equal(initialized.status, 202);
    assertReadable(initialized);
    return session;
}

async function callTool(from, session, name, args) {
    const response = await from.fetch('POST', session, { id: 2, method: 'tools/call', params: { name, arguments: args } });
    assert.equal(response.status, 200);
    assertReadable(response);
    return response.text();
}

for (const method of ['POST', 'GET', 'DELETE'])
    test(`a page of this machine may send ${method}`, async (t) => {
        const from = page(await startHttp(t, 'everything'));
        const response = await from.preflight(method, asked);
        assert.equal(response.status, 204);
        assertReadable(response);
        assert.deepEqual(list(response.headers.get('access-control-allow-headers')).sort(), asked);
        assert.ok(list(response.headers.get('access-control-allow-methods')).includes(method.toLowerCase()));
        assert.equal(response.headers.get('access-control-allow-credentials'), null);
    });

test('headers that MCP does not use are not allowed', async (t) => {
    const from = page(await startHttp(t, 'everything'));
    const response = await from.preflight('POST', ['content-type', 'x-other', 'cookie']);
    assert.equal(response.status, 204);
    assert.deepEqual(list(response.headers.get('access-control-allow-headers')), ['content-type']);
});

for (const origin of ['http://127.0.0.1:6274', 'http://[::1]:6274', 'https://localhost'])
    test(`${origin} also counts as this machine`, async (t) => {
        const from = page(await startHttp(t, 'everything'), origin);
        const response = await from.preflight('POST', asked);
        assert.equal(response.status, 204);
        assertReadable(response, origin);
    });

test('a page has a session: it calls, listens, and ends it', async (t) => {
    const from = page(await startHttp(t, 'everything'));
    const session = await openSession(from);
    const response = await from.fetch('GET', session);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type'), /^text\/event-stream/);
    assertReadable(response);
    const stream = events(response);
    assert.match(await callTool(from, session, 'echo', { message: 'from a page' }), /from a page/);
    await callTool(from, session, 'grow', { name: 'grown' });
    assert.equal((await nextMessage(stream)).message.method, 'notifications/tools/list_changed');
    const ended = await from.fetch('DELETE', session);
    assert.ok(ended.ok, String(ended.status));
    assertReadable(ended);
    assert.equal((await stream.next()).done, true);
    const gone = await from.fetch('POST', session, { id: 3, method: 'ping' });
    assert.equal(gone.status, 404);
    assertReadable(gone); // the page must see that, to begin again
});

test('a page that lost its stream resumes it without losing an event', async (t) => {
    const from = page(await startHttp(t, 'everything'));
    const session = await openSession(from);
    const first = await from.fetch('GET', session);
    const stream = events(first);
    await callTool(from, session, 'grow', { name: 'one' });
    const { id } = await nextMessage(stream);
    await stream.return(); // hangs up
    await callTool(from, session, 'grow', { name: 'two' });
    await callTool(from, session, 'grow', { name: 'three' });
    const again = events(await from.fetch('GET', { ...session, 'Last-Event-ID': id }));
    const missed = [await nextMessage(again), await nextMessage(again)];
    assert.deepEqual(missed.map((e) => e.message.method), Array(2).fill('notifications/tools/list_changed'));
    assert.equal(new Set([id, ...missed.map((e) => e.id)]).size, 3);
    await again.return();
});

test('a page cannot resume the stream of a cancelled request', async (t) => {
    const from = page(await startHttp(t, 'everything'));
    const session = await openSession(from);
    const params = { name: 'count', arguments: { to: 100000, delay_ms: 1 }, _meta: { progressToken: 'p' } };
    const stream = events(await from.fetch('POST', session, { id: 7, method: 'tools/call', params }));
    let last = (await nextMessage(stream)).id;
    const cancelled = await from.fetch('POST', session, { method: 'notifications/cancelled', params: { requestId: 7 } });
    assert.equal(cancelled.status, 202);
    for await (const { id, data } of stream) {
        assert.ok(!data || JSON.parse(data).method === 'notifications/progress', data);
        last = id;
    }
    const again = await from.fetch('GET', { ...session, 'Last-Event-ID': last });
    assert.equal(again.status, 204); // an empty stream would make the official clients come back for ever
    assertReadable(again);
});

test('a page may use 2026-07-28, which has no session and no GET', async (t) => {
    const from = page(await startHttp(t, 'everything'));
    const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'page', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = { 'Mcp-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'echo' };
    const params = { name: 'echo', arguments: { message: 'alone' }, _meta };
    const response = await from.fetch('POST', headers, { id: 1, method: 'tools/call', params });
    assert.equal(response.status, 200);
    assertReadable(response);
    assert.equal((await response.json()).result.content[0].text, 'alone');
    assert.equal(response.headers.get('mcp-session-id'), null);
    const get = await from.fetch('GET', { 'Mcp-Protocol-Version': '2026-07-28' });
    assert.equal(get.status, 405);
    assertReadable(get);
});

const foreign = [
    'http://evil.example', 'http://evil.example:6274', 'http://localhost.evil.example', 'http://127.0.0.1.evil.example',
    'http://evil-localhost', 'http://localhost@evil.example', 'file://', 'null', '',
]; // prettier-ignore
for (const origin of foreign)
    test(`a page of ${JSON.stringify(origin)} is refused`, async (t) => {
        const server = await startHttp(t, 'everything');
        for (const method of methods) {
            const from = page(server, origin);
            const response =
                method === 'OPTIONS' ? await from.preflight('POST', asked)
                : await from.fetch(method, {}, method === 'POST' ? { id: 1, method: 'ping' } : undefined); // prettier-ignore
            assert.equal(response.status, 403, method);
            for (const header of response.headers.keys()) assert.ok(!header.startsWith('access-control-'), header);
        }
    });

test('a foreign host name that resolves to this machine is refused', async (t) => {
    const { url } = await startHttp(t, 'everything');
    const statusFor = (host) =>
        new Promise((resolve, reject) => {
            const sent = request(url, { method: 'POST', headers: { ...accept, Host: host } }, (response) => {
                response.resume().on('end', () => resolve(response.statusCode));
            });
            sent.on('error', reject).end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }));
        });
    assert.equal(await statusFor(`rebound.example:${url.port}`), 403);
    assert.equal(await statusFor(`localhost:${url.port}`), 400); // which wants a session, and may have one
});
