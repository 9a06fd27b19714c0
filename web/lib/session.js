// Turns the events of the program into the state of the page. Every list has a limit.
import { listen, send } from './api.js';
import { Bounded, Store } from './store.js';

/** How much the page remembers. The history itself stays in the program. */
export const LIMITS = { calls: 50, logs: 2000, stderr: 2000, changes: 500, steps: 200, exchanges: 200, answered: 100, tasks: 200, decided: 200, newer: 1000 };
const LISTS = ['tools', 'resources', 'templates', 'prompts'];

const emptyList = () => ({ items: null, problem: '', error: null, loading: false, decisions: {} });

export const store = new Store({
    link: 'starting',
    linkReason: '',
    status: null,
    server: null,
    serverError: null,
    tools: emptyList(),
    resources: emptyList(),
    templates: emptyList(),
    prompts: emptyList(),
    /** @type {Map<string, any>} */ calls: new Map(),
    questions: new Map(),
    consents: new Map(),
    held: new Map(),
    tasks: new Map(),
    answered: new Bounded(LIMITS.answered),
    logs: new Bounded(LIMITS.logs),
    stderr: new Bounded(LIMITS.stderr),
    changes: new Bounded(LIMITS.changes),
    steps: new Bounded(LIMITS.steps),
    exchanges: new Bounded(LIMITS.exchanges),
    decisions: null,
    /** Questions for consent with their answers, by their ids. */ decided: new Map(),
    subscribed: [],
    roots: null,
    messages: { count: 0, broken: 0, last: null, received: null },
    signIn: null,
    check: { running: false, progress: null, done: null },
    apps: new Map(),
});
const { state } = store;

/** Lists that changed again while they were loaded. */
const stale = new Set();

/** Loads a list of the server, once, or again when it is not fresh. An answer of an older connection is not used. */
export async function load(name, fresh = false) {
    const before = state[name];
    if (before.loading) return void (fresh && stale.add(name));
    if ((before.items && !fresh) || state.status?.state !== 'ready') return;
    stale.delete(name);
    const asking = { ...before, loading: true };
    store.update({ [name]: asking });
    let answer;
    try {
        const { items, problem = '', decisions = {} } = await send(name, { fresh });
        answer = { items, problem, error: null, loading: false, decisions };
    } catch (error) {
        answer = { ...before, error, loading: false };
    }
    if (state[name] !== asking) return;
    store.update({ [name]: answer });
    if (stale.has(name)) load(name, true);
}

let serverRound = 0;

export async function loadServer() {
    const round = ++serverRound;
    const answer = await send('server').then(
        (server) => ({ server, serverError: null }),
        (error) => ({ server: null, serverError: error }),
    );
    if (round === serverRound) store.update(answer);
}

let decisionsRound = 0;

/** Loads the standing decisions. The last question counts: answers can overtake each other. */
export async function loadDecisions() {
    const round = ++decisionsRound;
    const decisions = await send('decisions').then(
        (answer) => answer.decisions,
        () => [],
    );
    if (round === decisionsRound) store.update({ decisions });
}

const steps = { loading: false, again: false };

/** Loads the steps of signing in. The program keeps them, so a step is never there twice. */
export async function loadSteps() {
    if (steps.loading) {
        steps.again = true;
        return;
    }
    steps.loading = true;
    try {
        do {
            steps.again = false;
            const answer = await send('http_steps');
            state.steps.clear();
            answer.steps.forEach((one) => state.steps.push(one));
            store.touch('steps');
        } while (steps.again);
    } catch {
        // the next step loads them again
    } finally {
        steps.loading = false;
    }
}

function forgetServer() {
    for (const name of LISTS) state[name] = emptyList();
    stale.clear();
    ++serverRound;
    store.update({ server: null, subscribed: [] });
    store.touch(...LISTS);
}

function setStatus(status) {
    const before = state.status;
    store.update({ status: { ...before, ...status }, signIn: status.sign_in ?? null });
    const other = before?.connection !== status.connection || before?.state !== status.state;
    if (other && status.state === 'ready') {
        forgetServer();
        loadServer();
        for (const name of LISTS) load(name);
    } else if (other) forgetServer();
    if (status.state !== 'ready') endOpen(before, status);
}

/** A closed connection leaves no question open. */
function endOpen(before, status) {
    if (before?.state === status.state) return;
    store.touch('calls', 'questions', 'consents');
}

/** Everything that is open now, as the program says. */
function setOpen(open) {
    if (!open) return;
    state.questions = new Map(open.questions.map((one) => [one.question, one]));
    state.consents = new Map(open.consents.map((one) => [one.consent, one]));
    state.held = new Map(open.held.map((one) => [one.held, one]));
    for (const one of open.calls) note(one.call, { ...one, state: state.calls.get(one.call)?.state ?? 'running' });
    store.touch('questions', 'consents', 'held', 'calls');
}

/** Adds what is known about a call. The oldest finished calls are forgotten. */
export function note(id, parts) {
    const before = state.calls.get(id) ?? { call: id, state: 'running', at: Date.now() };
    state.calls.set(id, { ...before, ...parts });
    for (const [key, call] of state.calls) {
        if (state.calls.size <= LIMITS.calls) break;
        if (call.state === 'done') state.calls.delete(key);
    }
    store.touch('calls');
}

/**
 * Starts a call, a reading or a prompt. Its outcome comes as an event.
 * @param {'call'|'read'|'get_prompt'|'send_raw'|'replay'|'task_result'|'app_open'} command
 */
export async function start(command, body, about = {}) {
    const answer = await send(command, body);
    if (answer.call === null) return null; // a notification has no outcome
    const known = state.calls.get(answer.call);
    if (known?.state === 'done') note(answer.call, about);
    else
        note(answer.call, {
            ...about,
            consent: answer.consent,
            state:
                answer.consent && state.consents.has(answer.consent)
                    ? 'asking'
                    : (known?.state ?? (answer.consent ? 'asking' : 'running')),
        });
    return answer.call;
}

/** Starts the checker. The page shows it as running before the answer: the first events may come before it. */
export async function startCheck(options) {
    const before = state.check;
    const asked = { running: true, progress: null, done: null };
    store.update({ check: asked });
    try {
        await send('check', options);
    } catch (error) {
        if (state.check === asked) store.update({ check: before });
        throw error;
    }
}

function change(what, data) {
    state.changes.push({ what, ...data });
    store.touch('changes');
}

/** Events that only repeat what the first event of a stream said already. */
const REPEATED = new Set([
    'state',
    'question',
    'question_done',
    'consent',
    'consent_done',
    'decisions',
    'held',
    'held_done',
    'sign_in',
]);
let known = 0;

/** Takes the whole status: everything up to its last event is in it. */
function setAll(status) {
    known = status.last_event ?? 0;
    setStatus(status);
    setOpen(status.open);
    loadDecisions();
}

/** Events that came while the status was asked for. They may be newer than it. */
let newer = null;

/** Asks for everything that lost events may have said. */
async function catchUp() {
    const mine = (newer = []);
    try {
        const status = await send('status');
        if (newer !== mine) return; // more events were lost meanwhile: a later call does it
        setAll(status);
        for (const [type, data, number] of mine) if (number > known) on[type](data, number);
        await endMissed(new Set(status.open.calls.map((one) => one.call)));
    } catch {
        // the program does not answer: the stream of events ends, too, and a new one begins with the status
    } finally {
        if (newer === mine) newer = null;
    }
}

/** Shows the outcomes of calls that the program does not run any more. */
async function endMissed(open) {
    const missed = [...state.calls.values()].filter((one) => one.state !== 'done' && !open.has(one.call));
    for (const { call } of missed) {
        const outcome = await send('outcome', { call }).catch(() => null); // 404: it has begun after the status
        if (outcome) on.call_done(outcome);
    }
}

const on = {
    hello({ status }) {
        setAll(status);
    },
    lost() {
        catchUp();
        store.touch('messages');
    },
    state: setStatus,
    message(data) {
        const { messages } = state;
        if (messages.last && data.number <= messages.last.number) return;
        store.update({
            messages: {
                count: messages.count + 1,
                broken: messages.broken + (data.verdicts.length > 0 ? 1 : 0),
                last: data,
                received: data.direction === 'received' ? data : messages.received,
            },
        });
    },
    stderr(data) {
        state.stderr.push(data);
        store.touch('stderr');
    },
    question(data) {
        state.questions.set(data.question, data);
        store.touch('questions');
    },
    question_done(data) {
        const question = state.questions.get(data.question);
        if (question) state.answered.push({ ...question, ...data });
        state.questions.delete(data.question);
        store.touch('questions');
    },
    consent(data) {
        state.consents.set(data.consent, data);
        if (data.call) note(data.call, { state: 'asking', consent: data.consent });
        store.touch('consents');
    },
    consent_done(data) {
        state.consents.delete(data.consent);
        store.touch('consents');
    },
    decisions() {
        loadDecisions();
        load('tools', true);
    },
    call_started(data) {
        note(data.call, { ...data, state: 'running' });
    },
    progress(data) {
        note(data.call, { progress: data });
    },
    call_done(data) {
        note(data.call, { ...data, state: 'done', outcome: data });
    },
    log(data) {
        state.logs.push(data);
        store.touch('logs');
    },
    list_changed(data, number) {
        change(`The list of ${data.list} changed`, data);
        if (number <= known) return;
        load(data.list, true);
        if (data.list === 'resources') load('templates', true);
    },
    resource_updated(data) {
        change('A resource changed', data);
    },
    elicitation_complete(data) {
        change('A page that the server sent you to is done', { ...data, uri: data.elicitation_id });
    },
    task(data) {
        state.tasks.set(data.task, data);
        if (state.tasks.size > LIMITS.tasks) state.tasks.delete(state.tasks.keys().next().value);
        store.touch('tasks');
    },
    subscriptions({ subscribed }) {
        store.update({ subscribed });
    },
    http() {
        loadSteps();
    },
    exchange(data) {
        state.exchanges.push(data);
        store.touch('exchanges');
    },
    sign_in(data) {
        store.update({ signIn: data });
    },
    check_progress(data) {
        store.update({ check: { running: true, progress: data, done: null } });
    },
    check_done(data) {
        store.update({ check: { running: false, progress: null, done: data } });
    },
    app_message(data) {
        for (const listener of state.apps.values()) listener(data);
    },
    held(data) {
        state.held.set(data.held, data);
        store.touch('held');
    },
    held_done(data) {
        state.held.delete(data.held);
        store.touch('held');
    },
};

const asked = new Map();

/** Remembers what was decided, also before this page was loaded. */
function rememberDecision(type, data) {
    if (type === 'consent') asked.set(data.consent, data);
    if (asked.size > LIMITS.decided) asked.delete(asked.keys().next().value);
    if (type !== 'consent_done') return;
    const question = asked.get(data.consent) ?? state.consents.get(data.consent);
    asked.delete(data.consent);
    if (!question) return;
    state.decided.set(data.consent, { ...question, ...data });
    if (state.decided.size > LIMITS.decided) state.decided.delete(state.decided.keys().next().value);
    store.touch('decided');
}

/** Starts listening to the program. */
export function begin() {
    return listen({
        event: (type, data, number) => {
            rememberDecision(type, data);
            if (newer && REPEATED.has(type) && newer.push([type, data, number]) > LIMITS.newer) newer.shift();
            if (Object.hasOwn(on, type) && !(number > 0 && number <= known && REPEATED.has(type)))
                on[type](data, number);
        },
        up: () => store.update({ link: 'up', linkReason: '' }),
        down: (reason, refused) => store.update({ link: refused ? 'refused' : 'down', linkReason: reason }),
    });
}
