// Templates: the variables of an address, with completion, and reading it.
import { h, fill, untrusted, untrustedBlock } from '../lib/dom.js';
import { rawJson } from '../lib/json_view.js';
import { expand, variables } from '../lib/uri_template.js';
import { catalog } from '../parts/catalog.js';
import { completingField } from '../parts/completing.js';
import { readPanel } from './resources.js';

function details(one, app) {
    const template = String(one.uriTemplate);
    const values = {};
    const shown = h('p', { role: 'status' });
    const uriOf = () => expand(template, values);
    const panel = readPanel(uriOf, app);
    const draw = () => {
        fill(shown, 'Address: ', untrusted(uriOf()));
        panel.draw();
    };
    const fields = variables(template).map((name) =>
        completingField({
            name,
            ref: { type: 'ref/resource', uri: template },
            others: () =>
                Object.fromEntries(
                    Object.entries(values).filter(([key, value]) => key !== name && value !== undefined),
                ),
            change: (text) => {
                values[name] = text;
                draw();
            },
        }),
    );
    draw();
    return h(
        'article',
        null,
        h('h2', null, untrusted(one.title ?? one.name ?? template)),
        h('p', null, untrusted(template)),
        one.description ? untrustedBlock(one.description, 5000) : null,
        h('h3', null, 'Variables'),
        fields.length ? fields : h('p.dim', null, 'The template has no variables.'),
        shown,
        panel.element,
        rawJson('Definition as the server sent it', one),
    );
}

export const templates = catalog(
    {
        id: 'templates',
        one: 'template',
        many: 'templates',
        key: (one) => String(one.uriTemplate),
        details,
        words: (one) => `${one.uriTemplate} ${one.name ?? ''} ${one.title ?? ''} ${one.description ?? ''}`,
    },
    { title: 'Templates', key: '4' },
);
