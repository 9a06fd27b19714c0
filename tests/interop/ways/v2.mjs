// The common part of both transports of the official TypeScript client v2. It uses 2026-07-28 if the server has it, or
// an older revision with a handshake if it is told to.
import assert from 'node:assert/strict';
import { Client, ProtocolError, SdkErrorCode } from '@modelcontextprotocol/client';

export const timeoutCode = SdkErrorCode.RequestTimeout;
export const notFoundCode = -32602; // of all revisions: this client makes it of the -32002 of older ones
export const RefusalError = ProtocolError;

export function makeClient({ handlers = [], ...options }, mode) {
    const client = new Client({ name: 'interop', version: '2.0.0' }, { versionNegotiation: { mode }, ...options });
    client.errors = [];
    client.lateProgress = 0; // this client handles a response before a notification that came just ahead of it
    client.onerror = (error) => (/for an unknown token/.test(error.message) ? ++client.lateProgress : client.errors.push(error));
    for (const [method, handler] of handlers)
        client.setRequestHandler(method, (request, context) => handler(request, context.mcpReq.signal));
    return client;
}

/** Call this before the connection is closed, because this client also reports the end of a connection as an error. */
export function assertNoErrors(client) {
    assert.deepEqual(client.errors, []);
    client.onerror = undefined;
}

const any = { '~standard': { version: 1, vendor: 'interop', validate: (value) => ({ value }) } };

export const onNotification = (client, method, handler) => client.setNotificationHandler(method, handler);
export const callTool = (client, params, options) => client.callTool(params, options);
export const request = (client, method, params) => client.request({ method, params }, any);
