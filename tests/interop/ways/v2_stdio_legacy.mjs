// The official TypeScript client v2 over stdio, told to use an older revision.
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { connectStdio } from './stdio.mjs';
import { assertNoErrors, makeClient } from './v2.mjs';

export * from './v2.mjs';
export const http = false;
export const modern = false;

export const connect = (t, program, options) =>
    connectStdio(t, program, options, { client: makeClient(options, 'legacy'), Transport: StdioClientTransport, assertNoErrors });
