// A client that starts its own HTTP server, or uses one that the test shares among several clients.
import { startHttp } from '../programs.mjs';

export async function connectHttp(t, program, { server, connectOptions, transportOptions }, { client, Transport, assertNoErrors }) {
    client.server = server ?? (await startHttp(t, program));
    Object.defineProperty(client, 'stderr', { get: () => client.server.stderr });
    const transport = new Transport(client.server.url, transportOptions);
    client.server.beforeStop.push(async () => {
        if (!client.transport) return; // the test has closed it
        assertNoErrors(client);
        if (transport.sessionId) await transport.terminateSession();
        await client.close();
    });
    await client.connect(transport, connectOptions);
    return client;
}
