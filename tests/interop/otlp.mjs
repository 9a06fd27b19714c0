// Spans of a server, decoded with OpenTelemetry's own definitions: the generated code of npm's otlp-transformer.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
import test from 'node:test';
import { path, startHttp } from './programs.mjs';

const require = createRequire(import.meta.url);
const { opentelemetry } = require('@opentelemetry/otlp-transformer/build/src/generated/root');
const { ExportTraceServiceRequest } = opentelemetry.proto.collector.trace.v1;

/** Starts a receiver of OTLP over HTTP. `spans` gets what it decoded, with the ids in hexadecimal. */
async function receiver(t) {
    const spans = [];
    const problems = [];
    const server = createServer(async (request, response) => {
        const chunks = [];
        for await (const chunk of request) chunks.push(chunk);
        const body = Buffer.concat(chunks);
        try {
            assert.equal(request.method + ' ' + request.url, 'POST /v1/traces');
            assert.equal(request.headers['content-type'], 'application/x-protobuf');
            const decoded = ExportTraceServiceRequest.decode(body);
            // The decoder skips fields that it does not know. Encoding again shows that it skipped nothing.
            assert.deepEqual(Buffer.from(ExportTraceServiceRequest.encode(decoded).finish()), body);
            const plain = ExportTraceServiceRequest.toObject(decoded, { bytes: Buffer, longs: String, enums: String });
            assert.equal(ExportTraceServiceRequest.verify(decoded), null);
            for (const { resource, scopeSpans } of plain.resourceSpans)
                for (const scope of scopeSpans)
                    for (const span of scope.spans) spans.push({ ...span, resource, scope: scope.scope.name });
        } catch (error) {
            problems.push(error);
        }
        response.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    return { url: `http://127.0.0.1:${server.address().port}`, spans, problems };
}

const attributes = (of) => Object.fromEntries(of.attributes.map(({ key, value }) => [key, value.stringValue]));
const hex = (bytes) => Buffer.from(bytes ?? []).toString('hex');

test('a call and its question are spans of one trace, as OpenTelemetry defines them', async (t) => {
    const collector = await receiver(t);
    const child = spawn(path('everything'), {
        stdio: ['pipe', 'pipe', 'ignore'],
        env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'weather', OTEL_RESOURCE_ATTRIBUTES: 'team=a' },
    });
    const exited = once(child, 'exit');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
    const next = async (matches) => {
        for (;;) {
            const { value, done } = await lines.next();
            assert.ok(!done, 'the server ended');
            const message = JSON.parse(value);
            if (matches(message)) return message;
        }
    };
    const trace = '0af7651916cd43dd8448eb211c80319c';
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: { sampling: {} }, clientInfo: { name: 'c', version: '1' } } });
    await next(({ id }) => id === 1);
    send({ method: 'notifications/initialized' });
    send({
        id: 2,
        method: 'tools/call',
        params: { name: 'ask_model', arguments: { prompt: 'How much?' }, _meta: { traceparent: `00-${trace}-b7ad6b7169203331-01` } },
    });
    const question = await next(({ method }) => method === 'sampling/createMessage');
    send({ id: question.id, result: { role: 'assistant', content: { type: 'text', text: '42' }, model: 'm' } });
    await next(({ id, result }) => id === 2 && result);
    child.stdin.end(); // the server sends its spans before it exits
    assert.deepEqual(await exited, [0, null]);

    assert.deepEqual(collector.problems, []);
    const spans = collector.spans.filter((span) => hex(span.traceId) === trace);
    const call = spans.find((span) => span.name === 'tools/call ask_model');
    const asked = spans.find((span) => span.name === 'sampling/createMessage');
    assert.equal(spans.length, 2);
    assert.equal(call.kind, 'SPAN_KIND_SERVER');
    assert.equal(hex(call.parentSpanId), 'b7ad6b7169203331');
    assert.equal(asked.kind, 'SPAN_KIND_CLIENT');
    assert.equal(hex(asked.parentSpanId), hex(call.spanId));
    assert.equal(question.params._meta.traceparent, `00-${trace}-${hex(asked.spanId)}-01`);
    assert.equal(attributes(call)['gen_ai.tool.name'], 'ask_model');
    assert.equal(attributes(call)['mcp.method.name'], 'tools/call');
    assert.equal(attributes(call)['jsonrpc.request.id'], '2');
    assert.equal(attributes(call)['mcp.protocol.version'], '2025-11-25');
    assert.equal(attributes(call)['network.transport'], 'pipe');
    assert.equal(attributes(call.resource)['service.name'], 'weather');
    assert.equal(attributes(call.resource).team, 'a');
    assert.equal(call.scope, 'tenon');
});

const kinds = { client: 'SPAN_KIND_CLIENT', server: 'SPAN_KIND_SERVER' };

for (const era of ['legacy', 'modern'])
    test(`the spans of two processes, a client and a server, are one trace: ${era}`, async (t) => {
        const collector = await receiver(t);
        const variables = (service) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: service });
        const server = await startHttp(t, 'everything', variables('server'));
        const client = spawn(
            path('tenon'),
            ['call', 'ask_model', 'prompt=How much?', '--yes', '--sample-command', 'echo 42', '--era', era, server.url.href],
            { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...variables('client') } },
        );
        let output = '';
        client.stdout.setEncoding('utf8').on('data', (chunk) => (output += chunk));
        assert.deepEqual(await once(client, 'close'), [0, null]);
        assert.match(output, /42/);
        await server.stop(); // it sends its spans before it exits

        assert.deepEqual(collector.problems, []);
        const of = (service, kind, name) =>
            collector.spans.filter(
                (span) => attributes(span.resource)['service.name'] === service && span.kind === kinds[kind] && span.name === name,
            );
        const inside = (child, parent) => {
            assert.equal(hex(child.traceId), hex(parent.traceId));
            assert.equal(hex(child.parentSpanId), hex(parent.spanId));
        };
        const [call] = of('client', 'client', 'tools/call ask_model');
        const served = of('server', 'server', 'tools/call ask_model');
        const [asked] = of('server', 'client', 'sampling/createMessage');
        const [answered] = of('client', 'server', 'sampling/createMessage');
        assert.equal(served.length, era === 'modern' ? 2 : 1); // a modern client calls again with its answer
        for (const round of served) inside(round, call);
        inside(asked, served.find((round) => hex(round.spanId) === hex(asked.parentSpanId)));
        inside(answered, asked);
        assert.equal(attributes(call)['network.transport'], 'tcp');
        assert.equal(attributes(call)['gen_ai.tool.name'], 'ask_model');
        const ids = served.map((span) => attributes(span)['mcp.session.id']);
        assert.equal(ids.every(Boolean), era === 'legacy', 'only the legacy era has sessions');
    });
