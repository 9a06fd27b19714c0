// What happens now: running calls, tasks, subscriptions, log messages and changes of lists.
import { send } from '../lib/api.js';
import { announce, badge, button, fill, h, keyedList, notice, untrusted, untrustedBlock } from '../lib/dom.js';
import { parse, write } from '../lib/json.js';
import { jsonView, rawJson } from '../lib/json_view.js';
import { link } from '../lib/router.js';
import { start, store } from '../lib/session.js';
import { clock, count } from '../lib/text.js';
import { outcomeView } from '../parts/result.js';
import { failurePlace, pendingView } from '../parts/call_panel.js';
import '../form/editor.js';
import '../lib/virtual_list.js';

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const MAX_CHANGES = 100;
const MAX_INPUTS = 100;
/** Milliseconds between two questions about a task: at least, and if the task does not say it. */
const SHORTEST_POLL = 1000;
const USUAL_POLL = 2000;

function section(host, title, ...body) {
    host.append(h('section', { 'aria-label': title }, h('h2', null, title), ...body));
}

function mount(host, app) {
    fill(host, h('h1', null, 'Live'));
    section(host, 'Calls', running(app));
    section(host, 'Tasks', tasks(app));
    section(host, 'Subscriptions', subscriptions(app));
    section(host, 'Changes', changes(app));
    section(host, 'Log', log(app));
}

/** A place that is drawn again when parts of the state change. */
function drawn(app, keys, draw) {
    const place = h('div');
    const run = () => fill(place, draw());
    app.watch(keys, run);
    run();
    return place;
}

/** Calls that are not done. A card stays while its call runs, so its button keeps the focus. */
function running(app) {
    const place = h('div');
    const empty = notice('empty', 'Nothing is running.');
    const cards = new Map();
    const draw = () => {
        const calls = [...app.state.calls.values()].filter((call) => call.state !== 'done');
        for (const [id, card] of cards)
            if (!calls.some((call) => call.call === id)) {
                card.element.remove();
                cards.delete(id);
            }
        for (const call of calls) {
            if (!cards.has(call.call)) cards.set(call.call, runningCard(call, place));
            cards.get(call.call).pending.show(call);
        }
        empty.hidden = calls.length > 0;
    };
    place.append(empty);
    app.watch(['calls'], draw);
    draw();
    return place;
}

function runningCard(call, place) {
    const pending = pendingView(call);
    const element = h(
        'article.live-call',
        null,
        h('h3', null, untrusted(call.name ?? call.kind ?? 'call')),
        pending.element,
    );
    place.append(element);
    return { pending, element };
}

function tasks(app) {
    const failure = failurePlace();
    const known = new Map();
    const refresh = () =>
        failure.run(async () => {
            const answer = await send('tasks');
            for (const task of answer.tasks) store.state.tasks.set(task.task, task);
            store.touch('tasks');
            if (answer.problem) announce(answer.problem);
        });
    followTasks(app);
    return h(
        'div',
        null,
        button('Refresh tasks', refresh, { class: 'quiet' }),
        failure.place,
        taskList(app, (task) => taskView(task, app, failure, known)),
    );
}

/** Asks for the states of open tasks while the view is shown, as often as each task allows. A task that fails is left alone. */
function followTasks(app) {
    const timers = new Map();
    let ended = false;
    const ask = async ({ task }) => {
        try {
            await send('task_get', { task }); // the answer also comes as an event
            timers.delete(task);
            plan();
        } catch {
            // its entry stays, so it is not asked again
        }
    };
    const plan = () => {
        for (const task of ended ? [] : app.state.tasks.values())
            if (!isOver(task) && !timers.has(task.task))
                timers.set(task.task, setTimeout(ask, Math.max(SHORTEST_POLL, task.poll_ms ?? USUAL_POLL), task));
    };
    app.watch(['tasks'], plan);
    app.onStop(() => {
        ended = true;
        timers.forEach((timer) => clearTimeout(timer));
    });
    plan();
}

/** The tasks, the newest first. A card is drawn again only when its own task or result changes. */
function taskList(app, view) {
    const empty = notice('empty', 'No tasks.');
    const place = h('div');
    const show = keyedList(place, view);
    const draw = () => {
        const list = [...app.state.tasks.values()].reverse();
        const active = place.contains(document.activeElement) ? document.activeElement : null;
        const of = active?.closest('[data-task]')?.dataset.task;
        empty.hidden = list.length > 0;
        show(list.map((task) => [write([task, outcomeOf(task, app)?.call]), task]));
        if (active && !active.isConnected) focusAgain(place, of, active.textContent);
    };
    app.watch(['tasks', 'calls'], draw);
    draw();
    return h('div', null, empty, place);
}

/** Gives the focus to the button that took the place of another one. */
function focusAgain(place, task, text) {
    const card = [...place.querySelectorAll('[data-task]')].find((one) => one.dataset.task === task);
    [...(card?.querySelectorAll('button') ?? [])].find((one) => one.textContent === text)?.focus({ preventScroll: true });
}

const outcomeOf = (task, app) =>
    [...app.state.calls.values()].find((call) => call.ofTask === task.task && call.outcome)?.outcome;

const TONES = { completed: 'ok', failed: 'bad', cancelled: 'warn', input_required: 'warn', working: 'info' };

const isOver = (task) => ['completed', 'failed', 'cancelled'].includes(task.status);

function taskView(task, app, failure, known) {
    const outcome = outcomeOf(task, app);
    return h(
        'article.live-call',
        { 'data-task': task.task },
        h('h3', null, untrusted(task.tool ?? 'task'), ' ', h('span.dim', null, untrusted(task.task))),
        badge(task.status.replace('_', ' '), TONES[task.status]),
        ' ',
        task.message ? untrusted(task.message, { max: 500 }) : null,
        h(
            'div.actions',
            null,
            button(
                'Ask again',
                () =>
                    failure.run(async () => {
                        const now = await send('task_get', { task: task.task });
                        store.state.tasks.set(now.task, now);
                        store.touch('tasks');
                    }),
                { class: 'quiet' },
            ),
            isOver(task)
                ? null
                : button('Cancel task', () => failure.run(() => send('task_cancel', { task: task.task })), {
                      class: 'quiet',
                  }),
            button(
                'Result',
                () =>
                    failure.run(() =>
                        start('task_result', { task: task.task }, { kind: 'task', name: task.task, ofTask: task.task }),
                    ),
                { class: 'quiet' },
            ),
        ),
        inputs(task, failure, known),
        outcome ? outcomeView(outcome) : null,
    );
}

/** Questions of a task (2026-07-28). An element stays while its question is open, so a half-written answer is not lost. */
function inputs(task, failure, known) {
    return Object.entries(task.questions ?? {}).map(([key, request]) => {
        const id = `${task.task} ${key}`;
        if (!known.has(id)) {
            if (known.size >= MAX_INPUTS) known.clear();
            known.set(id, inputView(task, key, request, failure));
        }
        return known.get(id);
    });
}

function inputView(task, key, request, failure) {
    const schema = request?.method === 'elicitation/create' ? request.params?.requestedSchema : undefined;
    const answer = schema ? formAnswer(schema) : jsonAnswer();
    const reply = (body) =>
        failure.run(async () => {
            await send('task_input', { task: task.task, responses: { [key]: body } });
            const now = await send('task_get', { task: task.task });
            store.state.tasks.set(now.task, now);
            store.touch('tasks');
        });
    return h(
        'div',
        null,
        h('p', null, 'The task asks:'),
        request?.params?.message ? untrustedBlock(request.params.message, 5000) : null,
        answer.element,
        h(
            'div.actions',
            null,
            button('Send answer', () => reply(answer.value()), { class: 'primary' }),
            schema ? button('Decline', () => reply({ action: 'decline' })) : null,
        ),
        rawJson('Request as the server sent it', request),
    );
}

function formAnswer(schema) {
    const editor = document.createElement('tn-editor');
    editor.setup({ schema, label: 'Your answer' });
    return { element: editor, value: () => ({ action: 'accept', content: editor.value }) };
}

function jsonAnswer() {
    const text = h('textarea.code', { rows: '3', 'aria-label': 'Answer as JSON' });
    text.value = write({ action: 'accept', content: {} });
    return { element: text, value: () => parse(text.value) };
}

const subscriptions = (app) =>
    drawn(app, ['subscribed', 'changes'], () => {
        const { subscribed, changes: list } = app.state;
        if (subscribed.length === 0)
            return notice(
                'empty',
                'No subscriptions.',
                h('p', null, 'Subscribe to a resource in ', h('a', { href: link('resources') }, 'Resources'), '.'),
            );
        return h(
            'ul',
            null,
            subscribed.map((uri) => {
                const times = list.items.filter((one) => one.uri === uri);
                return h(
                    'li',
                    null,
                    h('a', { href: link('resources', uri) }, untrusted(uri)),
                    ` changed ${count(times.length, 'time')}`,
                    times.length ? `; last at ${clock(times.at(-1).at)} ` : ' ',
                    button(
                        'Unsubscribe',
                        () =>
                            send('unsubscribe', { uri })
                                .then((answer) => store.update(answer))
                                .catch((error) => announce(error.message)),
                        { class: 'quiet' },
                    ),
                );
            }),
        );
    });

const changes = (app) =>
    drawn(app, ['changes'], () => {
        const list = app.state.changes.items.slice(-MAX_CHANGES).reverse();
        return list.length === 0
            ? notice('empty', 'No list and no resource changed.')
            : h(
                  'ul.changes',
                  null,
                  list.map((one) =>
                      h(
                          'li',
                          null,
                          h('time', null, clock(one.at)),
                          ` ${one.what} `,
                          one.uri ? untrusted(one.uri) : null,
                      ),
                  ),
              );
    });

function log(app) {
    let from = 0;
    let found = [];
    const failure = failurePlace();
    const search = h('input', { type: 'search', 'aria-label': 'Search the log', placeholder: 'Search the log  ( / )' });
    const shown = h(
        'select',
        {
            'aria-label': 'Show levels from',
            onchange: () => {
                from = Number(shown.value);
                draw();
            },
        },
        LEVELS.map((level, i) => h('option', { value: String(i) }, `show from ${level}`)),
    );
    const wanted = h(
        'select',
        {
            'aria-label': 'Level that the server sends',
            'data-role': 'log-level',
            onchange: () =>
                failure.run(async () => {
                    const level = wanted.value;
                    if (level === '') return;
                    await send('set_log_level', { level });
                    fill(agreed, `The server sends log messages from ${level}.`);
                }),
        },
        h('option', { value: '' }, 'level of the server…'),
        LEVELS.map((level) => h('option', { value: level }, `server sends from ${level}`)),
    );
    const agreed = h('p.dim', { role: 'status' });
    const list = document.createElement('tn-list');
    list.id = 'log-list';
    list.follow = true;
    const details = h('div');
    list.setup({
        rowHeight: 26,
        label: 'Log of the server',
        key: (index) => found[index],
        row: (index) => logRow(found[index]),
        open: (index) => fill(details, logDetails(found[index])),
    });
    const empty = notice('empty', 'No log messages.');
    const draw = () => {
        const words = search.value.toLowerCase();
        found = app.state.logs.items.filter(
            (one) =>
                LEVELS.indexOf(one.level) >= from &&
                (words === '' || write([one.logger, one.data]).toLowerCase().includes(words)),
        );
        list.hidden = found.length === 0;
        empty.hidden = found.length > 0;
        list.show(found.length);
    };
    search.addEventListener('input', draw);
    app.watch(['logs'], draw);
    queueMicrotask(draw);
    return h('div', null, h('div.row', null, search, shown, wanted), agreed, failure.place, empty, list, details);
}

const LOG_TONES = { warning: 'warn', error: 'bad', critical: 'bad', alert: 'bad', emergency: 'bad' };
const logText = (data) => (typeof data === 'string' ? data : (write(data) ?? ''));

const logRow = (one) =>
    h(
        'div.log-row',
        null,
        h('time', null, clock(one.at)),
        badge(LEVELS.includes(one.level) ? one.level : 'other', LOG_TONES[one.level]),
        one.logger ? h('span.dim', null, untrusted(one.logger, { max: 60 })) : null,
        untrusted(logText(one.data), { max: 300 }),
    );

const logDetails = (one) =>
    h(
        'div.content',
        null,
        h('h3.content-title', null, `log message of ${clock(one.at)}`),
        typeof one.data === 'string' ? untrustedBlock(one.data) : jsonView(one.data),
    );

export const live = { id: 'live', title: 'Live', key: '6', mount };
