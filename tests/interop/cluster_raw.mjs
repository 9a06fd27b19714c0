// A client without an SDK, for tests that must know which node gets a request.
import assert from 'node:assert/strict';

const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

// Reads the events of a response one by one: { id, data, retry }.
export async function* events(response) {
    let text = '';
    for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) {
        text += bytes;
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
            const event = {};
            for (const line of text.slice(0, end).split('\n')) {
                const [, name, value] = line.match(/^(\w*): ?(.*)$/) ?? [];
                if (name) event[name] = value;
            }
            text = text.slice(end + 2);
            if (Object.keys(event).length > 0) yield event;
        }
    }
}

// Returns the response to a request, whether it comes as JSON or as the last event of a stream.
async function answer_of(response) {
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.json();
    let last;
    for await (const { data } of events(response)) if (data) last = JSON.parse(data);
    return last;
}

export async function open_session(url, capabilities = {}) {
    const begun = await fetch(url, {
        method: 'POST', headers,
        body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'raw', version: '1' } } }),
    });
    const id = begun.headers.get('mcp-session-id');
    await begun.text();
    let last = 0;
    const all = { ...headers, 'Mcp-Session-Id': id, 'MCP-Protocol-Version': '2025-11-25' };
    const post = (at, message, signal) => fetch(at, { method: 'POST', headers: all, signal, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
    assert.equal((await post(url, { method: 'notifications/initialized' })).status, 202);
    return {
        id,
        // Sends a request to one node, and returns the HTTP response.
        start: (at, method, params, signal) => post(at, { id: ++last, method, params }, signal),
        // Sends a request to one node, and returns its result.
        async ask(at, method, params) {
            const answer = await answer_of(await post(at, { id: ++last, method, params }));
            assert.ok(answer?.result, JSON.stringify(answer));
            return answer.result;
        },
        // Answers a question, on any node.
        answer: async (at, id, result) => assert.equal((await post(at, { id, result })).status, 202),
        listen: (at, after, signal) => fetch(at, { headers: { ...all, ...(after ? { 'Last-Event-ID': after } : {}) }, signal }),
    };
}
