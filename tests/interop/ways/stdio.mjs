// A client that starts the server and talks to it through pipes.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { path } from '../programs.mjs';

export async function connectStdio(t, program, { command = path(program), args = [], connectOptions }, { client, Transport, assertNoErrors }) {
    const transport = new Transport({ command, args, stderr: 'pipe' });
    client.stderr = '';
    transport.stderr.on('data', (chunk) => (client.stderr += chunk));
    await client.connect(transport, connectOptions);
    const exited = once(transport._process, 'exit');
    t.after(async () => {
        await client.close();
        assert.deepEqual(await exited, [0, null], `exit of ${program}; stderr: ${client.stderr}`);
        assertNoErrors(client);
    });
    return client;
}
