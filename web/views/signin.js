// Sign-in (OAuth): each step with its request and response. The program masks secrets.
import { send } from '../lib/api.js';
import { address, button, fill, h, keyedList, notice, untrusted } from '../lib/dom.js';
import { write } from '../lib/json.js';
import { loadSteps } from '../lib/session.js';
import { failurePlace } from '../parts/call_panel.js';
import { httpExchange } from '../parts/http_exchange.js';

const STEPS = {
    metadata: 'Find out where to sign in',
    register: 'Register this client',
    authorise: 'Ask you',
    redirect: 'Come back',
    token: 'Get a token',
    refresh: 'Renew the token',
    other: 'Another request',
};
/** The steps that can be repeated, and what is asked for again. */
const AGAIN = {
    metadata: 'Forget everything',
    register: 'Forget the registration and the tokens',
    authorise: 'Keep the registration, forget the tokens',
    token: 'A code works once, so you are asked again',
    refresh: 'Use the refresh token',
};

function mount(host, app) {
    const failure = failurePlace();
    const page = h('div');
    const list = h('ol.steps');
    const empty = h('div');
    const retry = (from) => failure.run(() => send('sign_in', { from }));
    const from = h(
        'select',
        { 'aria-label': 'The first step to repeat', 'data-role': 'from' },
        Object.keys(AGAIN)
            .filter((one) => one !== 'token')
            .map((one) => h('option', { value: one, title: AGAIN[one] }, STEPS[one])),
    );
    const again = [h('span', null, 'Sign in again from'), from, button('Repeat', () => retry(from.value))];
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
    const showSteps = keyedList(list, (one) => step(one, retry));
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
        showSteps(steps.items.map((one, index) => [`${index} ${write(one)}`, one]));
    };
    app.watch(['steps', 'signIn'], draw);
    draw();
    loadSteps();
}

function step(one, retry) {
    const item = httpExchange(one, h('strong', null, STEPS[one.step] ?? one.step));
    if (AGAIN[one.step])
        item.querySelector('details').append(
            h(
                'div.actions',
                null,
                button('Repeat from this step', () => retry(one.step), { 'data-role': `from-${one.step}` }),
                h('span.dim', null, AGAIN[one.step]),
            ),
        );
    return item;
}

export const signin = { id: 'signin', title: 'Sign-in', key: 'o', mount };
