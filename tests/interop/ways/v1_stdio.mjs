// The official TypeScript client v1 over stdio.
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { connectStdio } from './stdio.mjs';
import { assertNoErrors, makeClient } from './v1.mjs';

export * from './v1.mjs';
export const http = false;

export const connect = (t, program, options) =>
    connectStdio(t, program, options, { client: makeClient(options), Transport: StdioClientTransport, assertNoErrors });
