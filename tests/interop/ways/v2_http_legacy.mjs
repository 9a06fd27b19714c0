// The official TypeScript client v2 over Streamable HTTP, told to use an older revision.
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { connectHttp } from './http.mjs';
import { assertNoErrors, makeClient } from './v2.mjs';

export * from './v2.mjs';
export const http = true;
export const modern = false;

export const connect = (t, program, options) =>
    connectHttp(t, program, options, { client: makeClient(options, 'legacy'), Transport: StreamableHTTPClientTransport, assertNoErrors });
