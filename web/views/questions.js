// Questions of the server in the middle of a call, and the folders (roots) it may know.
import { send } from '../lib/api.js';
import { address, announce, badge, button, fill, h, notice, uniqueId, untrusted, untrustedBlock } from '../lib/dom.js';
import { write } from '../lib/json.js';
import { rawJson } from '../lib/json_view.js';
import { clock } from '../lib/text.js';
import { failurePlace } from '../parts/call_panel.js';
import { contentView } from '../parts/result.js';
import '../form/editor.js';

const TITLES = {
    form: 'The server asks you for data',
    url: 'The server wants you to open a page',
    sampling: 'The server asks for an answer of a model',
    roots: 'The server asks for your folders',
};

function mount(host, app) {
    const open = h('div');
    const old = h('div');
    const cards = new Map();
    fill(
        host,
        h('h1', null, 'Questions'),
        open,
        rootsEditor(),
        h('section', { 'aria-label': 'Answered' }, h('h2', null, 'Answered'), old),
    );
    const draw = () => {
        const { questions } = app.state;
        for (const [id, card] of cards)
            if (!questions.has(id)) {
                card.remove();
                cards.delete(id);
            }
        if (questions.size > 0) open.querySelector('.notice.empty')?.remove();
        for (const question of questions.values())
            if (!cards.has(question.question)) {
                const card = cardOf(question, app);
                cards.set(question.question, card);
                open.append(card);
            }
        if (questions.size === 0) fill(open, notice('empty', 'The server asks nothing.'));
        fill(old, answered(app.state.answered.items));
    };
    app.watch(['questions'], draw);
    draw();
}

function answered(items) {
    if (items.length === 0) return h('p.dim', null, 'Nothing yet.');
    return h(
        'ul',
        null,
        items
            .slice(-50)
            .reverse()
            .map((one) =>
                h(
                    'li',
                    null,
                    h('time', null, clock(one.at)),
                    ` ${one.kind}: ${one.outcome} `,
                    untrusted(one.request?.message ?? '', { max: 200 }),
                ),
            ),
    );
}

function cardOf(question, app) {
    const body = { form: formCard, url: urlCard, sampling: samplingCard, roots: rootsCard }[question.kind];
    return h(
        'article.question',
        { 'data-question': question.question, 'data-kind': question.kind },
        h('h2', null, TITLES[question.kind] ?? 'The server asks'),
        h('p', null, 'Asked by ', untrusted(question.server), badge('text below is the server’s', 'warn')),
        question.request?.message ? untrustedBlock(question.request.message, 5000) : null,
        body ? body(question, app) : h('p', null, 'The page does not know this kind of question.'),
        rawJson('Request as the server sent it', question.request),
    );
}

/** Sends an answer. Shows why it was refused. */
const answer = (question, failure, body) => failure.run(() => send('answer', { question: question.question, ...body }));

const refusals = (question, failure, cancel = true) => [
    button('Decline', () => answer(question, failure, { action: 'decline' }), { 'data-role': 'decline' }),
    cancel ? button('Cancel', () => answer(question, failure, { action: 'cancel' }), { 'data-role': 'cancel' }) : null,
];

function formCard(question) {
    const failure = failurePlace();
    const editor = document.createElement('tn-editor');
    editor.setup({ schema: question.request.requestedSchema ?? { type: 'object' }, label: 'Your answer' });
    return h(
        'div',
        null,
        h('p.dim', null, 'The JSON beside the form is exactly what will be sent. Do not give passwords or keys.'),
        editor,
        h(
            'div.actions',
            null,
            button('Send', () => answer(question, failure, { action: 'accept', content: editor.value }), {
                class: 'primary',
                'data-action': 'run',
            }),
            refusals(question, failure),
        ),
        failure.place,
    );
}

function urlCard(question) {
    const failure = failurePlace();
    const { url } = question.request;
    return h(
        'div',
        null,
        h('p', null, 'The page to open. Check the address before you open it:'),
        h('p.big-address', null, address(url), hostOf(url)),
        h('p.dim', null, 'Sent to the server: only that you agreed, nothing of what you do on that page.'),
        h(
            'div.actions',
            null,
            button('I agree', () => answer(question, failure, { action: 'accept' }), {
                class: 'primary',
                'data-action': 'run',
            }),
            refusals(question, failure),
        ),
        failure.place,
    );
}

function hostOf(url) {
    try {
        return h('span.dim', null, ' on the host ', untrusted(new URL(url).host));
    } catch {
        return h('span.bad', null, ' This is not an address.');
    }
}

function decisionSelect(question) {
    if (!question.decision_allowed) return { element: null, value: () => undefined };
    const id = uniqueId('decision');
    const select = h(
        'select',
        { id },
        [
            ['once', 'only this time'],
            ['session', 'for this session'],
            ['always', 'always'],
        ].map(([value, text]) => h('option', { value }, text)),
    );
    return { element: h('span', null, h('label', { for: id }, 'Allow '), select), value: () => select.value };
}

function samplingCard(question, app) {
    const failure = failurePlace();
    const { request } = question;
    const text = h('textarea.grows', { id: uniqueId('sample'), rows: '3', 'data-role': 'sample' });
    const model = h('input', { id: uniqueId('model'), type: 'text', value: 'human', spellcheck: 'false' });
    const decision = decisionSelect(question);
    const ask = () =>
        failure.run(async () => {
            const { result } = await send('sample', { question: question.question });
            text.value = result.content?.text ?? write(result.content);
            model.value = result.model ?? model.value;
        });
    const accept = () =>
        answer(question, failure, {
            action: 'accept',
            decision: decision.value(),
            result: {
                role: 'assistant',
                content: { type: 'text', text: text.value },
                model: model.value,
                stopReason: 'endTurn',
            },
        });
    return h(
        'div',
        null,
        request.systemPrompt ? [h('h3', null, 'System prompt'), untrustedBlock(request.systemPrompt, 10_000)] : null,
        h('h3', null, 'Messages'),
        (request.messages ?? [])
            .slice(0, 100)
            .map((one) =>
                h(
                    'div.message',
                    null,
                    h('p.dim', null, 'role ', untrusted(one.role)),
                    [one.content].flat().map(contentView),
                ),
            ),
        h('p.dim', null, `At most ${Number(request.maxTokens) || '?'} tokens.`),
        h('h3', null, 'Your answer, sent as the answer of the model'),
        h('div.field', null, h('label', { for: text.id }, 'Text'), text),
        h('div.field', null, h('label', { for: model.id }, 'Model'), model),
        h(
            'div.actions',
            null,
            button('Send', accept, { class: 'primary', 'data-action': 'run' }),
            app.state.status?.sampler ? button('Run the sampler', ask, { 'data-role': 'sampler' }) : null,
            decision.element,
            button('Refuse', () => answer(question, failure, { action: 'decline' }), { 'data-role': 'decline' }),
            button('Never', () => answer(question, failure, { action: 'decline', decision: 'never' })),
        ),
        failure.place,
    );
}

function rootsCard(question) {
    const failure = failurePlace();
    const roots = question.roots ?? [];
    const decision = decisionSelect(question);
    const boxes = roots.map((root) => ({
        root,
        box: h('input', { type: 'checkbox', checked: true, id: uniqueId('root') }),
    }));
    const accept = () =>
        answer(question, failure, {
            action: 'accept',
            decision: decision.value(),
            roots: boxes.filter(({ box }) => box.checked).map(({ root }) => root),
        });
    return h(
        'div',
        null,
        h('p', null, 'The names of these folders will be sent:'),
        boxes.length
            ? h(
                  'ul',
                  null,
                  boxes.map(({ root, box }) =>
                      h('li', null, box, h('label', { for: box.id }, ' ', untrusted(root.uri))),
                  ),
              )
            : h('p.dim', null, 'None. Add some below.'),
        h(
            'div.actions',
            null,
            button('Send', accept, { class: 'primary', 'data-action': 'run' }),
            decision.element,
            button('Refuse', () => answer(question, failure, { action: 'decline' }), { 'data-role': 'decline' }),
        ),
        failure.place,
    );
}

/** The folders that the server may be told. */
function rootsEditor() {
    const failure = failurePlace();
    const place = h('div');
    const input = h('input', {
        id: uniqueId('root'),
        type: 'text',
        placeholder: 'file:///home/me/project',
        spellcheck: 'false',
    });
    let roots = [];
    const draw = () =>
        fill(
            place,
            roots.length
                ? h(
                      'ul',
                      null,
                      roots.map((root) =>
                          h(
                              'li',
                              null,
                              untrusted(root.uri),
                              ' ',
                              root.decision ? badge(root.decision) : null,
                              button('Remove', () => change((now) => now.filter((one) => one.uri !== root.uri)), {
                                  class: 'quiet',
                                  'aria-label': `Remove ${root.uri}`,
                              }),
                          ),
                      ),
                  )
                : h('p.dim', null, 'No folders.'),
        );
    let last; // one change after the other: a late answer must not undo a newer one
    const change = (next) => {
        const before = last;
        last = failure.run(async () => {
            await before;
            const list = next?.(roots).map(({ uri, name }) => (name === undefined ? { uri } : { uri, name }));
            roots = (await (list ? send('set_roots', { roots: list }) : send('roots'))).roots;
            draw();
            if (list) announce('Saved.');
            return true;
        });
        return last;
    };
    const add = () => {
        const uri = input.value.trim();
        if (uri === '') return;
        change((now) => [...now.filter((one) => one.uri !== uri), { uri }]).then((done) => {
            if (done) input.value = '';
        });
    };
    input.addEventListener('keydown', (event) => {
        if (event.key === 'Enter') add();
    });
    change();
    draw();
    return h(
        'section',
        { 'aria-label': 'Roots' },
        h('h2', null, 'Roots'),
        h('p.dim', null, 'Folders that the server may be told about. Each is shared only after your consent.'),
        place,
        h(
            'div.row',
            null,
            h('label', { for: input.id }, 'Folder as a file: URI'),
            input,
            button('Add', add, { 'data-role': 'add-root' }),
        ),
        failure.place,
    );
}

export const questions = { id: 'questions', title: 'Questions', key: '7', mount };
