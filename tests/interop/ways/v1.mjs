// The common part of both transports of the official TypeScript client v1. It supports the revisions with a handshake.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import * as types from '@modelcontextprotocol/sdk/types.js';

export const modern = false;
export const timeoutCode = types.ErrorCode.RequestTimeout;
export const notFoundCode = -32002;
export const RefusalError = types.McpError;

const requests = {
    'elicitation/create': types.ElicitRequestSchema,
    'roots/list': types.ListRootsRequestSchema,
    'sampling/createMessage': types.CreateMessageRequestSchema,
};
const notifications = {
    'notifications/elicitation/complete': types.ElicitationCompleteNotificationSchema,
    'notifications/message': types.LoggingMessageNotificationSchema,
    'notifications/resources/updated': types.ResourceUpdatedNotificationSchema,
    'notifications/tools/list_changed': types.ToolListChangedNotificationSchema,
};

export function makeClient({ capabilities = {}, handlers = [] }) {
    const client = new Client({ name: 'interop', version: '1.0.0' }, { capabilities });
    client.errors = [];
    client.lateProgress = 0; // this client handles a response before a notification that came just ahead of it
    client.onerror = (error) => (/for an unknown token/.test(error.message) ? ++client.lateProgress : client.errors.push(error));
    for (const [method, handler] of handlers)
        client.setRequestHandler(requests[method], (request, extra) => handler(request, extra.signal));
    return client;
}

/** Call this before the connection is closed, because this client also reports the end of a connection as an error. */
export function assertNoErrors(client) {
    assert.deepEqual(client.errors, []);
    client.onerror = undefined;
}

export const onNotification = (client, method, handler) => client.setNotificationHandler(notifications[method], handler);
export const callTool = (client, params, options) => client.callTool(params, undefined, options);
export const request = (client, method, params) => client.request({ method, params }, types.ResultSchema);
