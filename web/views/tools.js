// Tools: a form for the arguments, and the results.
import { send } from '../lib/api.js';
import { announce, badge, button, copyButton, fill, h, untrusted, untrustedBlock } from '../lib/dom.js';
import { write } from '../lib/json.js';
import { rawJson } from '../lib/json_view.js';
import { link } from '../lib/router.js';
import { start } from '../lib/session.js';
import { examples, removeExample, saveExample } from '../lib/settings.js';
import { plain } from '../lib/text.js';
import { annotationList } from '../parts/annotations.js';
import { callPanel, failurePlace } from '../parts/call_panel.js';
import { catalog } from '../parts/catalog.js';
import '../form/editor.js';

const DECISIONS = {
    session: ['allowed for this session', 'ok'],
    always: ['always allowed', 'ok'],
    never: ['never allowed', 'bad'],
};

function marks(tool, app) {
    const decision = DECISIONS[app.state.tools.decisions[tool.name]];
    return [
        tool.annotations?.readOnlyHint === true ? badge('claims to change nothing') : null,
        decision ? badge(...decision) : null,
    ];
}

const serverName = (app) => app.state.server?.name ?? app.state.status?.target?.text ?? '';

function details(tool, app) {
    const editor = document.createElement('tn-editor');
    editor.setup({ schema: tool.inputSchema ?? { type: 'object' }, label: `Arguments of ${plain(tool.name)}` });
    const failure = failurePlace();
    const asTask = taskBox(tool, app);
    const run = () =>
        failure.run(async () => {
            if (editor.problem) throw new Error(editor.problem);
            await start(
                'call',
                { tool: tool.name, arguments: editor.value, ...(asTask.box.checked ? { task: true } : {}) },
                { kind: 'tool', name: tool.name, arguments: editor.value },
            );
        });
    return h(
        'article',
        null,
        h('h2', null, untrusted(tool.name)),
        tool.title ? h('p.subtitle', null, untrusted(tool.title)) : null,
        tool.description
            ? untrustedBlock(tool.description, 5000)
            : h('p.dim', null, 'The server says nothing about this tool.'),
        annotationList(tool.annotations),
        appLink(tool),
        h('h3', null, 'Arguments'),
        editor,
        h(
            'div.actions',
            null,
            button('Call', run, { class: 'primary', 'data-action': 'run', title: 'Ctrl Enter' }),
            asTask.element,
            copies(tool, editor),
            saved(tool, editor, app),
        ),
        failure.place,
        callPanel(app, (call) => call.kind === 'tool' && call.name === tool.name),
        tool.outputSchema ? rawJson('Output schema', tool.outputSchema) : null,
        rawJson('Definition as the server sent it', tool),
    );
}

/** The page of an app that belongs to the tool. */
function appLink(tool) {
    const uri = tool._meta?.ui?.resourceUri ?? tool._meta?.['ui/resourceUri'];
    return typeof uri === 'string'
        ? h('p', null, 'This tool has an app: ', h('a', { href: link('apps', uri) }, untrusted(uri)))
        : null;
}

/** Whether to run as a task. Until 2025-11-25 a tool says so, later the server does, by an extension. */
function taskBox(tool, app) {
    const support = tool.execution?.taskSupport;
    const extension = Object.keys(app.state.server?.extensions ?? {}).some((name) => name.endsWith('/tasks'));
    const box = h('input', { type: 'checkbox', id: 'as-task', checked: support === 'required' });
    const possible = extension || support === 'optional' || support === 'required';
    return { box, element: possible ? h('label', { for: 'as-task' }, box, ' as a task') : null };
}

const COPIES = [
    ['command', 'Copy as tenon call'],
    ['cpp', 'Copy as C++'],
    ['curl', 'Copy as curl'],
];

function copies(tool, editor) {
    const text = async (kind) => (await send('copy_as', { kind, tool: tool.name, arguments: editor.value })).text;
    return h(
        'span.copies',
        { role: 'group', 'aria-label': 'Copy' },
        COPIES.map(([kind, label]) => copyButton(label, () => text(kind))),
    );
}

/** Saved examples of the arguments. The browser keeps them. */
function saved(tool, editor, app) {
    const place = h('span.saved');
    const server = serverName(app);
    const draw = () => {
        const list = examples(server, tool.name);
        const select = h(
            'select',
            {
                'aria-label': 'Saved examples',
                onchange: () => {
                    const one = list[Number(select.value)];
                    if (one) editor.start(one.value);
                },
            },
            h('option', { value: '' }, list.length ? 'saved examples…' : 'no saved examples'),
            list.map((one, i) => h('option', { value: String(i) }, plain(one.name))),
        );
        const forget = button(
            'Forget',
            () => {
                const one = list[Number(select.value)];
                if (select.value !== '' && one) {
                    removeExample(one);
                    draw();
                }
            },
            { class: 'quiet' },
        );
        fill(place, select, button('Save', save, { class: 'quiet' }), list.length ? forget : null);
    };
    const save = () => {
        const name = write(editor.value).slice(0, 60);
        announce(
            saveExample({ server, tool: tool.name, name, value: editor.value })
                ? 'Saved in this browser.'
                : 'Not saved: too large, or the browser refuses.',
        );
        draw();
    };
    draw();
    return place;
}

export const tools = catalog(
    {
        id: 'tools',
        one: 'tool',
        many: 'tools',
        key: (tool) => String(tool.name),
        marks,
        details,
        words: (tool) => `${tool.name} ${tool.title ?? ''} ${tool.description ?? ''}`,
    },
    { title: 'Tools', key: '2' },
);
