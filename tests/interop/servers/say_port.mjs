// Loaded before a server: says which port it got when it asked for any, and ends it with its input, which is held by
// the test.
import diagnostics from "node:diagnostics_channel";

diagnostics.subscribe("tracing:net.server.listen:asyncEnd", ({ server }) =>
    process.stdout.write(`listening on port ${server.address().port}\n`));
process.stdin.on("end", () => process.exit()).resume();
