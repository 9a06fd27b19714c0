// Prompts: their arguments, with completion, and the messages they give.
import { button, h, untrusted, untrustedBlock } from '../lib/dom.js';
import { rawJson } from '../lib/json_view.js';
import { start } from '../lib/session.js';
import { callPanel, failurePlace } from '../parts/call_panel.js';
import { catalog } from '../parts/catalog.js';
import { completingField } from '../parts/completing.js';

function details(prompt, app) {
    const values = {};
    const failure = failurePlace();
    const given = () => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    const list = Array.isArray(prompt.arguments) ? prompt.arguments : [];
    const fields = list.map((argument) =>
        completingField({
            name: String(argument.name),
            description: argument.description,
            required: argument.required === true,
            ref: { type: 'ref/prompt', name: prompt.name },
            others: () => Object.fromEntries(Object.entries(given()).filter(([key]) => key !== argument.name)),
            change: (text) => {
                values[argument.name] = text;
            },
        }),
    );
    const run = () =>
        failure.run(() =>
            start('get_prompt', { name: prompt.name, arguments: given() }, { kind: 'prompt', name: prompt.name }),
        );
    return h(
        'article',
        null,
        h('h2', null, untrusted(prompt.name)),
        prompt.title ? h('p.subtitle', null, untrusted(prompt.title)) : null,
        prompt.description ? untrustedBlock(prompt.description, 5000) : null,
        h('h3', null, 'Arguments'),
        fields.length ? fields : h('p.dim', null, 'The prompt has no arguments.'),
        h(
            'div.actions',
            null,
            button('Get prompt', run, { class: 'primary', 'data-action': 'run', title: 'Ctrl Enter' }),
        ),
        failure.place,
        callPanel(app, (call) => call.kind === 'prompt' && call.name === prompt.name),
        rawJson('Definition as the server sent it', prompt),
    );
}

export const prompts = catalog(
    {
        id: 'prompts',
        one: 'prompt',
        many: 'prompts',
        key: (prompt) => String(prompt.name),
        details,
        words: (prompt) => `${prompt.name} ${prompt.title ?? ''} ${prompt.description ?? ''}`,
    },
    { title: 'Prompts', key: '5' },
);
