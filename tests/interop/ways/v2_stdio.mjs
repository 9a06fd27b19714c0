// The official TypeScript client v2 over stdio. It detects that the server has 2026-07-28.
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { connectStdio } from './stdio.mjs';
import { assertNoErrors, makeClient } from './v2.mjs';

export * from './v2.mjs';
export const http = false;
export const modern = true;

export const connect = (t, program, options) =>
    connectStdio(t, program, options, { client: makeClient(options, 'auto'), Transport: StdioClientTransport, assertNoErrors });
