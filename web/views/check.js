// Runs the checker on the connected server, and shows its report.
import { send } from '../lib/api.js';
import { address, badge, button, fill, h, notice, uniqueId, untrusted, untrustedBlock } from '../lib/dom.js';
import { write } from '../lib/json.js';
import { rawJson } from '../lib/json_view.js';
import { startCheck } from '../lib/session.js';
import { count } from '../lib/text.js';
import { failurePlace } from '../parts/call_panel.js';
import { download } from './history.js';

const OPTIONS = [
    ['trust_hints', 'Call the tools that claim to change nothing'],
    ['allow_writes', 'Call every tool, also those that may change something'],
    ['security', 'Also attack the server: oversized, malformed and hostile input'],
    ['all_revisions', 'Check every revision that the server supports'],
];

const FIRST_MODERN = '2026-07-28'; // dates: the text has their order

function mount(host, app) {
    const failure = failurePlace();
    const boxes = OPTIONS.map(([name, text]) => ({
        name,
        text,
        box: h('input', { type: 'checkbox', id: uniqueId('option') }),
    }));
    const cases = h('input', { id: uniqueId('cases'), type: 'text', inputmode: 'numeric', value: '100' });
    const progress = progressView(
        () => run(),
        () => failure.run(() => send('check_stop')),
    );
    const report = h('div');
    const run = () =>
        failure.run(async () => {
            await startCheck({
                ...Object.fromEntries(boxes.filter(({ box }) => box.checked).map(({ name }) => [name, true])),
                cases: Number(cases.value) || 100,
            });
        });
    fill(
        host,
        h('h1', null, 'Check'),
        h('p', null, 'Compares the server with the rules of the specification. It uses connections of its own.'),
        boxes.map(({ box, text }) => h('p.option', null, box, h('label', { for: box.id }, text))),
        h('p', null, h('label', { for: cases.id }, 'Generated calls for each tool '), cases),
        progress.element,
        failure.place,
        report,
    );
    app.watch(['check'], () => {
        progress.show(app.state.check);
        if (app.state.check.done) load(report, failure);
    });
    progress.show(app.state.check);
    load(report, null);
}

/** How far the check is. Its buttons stay, so that they keep the focus while the numbers change. */
function progressView(run, stop) {
    const start = button('Run the check', run, { class: 'primary', 'data-action': 'run' });
    const end = button('Stop', stop, { 'data-role': 'stop' });
    const words = h('p');
    const show = ({ running, progress }) => {
        const focused = document.activeElement === (running ? start : end);
        start.hidden = running;
        end.hidden = words.hidden = !running;
        if (focused) (running ? end : start).focus();
        if (running) fill(words, progress ? amount(progress) : 'Starting…');
    };
    return { element: h('div', { role: 'status' }, words, h('div.actions', null, start, end)), show };
}

const amount = ({ done, of, what }) => [
    h('progress', { 'aria-label': 'Progress of the check', max: of || 1, value: done }),
    ` ${done} of ${of} `,
    untrusted(what),
];

let round = 0;

/** Shows the last report. Answers can overtake each other: the last question counts. */
async function load(place, failure) {
    const mine = ++round;
    try {
        const { report, html, era } = await send('check_report');
        if (mine === round) fill(place, reportView(report, html, era));
    } catch (error) {
        if (mine !== round) return;
        if (error.status === 404) fill(place, notice('empty', 'Not checked yet.'));
        else if (failure)
            await failure.run(() => {
                throw error;
            });
    }
}

function reportView(report, html, era) {
    const { summary } = report;
    const bad = report.findings.filter((one) => one.outcome === 'fail' || one.outcome === 'warning');
    const good = report.findings.filter((one) => one.outcome === 'pass');
    return h(
        'section',
        { 'aria-label': 'Report', id: 'report' },
        h('h2', null, 'Report'),
        h(
            'p',
            null,
            badge(`${summary.passed} passed`, 'ok'),
            badge(`${summary.failed} failed`, summary.failed ? 'bad' : ''),
            badge(count(summary.warnings, 'warning'), summary.warnings ? 'warn' : ''),
            badge(`${summary.notApplicable} do not apply`),
        ),
        h(
            'p',
            null,
            untrusted(report.name || report.target),
            ' ',
            untrusted(report.version ?? ''),
            h('span.dim', null, report.revisions.length ? ` Checked: ${report.revisions.join(', ')}` : ''),
        ),
        otherEra(report, era),
        report.incomplete ? notice('error', 'The check is not complete', untrustedBlock(report.incomplete)) : null,
        summary.failed === 0 && !report.incomplete
            ? h('p.ok', null, '✓ The server keeps every rule that was tried.')
            : null,
        h(
            'div.actions',
            null,
            button('Save as HTML', () => download('tenon-check.html', 'text/html', html), { 'data-role': 'save-html' }),
            button('Save as JSON', () =>
                download('tenon-check.json', 'application/json', write(report, 2)),
            ),
        ),
        bad.map(finding),
        h(
            'details',
            null,
            h('summary', null, `${count(good.length, 'rule')} passed`),
            h(
                'ul',
                null,
                good.map((one) => h('li', null, h('strong', null, one.rule), ` ${one.title}`)),
            ),
        ),
        rawJson('Report as JSON', report),
    );
}

/** Says that the era of the connection was not checked: the checker takes the newest revision of a server. */
function otherEra({ revisions }, era) {
    const checked = revisions.map((revision) => (revision < FIRST_MODERN ? 'legacy' : 'modern'));
    if (!checked.length || !(era === 'legacy' || era === 'modern') || checked.includes(era)) return null;
    const remedy =
        era === 'legacy'
            ? 'A check takes the newest revision of a server. To check the others too, choose “Check every revision”.'
            : 'The server has no revision of this era.';
    return h('div', { 'data-role': 'other-era' }, notice('warning', `The ${era} era was not checked`, remedy));
}

function finding(one) {
    const tone = one.outcome === 'fail' && one.level === 'must' ? 'bad' : 'warn';
    return h(
        'article.verdict',
        null,
        h('h3', null, badge(`${one.outcome} · ${one.level}`, tone), ` ${one.rule} `, one.title),
        untrustedBlock(one.detail, 5000),
        one.remedy ? h('p', null, h('strong', null, 'Remedy: '), one.remedy) : null,
        one.source ? h('p', null, address(one.source)) : null,
        one.counterexample ? [h('p', null, 'Smallest example:'), untrustedBlock(one.counterexample, 5000)] : null,
        one.evidence?.length
            ? h(
                  'details',
                  null,
                  h('summary', null, 'Messages'),
                  one.evidence.map((piece) =>
                      h('div', null, h('span.dim', null, `${piece.direction} `), untrustedBlock(piece.text, 3000)),
                  ),
              )
            : null,
    );
}

export const check = { id: 'check', title: 'Check', key: '0', mount };
