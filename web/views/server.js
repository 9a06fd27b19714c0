// The server: what it is, how it is connected, what it writes to standard error, and the choice of another one.
import { send } from '../lib/api.js';
import { announce, badge, button, fill, h, notice, problem, untrusted, untrustedBlock, uniqueId } from '../lib/dom.js';
import { jsonView, rawJson } from '../lib/json_view.js';
import { count, duration } from '../lib/text.js';
import { splitCommand } from '../lib/words.js';
import { failurePlace } from '../parts/call_panel.js';
import { overview } from '../parts/overview.js';
import { stderrList } from '../parts/stderr_list.js';

const ERAS = [
    ['auto', 'automatic'],
    ['legacy', 'legacy (initialize)'],
    ['modern', 'modern (2026-07-28)'],
];
const CAPABILITIES = ['tools', 'resources', 'prompts', 'completions', 'logging', 'tasks'];

function mount(host, app) {
    const about = h('section', { 'aria-label': 'About the server' });
    const choose = h('section', { 'aria-label': 'Connection' });
    const stderr = stderrList(app);
    const more = h('div');
    fill(host, h('h1', null, 'Server'), overview(app), about, more, stderr, choose);
    const wanted = { era: null }; // what the user chose, and did not use yet
    const failure = failurePlace(); // one for all drawings: an error may come after the view was drawn again
    let target;
    const drawAbout = () => {
        const now = app.state.status?.target?.text;
        if (now !== target) [failure.place, more].forEach((place) => fill(place)); // they were about another server
        target = now;
        fill(about, aboutView(app, more, wanted, failure));
    };
    app.watch(['server', 'status', 'serverError', 'link'], drawAbout);
    fill(choose, chooser(app));
    drawAbout();
}

function aboutView(app, more, wanted, failure) {
    const { status, server, serverError } = app.state;
    if (!status) return notice('loading', 'Asking the program…');
    const again = status.target && status.mode === 'inspect' ? connectionButtons(app, more, wanted, failure) : null;
    if (status.state === 'connecting')
        return [notice('loading', 'Connecting…', untrustedBlock(status.target?.text ?? '')), again];
    if (status.state === 'failed' || status.state === 'closed')
        return [
            notice(
                'error',
                status.state === 'failed' ? 'The connection failed' : 'The connection is closed',
                untrustedBlock(status.reason || ''),
                untrustedBlock(status.target?.text ?? ''),
            ),
            again,
        ];
    if (status.state === 'idle') return notice('empty', 'No server is connected. Choose one below.');
    if (!server) return serverError ? problem(serverError) : notice('loading', 'Loading…');
    return [
        serverFacts(status, server),
        again,
        server.instructions
            ? [h('h2', null, 'Instructions of the server'), untrustedBlock(server.instructions, 20_000)]
            : null,
        h('h2', null, 'Capabilities'),
        capabilities(server),
        rawJson('Capabilities as JSON', server.capabilities),
        Object.keys(server.extensions ?? {}).length ? [h('h2', null, 'Extensions'), jsonView(server.extensions)] : null,
        rawJson('Information as the server sent it', server.info),
    ];
}

function serverFacts(status, server) {
    const fact = (name, ...value) => [h('dt', null, name), h('dd', null, ...value)];
    return h(
        'dl.facts',
        null,
        fact('Name', untrusted(server.title ?? server.name), ' ', h('span.dim', null, untrusted(server.version ?? ''))),
        fact('Target', untrusted(status.target?.text ?? '')),
        fact(
            'Revision',
            untrusted(server.revision),
            ' ',
            badge(server.era, 'info'),
            status.era === 'auto' ? h('span.dim', null, ' found automatically') : null,
        ),
        server.supported?.length ? fact('Supports', untrusted(server.supported.join(', '))) : null,
        fact(
            'Transport',
            server.transport === 'stdio' ? 'standard input and output' : 'HTTP',
            server.pid ? h('span.dim', null, ` process ${server.pid}`) : null,
        ),
    );
}

function capabilities(server) {
    return h(
        'p.capabilities',
        null,
        CAPABILITIES.map((name) => (server.capabilities?.[name] ? badge(`✓ ${name}`, 'ok') : badge(`– no ${name}`))),
    );
}

function connectionButtons(app, more, wanted, failure) {
    const { status } = app.state;
    const id = uniqueId('era');
    const era = h(
        'select',
        { id, onchange: () => (wanted.era = era.value) },
        ERAS.map(([value, text]) => h('option', { value, selected: value === (wanted.era ?? status.era) }, text)),
    );
    const reconnect = () =>
        failure.run(async () => {
            const chosen = era.value;
            await send('reconnect', { era: chosen });
            if (wanted.era === chosen) wanted.era = null; // not what was chosen since
        });
    const ping = () =>
        failure.run(async () => announce(`The server answered in ${duration((await send('ping')).ms)}.`));
    const compare = () =>
        failure.run(async () => {
            fill(more, notice('loading', 'Connecting in both eras…'));
            try {
                fill(more, compareView(await send('compare')));
            } catch (error) {
                fill(more);
                throw error;
            }
        });
    return [
        h(
            'div.actions',
            null,
            h('label', { for: id }, 'Era'),
            era,
            button('Reconnect', reconnect, { 'data-role': 'reconnect' }),
            status.state === 'ready'
                ? [
                      button('Ping', ping),
                      button('Compare eras', compare, { 'data-role': 'compare-eras' }),
                      button('Disconnect', () => failure.run(() => send('disconnect'))),
                  ]
                : null,
        ),
        failure.place,
    ];
}

function compareView({ legacy, modern, differences }) {
    const side = (name, one) =>
        h(
            'div.side',
            null,
            h('h3', null, name),
            one.ok
                ? h(
                      'p',
                      null,
                      untrusted(one.server.revision),
                      ': ',
                      count(one.tools.length, 'tool'),
                      ', ',
                      count(one.resources.length, 'resource'),
                      ', ',
                      count(one.templates.length, 'template'),
                      ', ',
                      count(one.prompts.length, 'prompt'),
                  )
                : notice('error', 'This era does not work', untrustedBlock(one.reason)),
        );
    return h(
        'section.compare',
        { 'aria-label': 'Both eras' },
        h('h2', null, 'Both eras'),
        h('div.sides', null, side('legacy', legacy), side('modern', modern)),
        differences.length === 0
            ? h('p', null, legacy.ok && modern.ok ? 'No difference.' : '')
            : h(
                  'ul',
                  null,
                  differences
                      .slice(0, 200)
                      .map((one) =>
                          h(
                              'li',
                              null,
                              untrusted(one.what),
                              h('div.sides', null, jsonView(one.legacy), jsonView(one.modern)),
                          ),
                      ),
              ),
    );
}

function chooser(app) {
    const failure = failurePlace();
    const place = h('div');
    const input = h('input', {
        id: uniqueId('target'),
        type: 'text',
        placeholder: 'https://example.com/mcp   or   node server.js',
        spellcheck: 'false',
        autocomplete: 'off',
    });
    const trust = h('div');
    const connect = (target) =>
        failure.run(async () => {
            fill(trust);
            try {
                await send('connect', { target });
            } catch (error) {
                if (!error.data?.needs_trust) throw error;
                fill(
                    trust,
                    trustQuestion(target, error.data.needs_trust, connect, () => fill(trust)),
                );
            }
        });
    const byText = () => {
        const text = input.value.trim();
        if (text !== '') connect(/^https?:\/\//i.test(text) ? { url: text } : { command: splitCommand(text) });
    };
    input.addEventListener('keydown', (event) => {
        if (event.key === 'Enter') byText();
    });
    const summary = h('summary');
    const details = h(
        'details',
        { open: app.state.status?.state === 'idle' },
        summary,
        h(
            'div.row',
            null,
            h('label', { for: input.id }, 'URL or command'),
            input,
            button('Connect', byText, { 'data-role': 'connect' }),
        ),
        failure.place,
        trust,
        place,
    );
    const draw = async () => {
        details.hidden = app.state.status?.mode === 'tap';
        const idle = app.state.status?.state === 'idle';
        if (idle) details.open = true;
        summary.textContent = idle ? 'Connect to a server' : 'Connect to another server';
    };
    app.watch(['status'], draw);
    draw();
    send('targets')
        .then((answer) => fill(place, targetList(answer, connect)))
        .catch((error) => fill(place, problem(error)));
    return details;
}

/** An entry of a file that was never started here. The file may have come with a project. */
function trustQuestion(target, entry, connect, close) {
    return h(
        'div.question',
        { role: 'group', 'aria-label': 'Start this server?' },
        h('h3', null, 'This entry was never started here. Start it?'),
        jsonView(entry),
        h(
            'div.actions',
            null,
            button('Start it', () => connect({ ...target, trust: true }), { class: 'primary', 'data-role': 'trust' }),
            button('No', close),
        ),
    );
}

function targetList({ targets, files, problems }, connect) {
    return [
        targets.length
            ? h(
                  'ul.targets',
                  null,
                  targets.map((one) =>
                      h(
                          'li',
                          null,
                          button('Connect', () => connect({ name: one.name }), {
                              class: 'quiet',
                              'aria-label': `Connect to ${one.name}`,
                          }),
                          ' ',
                          untrusted(one.name),
                          ' ',
                          h('span.dim', null, untrusted(one.text, { max: 300 })),
                      ),
                  ),
              )
            : h('p.dim', null, 'No file with mcpServers was found.'),
        files.length
            ? h(
                  'p.dim',
                  null,
                  'From ',
                  files.map((file) => [untrusted(file), ' ']),
              )
            : null,
        problems.map((text) => h('p.bad', null, untrusted(text))),
    ];
}

export const server = { id: 'server', title: 'Server', key: '1', mount };
