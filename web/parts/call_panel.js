// The running and finished calls of one entry: waiting, progress, result, and the difference of two results.
import { send } from '../lib/api.js';
import { announce, button, fill, h, notice, problem, untrusted } from '../lib/dom.js';
import { diffLines } from '../lib/diff.js';
import { isNumber, write } from '../lib/json.js';
import { clock } from '../lib/text.js';
import { outcomeView } from './result.js';

const MAX_DIFF = 2_000;

/** The state of a call that is not done. `show(call)` updates it in place. */
export function pendingView(call) {
    const state = h('p');
    const progress = h('div');
    const cancel = button(
        'Cancel',
        () => send('cancel', { call: call.call }).catch((error) => announce(error.message)),
        { 'data-role': 'cancel' },
    );
    const element = h('div.pending', { role: 'status' }, state, progress, cancel);
    const show = (now) => {
        const asking = now.state === 'asking';
        fill(state, asking ? 'Waiting for your decision' : ['Running since ', clock(now.at)]);
        fill(progress, progressView(now.progress));
        cancel.hidden = asking;
    };
    show(call);
    return { element, show };
}

/** The last progress of a call. */
export function progressView(progress) {
    if (!progress) return null;
    const known = isNumber(progress.total) && progress.total > 0;
    return h(
        'div.progress',
        null,
        h('progress', {
            'aria-label': 'Progress',
            max: known ? Number(progress.total) : undefined,
            value: known ? Number(progress.progress) : undefined,
        }),
        h('span', null, known ? `${progress.progress} of ${progress.total}` : `${progress.progress}`),
        ' ',
        progress.message ? untrusted(progress.message, { max: 300 }) : null,
    );
}

/**
 * Shows the calls that `mine` accepts, the newest first.
 * @param {any} app @param {(call: any) => boolean} mine
 */
export function callPanel(app, mine) {
    const place = h('div.calls', { 'aria-live': 'off' });
    let before;
    let pending;
    const draw = () => {
        const calls = [...app.state.calls.values()].filter(mine).reverse();
        const key = write(calls.map((call) => [call.call, call.state === 'done']));
        const [newest, ...older] = calls;
        if (!place.isConnected) return;
        if (key === before) return void (newest?.state !== 'done' && pending?.show(newest));
        before = key;
        pending = newest && newest.state !== 'done' ? pendingView(newest) : null;
        if (newest?.state === 'done') announce('The result is there.');
        fill(
            place,
            newest
                ? [
                      pending?.element ?? outcomeView(newest.outcome),
                      olderCalls(
                          newest,
                          older.filter((call) => call.state === 'done'),
                      ),
                  ]
                : null,
        );
    };
    app.watch(['calls'], draw);
    place.redraw = draw;
    queueMicrotask(draw);
    return place;
}

function olderCalls(newest, older) {
    if (older.length === 0) return null;
    const place = h('div');
    const see = (call) =>
        button('See', () => fill(place, outcomeView(call.outcome)), {
            class: 'quiet',
            'aria-label': `See the result of ${clock(call.at)}`,
        });
    const compare = (call) =>
        newest.state === 'done'
            ? button('Compare', () => fill(place, diffView(call.outcome, newest.outcome)), {
                  class: 'quiet',
                  'data-role': 'compare',
                  'aria-label': `Compare with the result of ${clock(call.at)}`,
              })
            : null;
    return h(
        'details.older',
        null,
        h('summary', null, `Earlier results (${older.length})`),
        h(
            'ul',
            null,
            older.slice(0, 20).map((call) => h('li', null, clock(call.at), ' ', see(call), compare(call))),
        ),
        place,
    );
}

const textOf = (outcome) => write(outcome.error ?? outcome.result, 2);

/** Two results, line by line. */
export function diffView(before, after) {
    const lines = diffLines(textOf(before), textOf(after));
    const changed = lines.filter((line) => line.kind !== 'same').length;
    if (changed === 0) return notice('empty', 'Both results are the same.');
    const near = lines.filter((line, i) => lines.slice(Math.max(0, i - 3), i + 4).some((one) => one.kind !== 'same'));
    const sign = { same: ' ', removed: '−', added: '+' };
    return h(
        'div.diff',
        { role: 'region', 'aria-label': 'Difference', tabindex: '0' },
        near
            .slice(0, MAX_DIFF)
            .map((line) =>
                h(
                    `div.diff-${line.kind}`,
                    null,
                    h(
                        'span.diff-sign',
                        null,
                        sign[line.kind],
                        h('span.sr', null, line.kind === 'same' ? '' : ` ${line.kind} `),
                    ),
                    untrusted(line.text, { max: 2000 }),
                ),
            ),
    );
}

/** A place for the error of starting a call. */
export function failurePlace() {
    const place = h('div');
    return {
        place,
        run: async (what) => {
            fill(place);
            try {
                return await what();
            } catch (error) {
                fill(place, problem(error));
                return undefined;
            }
        },
    };
}
