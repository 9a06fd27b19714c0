// A client of a server of its own, or of one that the test shares among several.
import { startHttp } from '../programs.mjs';

export async function connectHttp(t, program, { server, connectOptions }, { client, Transport, assertNoErrors }) {
    client.server = server ?? (await startHttp(t, program));
    Object.defineProperty(client, 'stderr', { get: () => client.server.stderr });
    const transport = new Transport(client.server.url);
    client.server.beforeStop.push(async () => {
        assertNoErrors(client);
        if (transport.sessionId) await transport.terminateSession();
        await client.close();
    });
    await client.connect(transport, connectOptions);
    return client;
}
