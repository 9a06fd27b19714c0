// The official TypeScript client v2 over Streamable HTTP. It detects that the server has 2026-07-28.
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { connectHttp } from './http.mjs';
import { assertNoErrors, makeClient } from './v2.mjs';

export * from './v2.mjs';
export const http = true;
export const modern = true;

export const connect = (t, program, options) =>
    connectHttp(t, program, options, { client: makeClient(options, 'auto'), Transport: StreamableHTTPClientTransport, assertNoErrors });
