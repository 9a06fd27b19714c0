// `tenon check` against a cluster behind nginx: it behaves like one server.
import test from 'node:test';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { bin, run, skip, start_cluster } from './cluster_nodes.mjs';

test('tenon check passes against a cluster, in all revisions and with the security rules', { skip, timeout: 900000 }, async t => {
    const cluster = await start_cluster();
    t.after(cluster.stop);
    const { status, said } = await run(join(bin, 'tenon'), ['check', '--all-revisions', '--security', cluster.url]);
    assert.equal(status, 0, said);
});
