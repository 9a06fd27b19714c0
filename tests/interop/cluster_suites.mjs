// The official conformance suite against a cluster behind nginx: it behaves like one server.
import test from 'node:test';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { run, skip, start_cluster } from './cluster_nodes.mjs';

// Each revision has a cluster of its own: the suite changes lists, and each node has its own lists.
for (const revision of ['2025-11-25', '2026-07-28'])
    test(`the official suite of ${revision} passes against a cluster`, { skip, timeout: 900000 }, async t => {
        const cluster = await start_cluster(3, { name: 'conformance-server', port: '--port' });
        t.after(cluster.stop);
        const { status, said } = await run(join(import.meta.dirname, '../conformance/run.sh'), [cluster.url, revision]);
        if (status === 77) return t.skip(said);
        assert.equal(status, 0, said);
    });
