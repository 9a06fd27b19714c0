// The servers to measure, and the measurements ("cells") to make.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
const bin = process.env.BENCH_BIN ?? `${here}../build/bench/bin`;
export const tenon = `${bin}/tenon`;

const node = ["x64", "arm64"]
    .map((cpu) => `${here}peers/node_modules/node-linux-${cpu}/bin/node`)
    .find(existsSync) ?? "node";
const peer = (file, ...words) => [node, `${here}peers/${file}`, ...words];

// Each server has a command for stdio, a command for HTTP, and the eras that it supports.
export const servers = {
    floor: {
        stdio: ({ tools }) => [`${bin}/floor_stdio`, tools],
        http: ({ port, tools }) => [`${bin}/floor_http`, port, tools],
        eras: ["legacy", "modern"]
    },
    "Tenon, inline": {
        stdio: ({ tools }) => [`${bin}/echo_server`, "--inline", "--tools", tools],
        http: ({ port, tools }) => [`${bin}/echo_server`, "--inline", "--http", port, "--tools", tools],
        eras: ["legacy", "modern"]
    },
    "Tenon, workers": {
        stdio: ({ tools }) => [`${bin}/echo_server`, "--tools", tools],
        http: ({ port, tools }) => [`${bin}/echo_server`, "--http", port, "--tools", tools],
        eras: ["legacy", "modern"]
    },
    "TypeScript v1": {
        stdio: ({ tools }) => peer("v1.mjs", "stdio", 0, tools),
        http: ({ port, tools, progress }) => peer("v1.mjs", "http", port, tools, progress ? "sse" : "json"),
        eras: ["legacy"],
        peer: true
    },
    "TypeScript v2": {
        stdio: ({ tools }) => peer("v2.mjs", "stdio", 0, tools),
        http: ({ port, tools, progress, era }) =>
            peer("v2.mjs", era === "modern" ? "http" : "sessions", port, tools, progress ? "sse" : "json"),
        eras: ["legacy", "modern"],
        peer: true
    }
};

const sizes = { 32: "32 B", 1024: "1 KiB", 65536: "64 KiB", 1048576: "1 MiB" };
const revision = { legacy: "2025-11-25", modern: "2026-07-28" };

const echo = (way, era, at_once, bytes, more = {}) => ({
    title: `${way}, echo ${sizes[bytes]}, ${at_once} ${way === "HTTP" ? "connections" : "in flight"}, ${revision[era]}`,
    words: [way.toLowerCase(), era, "echo", `${at_once},${bytes}`],
    call: `echo text={nonce:${bytes}} -> {nonce:${bytes}}`,
    way: way.toLowerCase(), era, at_once, tools: 2, ...more
});
const list = (way, era, at_once, tools, more = {}) => ({
    title: `${way}, tools/list of ${tools}, ${at_once} ${way === "HTTP" ? "connections" : "in flight"}, ${revision[era]}`,
    words: [way.toLowerCase(), era, "list", `${at_once},${tools}`],
    call: "tools/list", way: way.toLowerCase(), era, at_once, tools, ...more
});
const report = (era, more = {}) => ({
    title: `HTTP, 3 progress reports and echo 32 B, 8 connections, ${revision[era]}`,
    words: ["http", era, "progress"],
    call: "report text={nonce:32} -> {nonce:32}", way: "http", era, at_once: 8, tools: 2, progress: true, ...more
});
const quick = { quick: true }, alone = { alone: true };

// `alone`: measured without the peers, to save time. `quick`: part of the short run.
export const cells = [
    echo("HTTP", "legacy", 8, 32, { id: "http", ...quick }),
    echo("HTTP", "modern", 8, 32, { id: "http-modern", ...quick }),
    echo("HTTP", "legacy", 1, 32, alone),
    echo("HTTP", "legacy", 64, 32, alone),
    echo("HTTP", "legacy", 8, 1024, alone),
    echo("HTTP", "legacy", 8, 65536, { id: "http-64k", ...quick }),
    echo("HTTP", "modern", 8, 65536, alone),
    echo("HTTP", "legacy", 8, 1048576, { id: "http-1m" }),
    list("HTTP", "legacy", 8, 50, { id: "list", ...quick }),
    list("HTTP", "modern", 8, 50),
    list("HTTP", "legacy", 8, 1000, alone),
    report("legacy"),
    report("modern"),
    { ...echo("HTTP", "legacy", 8, 32, { id: "tools", tools: 1000, ...alone }), words: ["http", "growth"],
        title: "HTTP, echo 32 B, 8 connections, 2025-11-25, 1000 tools" },
    { ...echo("HTTP", "legacy", 8, 32, { id: "sessions", hold: 10_000, ...alone }), words: ["http", "growth"],
        title: "HTTP, echo 32 B, 8 connections, 2025-11-25, beside 10,000 idle sessions" },
    echo("stdio", "legacy", 64, 32, { id: "stdio", ...quick }),
    echo("stdio", "modern", 64, 32),
    echo("stdio", "legacy", 1, 32, alone),
    echo("stdio", "legacy", 64, 1024, alone),
    echo("stdio", "legacy", 64, 65536, { id: "stdio-64k", ...quick }),
    echo("stdio", "legacy", 8, 1048576, alone),
    list("stdio", "legacy", 64, 50, alone),
    { id: "start", title: "stdio, start to first answer", words: ["stdio", "start"], way: "stdio", era: "legacy",
        tools: 2, start: 20, ...quick },
    { id: "idle", title: "HTTP, idle sessions with an open stream, 2025-11-25", words: ["http", "idle"], way: "http",
        era: "legacy", call: "tools/list", at_once: 1, tools: 2, hold: 1000, idle: true, ...quick }
];
