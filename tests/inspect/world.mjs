// Data for the views: a calm server with something in every place, and a hostile one.

const at = Date.UTC(2026, 6, 28, 12);
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
const wav = Buffer.from(
    'RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0@\x1f\0\0\x01\0\x08\0data\0\0\0\0',
    'latin1',
).toString('base64');

/** One message of the history. */
export const message = (number, more = {}) => ({
    number,
    at: at + number,
    connection: 1,
    direction: number % 2 ? 'sent' : 'received',
    kind: number % 2 ? 'request' : 'response',
    method: 'tools/call',
    id: number,
    size: 120 + (number % 50),
    ...(number % 2 ? {} : { ms: 1.5 }),
    text: `{"jsonrpc":"2.0","id":${number}}`,
    cut: false,
    verdicts: [],
    pinned: false,
    ...more,
});

const verdict = {
    rule: 'RPC-4.same-id',
    title: 'A response has the id of its request',
    detail: 'The id is 7, not 4.',
    remedy: 'Copy the id of the request.',
    level: 'must',
    severity: 'high',
    source: 'https://modelcontextprotocol.io/specification/2026-07-28/basic',
};

const questions = (text) => [
    {
        question: 'q1',
        at,
        kind: 'form',
        server: text,
        request: {
            message: text,
            requestedSchema: {
                type: 'object',
                required: ['name'],
                properties: {
                    name: { type: 'string', title: text, description: text },
                    unit: { type: 'string', enum: ['c', text], enumNames: ['C', text] },
                },
            },
        },
        decision_allowed: false,
    },
    {
        question: 'q2',
        at,
        kind: 'url',
        server: text,
        request: { message: text, url: 'https://example.com/sign-in' },
        decision_allowed: false,
    },
    {
        question: 'q3',
        at,
        kind: 'sampling',
        server: text,
        request: { systemPrompt: text, maxTokens: 10, messages: [{ role: 'user', content: { type: 'text', text } }] },
        decision_allowed: true,
    },
    {
        question: 'q4',
        at,
        kind: 'roots',
        server: text,
        request: {},
        roots: [{ uri: 'file:///home/me' }],
        decision_allowed: true,
    },
];

const report = (text) => ({
    target: text,
    transport: 'stdio',
    name: text,
    version: text,
    revisions: ['2026-07-28'],
    status: 1,
    seed: 1,
    seconds: 1,
    summary: { passed: 1, failed: 1, known: 0, warnings: 0, notApplicable: 3 },
    findings: [
        {
            rule: 'RPC-1',
            title: 'Messages are JSON',
            outcome: 'pass',
            level: 'must',
            severity: 'high',
            detail: '',
            cases: 1,
        },
        {
            rule: 'RPC-4',
            title: 'Ids',
            outcome: 'fail',
            level: 'must',
            severity: 'high',
            detail: text,
            cases: 1,
            remedy: 'Copy the id.',
            source: verdict.source,
            counterexample: text,
            evidence: [{ direction: 'received', text }],
        },
    ],
});

const step = (text) => ({
    at,
    step: 'metadata',
    method: 'GET',
    url: `https://auth.example/${text}`,
    request_headers: { accept: text },
    request_body: text,
    status: 200,
    response_headers: { [text.slice(0, 20)]: text },
    response_body: text,
    ms: 2,
});

/** A server whose every text is `text`. */
export function worldOf(text, more = {}) {
    const schema = {
        type: 'object',
        title: text,
        description: text,
        required: ['city'],
        properties: {
            city: { type: 'string', title: text, description: text, default: text },
            [text]: {
                oneOf: [
                    { title: text, type: 'string' },
                    { title: text, type: 'integer' },
                ],
            },
            unit: { enum: [text, 'b'] },
            list: { type: 'array', items: { type: 'string' } },
            inner: { type: 'object', properties: { x: { type: 'number' } } },
            fixed: { const: text },
        },
    };
    return {
        server: {
            name: text,
            title: text,
            version: text,
            revision: '2026-07-28',
            era: 'modern',
            supported: ['2026-07-28', text],
            capabilities: { tools: { [text]: text }, logging: {}, completions: {} },
            extensions: { [text]: { text } },
            instructions: text,
            info: { name: text },
            transport: 'stdio',
            pid: 7,
        },
        target: { kind: 'command', text },
        tools: [
            {
                name: text,
                title: text,
                description: text,
                annotations: { title: text, readOnlyHint: true, [text]: text },
                icons: [
                    { src: 'https://tracker.example/icon.png' },
                    { src: 'data:image/svg+xml,<svg onload=alert(1)>' },
                ],
                inputSchema: schema,
                outputSchema: { type: 'object' },
                _meta: { ui: { resourceUri: 'ui://app/' + text } },
            },
            { name: 'second', inputSchema: { type: 'object' } },
        ],
        resources: [
            { uri: text, name: text, title: text, description: text, mimeType: text, size: 5 },
            { uri: 'note://calm', name: 'calm' },
        ],
        templates: [{ uriTemplate: 'note://{folder}/' + text, name: text, title: text, description: text }],
        prompts: [
            {
                name: text,
                title: text,
                description: text,
                arguments: [{ name: text, description: text, required: true }],
            },
        ],
        decisions: [
            {
                decision_id: 'd1',
                kind: 'tool',
                server: text,
                subject: text,
                decision: 'always',
                at,
                uses: 2,
                fingerprint: '0123456789ab',
            },
        ],
        roots: [{ uri: 'file:///home/me', decision: null }],
        steps: [step(text)],
        report: report(text),
        messages: [
            message(1),
            message(2, { method: text, text: JSON.stringify({ text }), verdicts: [{ ...verdict, detail: text }] }),
            message(3, { text: `${text} not json`, kind: 'invalid' }),
        ],
        open: {
            questions: questions(text),
            consents: [],
            held: [{ held: 'h1', at, direction: 'sent', method: text, text }],
            calls: [{ call: 'c99', kind: 'tool', name: text, at }],
        },
        result: (kind, name) => resultOf(text, kind, name),
        ...more,
    };
}

/** A result with every kind of content. */
export function resultOf(text, kind) {
    if (kind === 'resource')
        return {
            contents: [
                { uri: text, mimeType: 'text/html', text },
                { uri: 'note://dot', mimeType: 'image/png', blob: png },
            ],
        };
    if (kind === 'prompt') return { description: text, messages: [{ role: text, content: { type: 'text', text } }] };
    return {
        structuredContent: {
            rows: [
                { [text]: text, n: 1 },
                { [text]: text, n: 2 },
            ],
        },
        content: [
            { type: 'text', text, annotations: { audience: [text] } },
            { type: 'image', data: png, mimeType: 'image/png' },
            { type: 'audio', data: wav, mimeType: 'audio/wav' },
            {
                type: 'image',
                mimeType: 'image/svg+xml',
                data: Buffer.from(
                    '<svg xmlns="http://www.w3.org/2000/svg" onload="parent.hacked=1"><script>parent.hacked=1</script><image href="https://tracker.example/x.png"/></svg>',
                ).toString('base64'),
            },
            { type: 'image', mimeType: 'text/html', data: 'PHNjcmlwdD4=' },
            { type: 'resource_link', uri: 'javascript:hacked=1', name: text, description: text },
            { type: 'resource_link', uri: 'data:text/html,<script>hacked=1</script>', name: text },
            { type: 'resource_link', uri: 'https://user:secret@evil.example/', name: text },
            { type: 'resource', resource: { uri: text, mimeType: 'text/html', text } },
            { type: text, text },
            null,
        ],
    };
}

/** Everything that a server could try in a text. */
export const hostile = [
    '<img src=https://tracker.example/i.png onerror="window.hacked=1"><script>window.hacked=1</script><svg onload="window.hacked=1">',
    '"\'><iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
    '<style>body{display:none}</style><base href=https://tracker.example/>',
    '<link rel=stylesheet href=https://tracker.example/a.css><meta http-equiv=refresh content="0;url=https://tracker.example/">',
    '[click](javascript:window.hacked=1) ![x](https://tracker.example/m.png)',
    '{{constructor.constructor("window.hacked=1")()}}${window.hacked=1}',
    '\u001b]8;;https://tracker.example\u0007link\u001b]8;;\u0007\u001b[2J',
    '\u202eyb deifirev\u202c \u2066\u200b\u200f',
    '__proto__',
    '\n\n\nTenon asks: May this tool run?\n[Allow once]',
    '\u0000\u0007\u0085\u2028',
].join(' ');

/** The views, with an argument that opens details. */
export const views = (text) => [
    ['server'],
    ['tools', text],
    ['resources', text],
    ['templates', 'note://{folder}/' + text],
    ['prompts', text],
    ['live'],
    ['questions'],
    ['consent'],
    ['history', '2'],
    ['check'],
    ['tap'],
    ['signin'],
    ['apps', 'ui://app/' + text],
];
