// Computes medians, spreads and ratios, and compares them with the goals.

export const median = (list) => {
    const sorted = [...list].sort((a, b) => a - b);
    const half = Math.floor(sorted.length / 2);
    return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};

// Returns the number that a cell measures: time, memory or CPU time.
export const cost = (cell) => (run) =>
    cell.start ? run.p50 / 1000 : cell.idle ? run.held.bytesPerSession / 1024 : run.server.cpuMicrosecondsPerAnswer;

/// Returns the ratio of one server to another in the same cell: the median of the ratios of all rounds.
export function ratio(cell, runs, name, to = "floor") {
    if (!runs.get(name) || !runs.get(to)) return undefined;
    const base = runs.get(to).map(cost(cell));
    return median(runs.get(name).map((run, i) => cost(cell)(run) / base[i]));
}

const digits = (n) => (n >= 100 ? n.toFixed(0) : n >= 10 ? n.toFixed(1) : n.toFixed(2));
const mebi = (bytes) => (bytes / 1024 / 1024).toFixed(1);

function columns(cell) {
    const of = (get) => (runs) => digits(median(runs.map(get)));
    const spread = (runs) => {
        const all = runs.map(cost(cell));
        return `${digits(median(all))} [${digits(Math.min(...all))}-${digits(Math.max(...all))}]`;
    };
    if (cell.start) return { "ms [least-most]": spread };
    const memory = (which) => (runs) => mebi(Math.max(...runs.map((run) => run[which[0]][which[1]])));
    if (cell.idle)
        return { "KiB a session [least-most]": spread, "MiB before": memory(["held", "memoryBefore"]),
            "MiB with them": memory(["held", "memoryAfter"]) };
    return {
        "CPU us [least-most]": spread,
        "requests/s": (runs) => median(runs.map((run) => run.answersPerSecond)).toFixed(0) +
            (runs.some((run) => run.generatorWasLimit) ? "*" : ""),
        "p50 us": of((run) => run.latencyMicroseconds.p50),
        "p99 us": of((run) => run.latencyMicroseconds.p99),
        "p99.9 us": of((run) => run.latencyMicroseconds["p99.9"]),
        "peak MiB": memory(["server", "memoryPeak"])
    };
}

function aligned(rows) {
    const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
    const line = (row) => `| ${row.map((text, i) => (i ? text.padStart(widths[i]) : text.padEnd(widths[i]))).join(" | ")} |`;
    const rule = `|${widths.map((width, i) => (i ? `${"-".repeat(width + 1)}:` : "-".repeat(width + 2))).join("|")}|`;
    return [line(rows[0]), rule, ...rows.slice(1).map(line)].join("\n");
}

export function cellTable(cell, runs) {
    const all = columns(cell);
    const rows = [["server", "x floor", ...Object.keys(all)]];
    for (const [name, list] of runs)
        rows.push([name, digits(ratio(cell, runs, name)), ...Object.values(all).map((get) => get(list))]);
    return `${cell.title}\n\n${aligned(rows)}\n`;
}

// ---- goals

const inline = "Tenon, inline", workers = "Tenon, workers", v1 = "TypeScript v1", v2 = "TypeScript v2";

const atMost = (limit, unit = "x floor") => (n) => ({ wanted: `<= ${limit} ${unit}`, met: n <= limit });
const atLeast = (limit, unit) => (n) => ({ wanted: `>= ${limit} ${unit}`, met: n >= limit });
const toFloor = (name) => ({ cell, runs }) => ratio(cell, runs, name);
const lessThan = (name) => ({ cell, runs }) => ratio(cell, runs, name, inline);
const figure = (name) => ({ cell, runs }) => median(runs.get(name).map(cost(cell)));
const before = ({ runs }) => median(runs.get(inline).map((run) => run.held.memoryBefore / 1024 / 1024));
const against = (id) => ({ cell, runs }, found) =>
    found.get(id) && figure(inline)({ cell, runs }) / figure(inline)(found.get(id));

const goals = [
    ["HTTP 32 B, inline, 2025-11-25", "http", toFloor(inline), atMost(1.5)],
    ["HTTP 32 B, inline, 2026-07-28", "http-modern", toFloor(inline), atMost(1.5)],
    ["  less than TypeScript v1", "http", lessThan(v1), atLeast(60, "x")],
    ["  less than TypeScript v2", "http", lessThan(v2), atLeast(60, "x")],
    ["  less than TypeScript v2, 2026-07-28", "http-modern", lessThan(v2), atLeast(60, "x")],
    ["HTTP 32 B, workers, 2025-11-25", "http", toFloor(workers), atMost(2.5)],
    ["HTTP 32 B, workers, 2026-07-28", "http-modern", toFloor(workers), atMost(2.5)],
    ["HTTP 64 KiB", "http-64k", toFloor(inline), atMost(2)],
    ["HTTP 1 MiB", "http-1m", toFloor(inline), atMost(2)],
    ["stdio 32 B, 64 in flight (2.5 us where the floor is 0.5)", "stdio", toFloor(inline), atMost(5)],
    ["  less than TypeScript v1", "stdio", lessThan(v1), atLeast(10, "x")],
    ["  less than TypeScript v2", "stdio", lessThan(v2), atLeast(10, "x")],
    ["stdio 64 KiB", "stdio-64k", toFloor(inline), atMost(2)],
    ["tools/list of 50", "list", toFloor(inline), atMost(1.6)],
    ["start to first answer", "start", toFloor(inline), atMost(2)],
    ["memory, idle", "idle", before, atMost(8, "MiB")],
    ["memory of an idle session with a stream", "idle", figure(inline), atMost(10, "KiB")],
    ["growth, 2 to 1000 tools", "tools", against("http"), atMost(1.1, "x")],
    ["growth, 0 to 10,000 idle sessions", "sessions", against("http"), atMost(1.1, "x")]
];

/// `found` maps the id of a cell to the cell and its runs.
export function goalTable(found) {
    const rows = [["goal", "wanted", "measured", ""]];
    for (const [name, id, get, judge] of goals) {
        const n = found.has(id) ? get(found.get(id), found) : undefined;
        if (n === undefined) continue;
        const { wanted, met } = judge(n);
        rows.push([name, wanted, digits(n), met ? "reached" : "not reached"]);
    }
    return rows.length > 1 ? `Goals\n\n${aligned(rows)}\n` : "";
}
