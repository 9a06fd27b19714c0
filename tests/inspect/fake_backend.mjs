// Plays the program behind the page (web/API.md) for data that no real server should be asked for: hostile text in every
// field, 100,000 messages, questions of every kind, a tap, sign-in steps. Every request of the browser is recorded.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Schemas } from '../../web/form/schemas.js';
import { matches } from '../../web/form/matches.js';

const web = fileURLToPath(new URL('../../web/', import.meta.url));
const TYPES = {
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.svg': 'image/svg+xml',
};
const POLICY =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src blob: data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

class Refusal extends Error {
    constructor(status, message, more = {}) {
        super(message);
        this.status = status;
        this.more = more;
    }
}

/** Starts it on a free port. `world` replaces parts of the data below; its `commands` replace commands. */
export async function startFake(world = {}) {
    const fake = new Fake(world);
    await new Promise((resolve) => fake.server.listen(0, '127.0.0.1', resolve));
    fake.url = `http://127.0.0.1:${fake.server.address().port}/`;
    return fake;
}

class Fake {
    requests = [];
    streams = new Set();
    events = [];
    calls = 0;
    sent = [];

    constructor(world) {
        this.world = {
            mode: 'inspect',
            target: { kind: 'command', text: 'node server.js' },
            state: 'ready',
            tools: [],
            resources: [],
            templates: [],
            prompts: [],
            decisions: [],
            roots: [],
            steps: [],
            breakpoints: [],
            messages: [],
            open: { questions: [], consents: [], held: [], calls: [] },
            result: () => ({ content: [{ type: 'text', text: 'done' }] }),
            report: null,
            commands: {},
            server: {
                name: 'calm',
                version: '1.0',
                revision: '2026-07-28',
                era: 'modern',
                supported: ['2026-07-28', '2025-11-25'],
                capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
                extensions: {},
                instructions: '',
                info: { name: 'calm' },
                transport: 'stdio',
                pid: 42,
            },
            ...world,
        };
        this.server = createServer((request, response) =>
            this.#serve(request, response).catch((error) => {
                response.statusCode = 500;
                response.end(String(error));
            }),
        );
    }

    close() {
        for (const stream of this.streams) stream.end();
        this.server.closeAllConnections();
        return new Promise((resolve) => this.server.close(resolve));
    }

    status(open = true) {
        const { world } = this;
        return {
            state: world.state,
            reason: world.reason ?? '',
            target: world.target,
            era: 'auto',
            connection: 1,
            mode: world.mode,
            tool_version: '0.1.0',
            apps_origin: 'http://127.0.0.1:1',
            sampler: true,
            last_event: this.events.length,
            ...(open ? { open: world.open } : {}),
        };
    }

    /** Sends an event to every stream. */
    emit(type, data) {
        this.events.push({ type, data: { at: Date.UTC(2026, 6, 28, 12), ...data } });
        const text = this.#line(this.events.length);
        for (const stream of this.streams) stream.write(text);
    }

    #line(number) {
        const { type, data } = this.events[number - 1];
        return `id: ${number}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
    }

    /** Ends all streams; the page connects again. */
    cut() {
        for (const stream of this.streams) stream.end();
        this.streams.clear();
    }

    async #serve(request, response) {
        const url = new URL(request.url, 'http://127.0.0.1');
        this.requests.push(`${request.method} ${request.url}`);
        response.setHeader('Content-Security-Policy', POLICY);
        if (url.pathname === '/api/events') return this.#stream(url, response);
        if (url.pathname.startsWith('/api/')) return this.#command(url.pathname.slice(5), request, response);
        const path = normalize(url.pathname === '/' ? '/index.html' : url.pathname);
        if (!TYPES[extname(path)]) return response.writeHead(404).end('there is no such file');
        response.setHeader('Content-Type', TYPES[extname(path)]);
        const text = await readFile(join(web, path)).catch(() => null);
        if (text === null) response.statusCode = 404;
        return response.end(
            text === null
                ? ''
                : path === '/index.html'
                  ? String(text).replace('@TENON_KEY@', 'key').replace('@TENON_APPS@', 'http://127.0.0.1:1')
                  : text,
        );
    }

    #stream(url, response) {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(`event: hello\ndata: ${JSON.stringify({ at: 0, status: this.status() })}\n\n`);
        for (let number = Number(url.searchParams.get('after') ?? 0) + 1; number <= this.events.length; ++number)
            response.write(this.#line(number));
        this.streams.add(response);
        response.on('close', () => this.streams.delete(response));
    }

    async #command(name, request, response) {
        let text = '';
        for await (const chunk of request) text += chunk;
        const body = JSON.parse(text || '{}');
        this.sent.push({ name, body });
        response.setHeader('Content-Type', 'application/json');
        try {
            const run = this.world.commands[name] ?? commands[name];
            if (!run) throw new Refusal(404, `There is no command ${name}.`);
            response.end(JSON.stringify({ result: await run(body, this) }));
        } catch (error) {
            response.statusCode = error.status ?? 500;
            response.end(JSON.stringify({ error: { message: error.message, remedy: '', ...error.more } }));
        }
    }

    /** Asks for consent as the program does, then answers. */
    call(kind, name, sends) {
        const call = `c${++this.calls}`;
        const consent = kind === 'prompt' ? null : `k${this.calls}`;
        const run = () => {
            this.emit('call_started', { call, kind, name });
            this.emit('call_done', {
                call,
                kind,
                name,
                ms: 1.5,
                ...(this.world.outcome?.(kind, name, sends) ?? { result: this.world.result(kind, name, sends) }),
            });
        };
        if (!consent) queueMicrotask(run);
        else {
            this.waiting ??= new Map();
            this.waiting.set(consent, run);
            this.emit('consent', {
                consent,
                kind,
                server: this.world.server.name,
                subject: name,
                definition: this.world.tools.find((tool) => tool.name === name),
                sends,
                changed: this.world.changed ?? false,
                call,
                by: 'you',
            });
        }
        return { call, consent };
    }
}

const isMatch = (filter) => (one) =>
    (!filter?.text || JSON.stringify(one).toLowerCase().includes(filter.text.toLowerCase())) &&
    (!filter?.direction || one.direction === filter.direction) &&
    (!filter?.kind || one.kind === filter.kind) &&
    (!filter?.method || one.method === filter.method) &&
    (!filter?.verdict || one.verdicts.length > 0 === (filter.verdict === 'broken')) &&
    (!filter?.pinned || one.pinned);

const lists = Object.fromEntries(
    ['tools', 'resources', 'templates', 'prompts'].map((name) => [
        name,
        (body, { world }) => ({ items: world[name], ...(name === 'tools' ? { decisions: {} } : {}) }),
    ]),
);

const commands = {
    ...lists,
    status: (body, fake) => fake.status(),
    targets: () => ({
        targets: [{ name: 'weather', source: '.mcp.json', kind: 'command', text: 'node weather.js' }],
        files: ['.mcp.json'],
        problems: [],
    }),
    server: (body, { world }) => world.server,
    connect: (body, fake) => fake.status(),
    reconnect: (body, fake) => fake.status(),
    disconnect: (body, fake) => fake.status(),
    ping: () => ({ ms: 1.2 }),
    complete: () => ({ values: ['attic', 'archive'], hasMore: false }),
    call: ({ tool, arguments: sends }, fake) => fake.call('tool', tool, sends),
    read: ({ uri }, fake) => fake.call('resource', uri, { uri }),
    get_prompt: ({ name, arguments: sends }, fake) => fake.call('prompt', name, sends),
    replay: ({ number }, fake) => fake.call('raw', fake.world.messages[number - 1].method, {}),
    send_raw: ({ message }, fake) => fake.call('raw', message.method, message.params),
    cancel: () => ({ cancelled: true }),
    validate({ schema, value }) {
        const valid = matches(schema, value, new Schemas(schema));
        return {
            valid,
            violations: valid
                ? []
                : [{ path: '', keyword: 'schema', message: 'The value does not fit.', schema_path: '' }],
        };
    },
    decide({ consent, decision }, fake) {
        fake.emit('consent_done', { consent, decision });
        if (decision === 'session' || decision === 'always') fake.emit('decisions', {});
        if (decision !== 'refuse' && decision !== 'never') fake.waiting?.get(consent)?.();
        return { saved: true };
    },
    decisions: (body, { world }) => ({ decisions: world.decisions }),
    revoke({ decision_id }, fake) {
        fake.world.decisions = fake.world.decisions.filter((one) => one.decision_id !== decision_id);
        return {};
    },
    answer({ question, action }, fake) {
        fake.world.open.questions = fake.world.open.questions.filter((one) => one.question !== question);
        fake.emit('question_done', { question, outcome: action });
        return {};
    },
    sample: () => ({
        result: {
            role: 'assistant',
            content: { type: 'text', text: 'from the sampler' },
            model: 'small',
            stopReason: 'endTurn',
        },
    }),
    roots: (body, { world }) => ({ roots: world.roots }),
    set_roots({ roots }, { world }) {
        world.roots = roots;
        return { roots };
    },
    subscribe: ({ uri }) => ({ subscribed: [uri] }),
    unsubscribe: () => ({ subscribed: [] }),
    subscriptions: () => ({ subscribed: [] }),
    set_log_level: () => ({}),
    tasks: () => ({ tasks: [] }),
    history({ offset = 0, after = 0, limit = 200, filter }, { world }) {
        const found =
            filter && Object.keys(filter).length > 0 ? world.messages.filter(isMatch(filter)) : world.messages;
        if (!world.knowsOffset)
            offset = Math.max(
                0,
                found.findIndex((one) => one.number > after),
            );
        return {
            messages: found.slice(offset, offset + limit).map(({ text, ...rest }) => rest),
            total: found.length,
            first: 1,
            last: world.messages.length,
            dropped: 0,
        };
    },
    message({ number }, { world }) {
        const one = world.messages[number - 1];
        if (!one) throw new Refusal(404, 'There is no message with this number.');
        return { ...one, related: [] };
    },
    pin({ number, pinned }, { world }) {
        world.messages[number - 1].pinned = pinned;
        return {};
    },
    clear: () => ({}),
    export: ({ format }) => ({ name: `tenon-inspect.${format}`, type: 'application/json', text: '{}' }),
    copy_as: ({ kind, tool }) => ({ text: `${kind} ${tool}` }),
    check(body, fake) {
        queueMicrotask(() => {
            fake.emit('check_progress', { what: 'RPC-1', done: 1, of: 2 });
            fake.emit('check_done', { passed: 1, failed: 1, warnings: 0, incomplete: '' });
        });
        return { check: '1' };
    },
    check_stop: () => ({}),
    check_report(body, { world }) {
        if (!world.report) throw new Refusal(404, 'There is no report yet.');
        return { report: world.report, html: '<!doctype html><title>report</title>' };
    },
    http_steps: (body, { world }) => ({ steps: world.steps }),
    sign_in: (body, fake) => fake.status(),
    breakpoints({ rules }, { world }) {
        world.breakpoints = rules ?? world.breakpoints;
        return { rules: world.breakpoints };
    },
    release({ held }, fake) {
        fake.world.open.held = [];
        fake.emit('held_done', { held, outcome: 'released' });
        return {};
    },
    drop: ({ held }, fake) => (fake.emit('held_done', { held, outcome: 'dropped' }), {}),
    compare: () => ({ legacy: { ok: false, reason: 'no' }, modern: { ok: false, reason: 'no' }, differences: [] }),
};
