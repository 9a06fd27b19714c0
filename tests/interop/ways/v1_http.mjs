// The official TypeScript client v1 over Streamable HTTP.
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { connectHttp } from './http.mjs';
import { assertNoErrors, makeClient } from './v1.mjs';

export * from './v1.mjs';
export const http = true;

export const connect = (t, program, options) =>
    connectHttp(t, program, options, { client: makeClient(options), Transport: StreamableHTTPClientTransport, assertNoErrors });
