// Sign-in (OAuth): each step with its request and response. The program masks secrets.
import { send } from '../lib/api.js';
import { address, badge, button, fill, h, notice, untrusted, untrustedBlock } from '../lib/dom.js';
import { store } from '../lib/session.js';
import { clock, duration } from '../lib/text.js';
import { failurePlace } from '../parts/call_panel.js';

const STEPS = {
    metadata: 'Find out where to sign in',
    register: 'Register this client',
    authorise: 'Ask you',
    redirect: 'Come back',
    token: 'Get a token',
    refresh: 'Renew the token',
    other: 'Another request',
};
const AGAIN = [['start', 'from the start']];

function mount(host, app) {
    const failure = failurePlace();
    const page = h('div');
    const list = h('ol.steps');
    const empty = h('div');
    const again = AGAIN.map(([from, text]) =>
        button(`Sign in again ${text}`, () => failure.run(() => send('sign_in', { from })), {
            class: 'quiet',
            'data-role': `from-${from}`,
        }),
    );
    fill(
        host,
        h('h1', null, 'Sign-in'),
        h('p.dim', null, 'Each HTTP request of the sign-in. Secrets are masked by the program.'),
        page,
        h('div.actions', null, again),
        failure.place,
        empty,
        list,
    );
    const draw = () => {
        const { signIn, steps } = app.state;
        fill(
            page,
            signIn
                ? h(
                      'div.banner.warn',
                      null,
                      h(
                          'p',
                          null,
                          'To sign in at ',
                          untrusted(signIn.server),
                          ' open this page. Check its address first:',
                      ),
                      h('p.big-address', null, address(signIn.url)),
                  )
                : null,
        );
        fill(
            empty,
            steps.items.length === 0 ? notice('empty', 'No step yet. Servers without sign-in never have one.') : null,
        );
        fill(list, steps.items.map(step));
    };
    app.watch(['steps', 'signIn'], draw);
    draw();
    failure.run(async () => {
        const answer = await send('http_steps').catch((error) => {
            if (error.status === 404) return { steps: [] };
            throw error;
        });
        store.state.steps.clear();
        answer.steps.forEach((one) => store.state.steps.push(one));
        store.touch('steps');
        if (answer.problem) fill(empty, notice('empty', untrusted(answer.problem)));
    });
}

function headers(title, list) {
    const entries = Object.entries(list ?? {});
    return entries.length === 0
        ? null
        : h(
              'div',
              null,
              h('h4', null, title),
              h(
                  'dl.facts',
                  null,
                  entries
                      .slice(0, 60)
                      .map(([name, value]) => [
                          h('dt', null, untrusted(name)),
                          h('dd', null, untrusted(value, { max: 500 })),
                      ]),
              ),
          );
}

function step(one) {
    const good = one.status >= 200 && one.status < 400;
    return h(
        'li',
        null,
        h(
            'details',
            null,
            h(
                'summary',
                null,
                h('strong', null, STEPS[one.step] ?? one.step),
                ' ',
                badge(one.error ? 'failed' : String(one.status), good && !one.error ? 'ok' : 'bad'),
                h('span.dim', null, ` ${clock(one.at)}, ${duration(one.ms ?? 0)}`),
            ),
            h('p', null, h('code', null, untrusted(one.method)), ' ', untrusted(one.url)),
            one.error ? h('p.bad', null, untrusted(one.error)) : null,
            headers('Request', one.request_headers),
            one.request_body ? untrustedBlock(one.request_body, 16_384) : null,
            headers('Response', one.response_headers),
            one.response_body ? untrustedBlock(one.response_body, 16_384) : null,
        ),
    );
}

export const signin = { id: 'signin', title: 'Sign-in', key: 'o', mount };
