// Loaded before a server. Prints the port that the system chose, and exits at the end of standard input, which the test
// holds open.
import diagnostics from "node:diagnostics_channel";

diagnostics.subscribe("tracing:net.server.listen:asyncEnd", ({ server }) =>
    process.stdout.write(`listening on port ${server.address().port}\n`));
process.stdin.on("end", () => process.exit()).resume();
