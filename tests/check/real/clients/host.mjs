// A client for `tenon check --client`: configures a host in its HOME, and lets it connect to the server.
//
// usage: node host.mjs claude|codex|gemini SERVER|URL
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , host, where] = process.argv;
const http = where.startsWith('http');
const home = process.env.HOME;
const packages = join(import.meta.dirname, 'node_modules');

function write(path, text) {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), text);
}

const run = (command, args) => spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1;

const hosts = {
    // Connects to each server to show whether it works.
    claude() {
        const server = http ? { type: 'http', url: where } : { type: 'stdio', command: where, args: [] };
        write('.claude.json', JSON.stringify({ mcpServers: { tenon: server } }));
        const binary = join(packages, `@anthropic-ai/claude-code-linux-${process.arch}/claude`);
        return run(binary, ['mcp', 'list']);
    },
    // Connects to its servers before it asks a model. The model is on a port that nothing listens on.
    codex() {
        const server = http ? `url = "${where}"` : `command = "${where}"`;
        write('.codex/config.toml', [
            'model = "none"', 'model_provider = "none"',
            '[model_providers.none]', 'name = "none"', 'base_url = "http://127.0.0.1:9/v1"', 'request_max_retries = 0',
            'stream_max_retries = 0', '[mcp_servers.tenon]', server, ''].join('\n'));
        return run(process.execPath, [join(packages, '@openai/codex/bin/codex.js'), 'exec', '--skip-git-repo-check', 'hello']);
    },
    gemini() {
        const server = http ? { httpUrl: where } : { command: where };
        write('.gemini/settings.json', JSON.stringify({ security: { folderTrust: { enabled: false } }, mcpServers: { tenon: { ...server, trust: true } } }));
        return run(process.execPath, [join(packages, '@google/gemini-cli/bundle/gemini.js'), 'mcp', 'list']);
    },
};
process.exit(hosts[host]());
