// <tn-editor>: a form and its JSON side by side, in step with each other, validated by the program while one types.
import { send } from '../lib/api.js';
import { button, fill, h, uniqueId, untrusted } from '../lib/dom.js';
import { parse, tooLong, write } from '../lib/json.js';
import { count } from '../lib/text.js';
import { example } from './initial.js';
import './form_element.js';
import { FormModel } from './model.js';
import { equal } from './value.js';

/** How long to wait after a change before the program validates. */
const VALIDATE_AFTER = 120;

/** A missing member is a problem of that member, not of the object around it. */
function atMember(violation) {
    const name = violation.keyword === 'required' ? /`([^`]+)`/.exec(violation.message)?.[1] : undefined;
    return name === undefined
        ? violation
        : { ...violation, path: `${violation.path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` };
}

/** Edits one value of a schema. `value` is the value, `problem` says why it cannot be sent, "ready" comes after each validation. */
export class EditorElement extends HTMLElement {
    problem = '';
    valid = undefined;
    #timer = 0;
    #round = 0;

    /** @param {{schema: object|boolean, value?: unknown, label: string, validate?: (value: unknown) => Promise<any>}} options */
    setup({ schema, value, label, validate }) {
        this.validate = validate ?? ((now) => send('validate', { schema, value: now }));
        this.schema = schema;
        this.form = document.createElement('tn-form');
        const hint = uniqueId('json-hint');
        this.text = h('textarea.code.json-text', {
            id: uniqueId('json'),
            rows: '8',
            spellcheck: 'false',
            autocomplete: 'off',
            'aria-describedby': hint,
        });
        this.state = h('div.editor-state', { role: 'status' });
        this.left = h('ul.editor-left');
        fill(
            this,
            h('div.editor-form', { role: 'group', 'aria-label': label }, this.form),
            h(
                'div.editor-json',
                null,
                h('div.row', null, h('label', { for: this.text.id }, 'JSON'), this.#buttons()),
                this.text,
                h('p.dim', { id: hint }, 'The same value as the form. What the form does not offer can be written here.'),
                this.state,
                this.left,
            ),
        );
        this.form.addEventListener('change', () => this.#fromForm());
        this.text.addEventListener('input', () => this.#fromText());
        this.start(value);
        return this;
    }

    get value() {
        return this.model.value;
    }

    /** Shows another value, or the smallest one. */
    start(value) {
        this.model = new FormModel(this.schema, value);
        this.form.show(this.model);
        this.#write();
        this.#plan(0);
    }

    #buttons() {
        return h(
            'span.field-tools',
            null,
            button('Example', () => this.start(example(this.schema, this.model.schemas)), {
                class: 'quiet',
                title: 'Fill in every member with made-up values',
            }),
            button('Reset', () => this.start(), { class: 'quiet' }),
        );
    }

    #write() {
        this.problem = '';
        this.text.value = write(this.model.value, 2);
        this.text.removeAttribute('aria-invalid');
    }

    #fromForm() {
        this.#write();
        this.#plan(VALIDATE_AFTER);
    }

    #fromText() {
        try {
            const value = parse(this.text.value);
            this.problem = '';
            this.text.removeAttribute('aria-invalid');
            if (!equal(value, this.model.value)) {
                this.model.replace(value);
                this.form.sync();
            }
        } catch (error) {
            this.problem = `This is not JSON: ${error.message}`;
            this.text.setAttribute('aria-invalid', 'true');
        }
        this.#plan(VALIDATE_AFTER);
    }

    /** The program has 64 bits for a whole number. Without this, it would send another one. */
    #noteTooLong() {
        const found = this.problem ? undefined : tooLong(this.model.value);
        if (found !== undefined) this.problem = `This number is too large to be sent exactly: ${found}`;
    }

    #plan(wait) {
        clearTimeout(this.#timer);
        this.#noteTooLong();
        this.valid = undefined;
        this.dataset.valid = 'unknown';
        const round = ++this.#round;
        if (this.problem) return this.#show([{ path: '', message: this.problem }], round);
        this.#timer = setTimeout(() => this.#ask(round), wait);
    }

    async #ask(round) {
        try {
            const answer = await this.validate(this.model.value);
            this.#show(
                answer.schema_error
                    ? [{ path: '', message: `Tenon cannot check the arguments. ${answer.schema_error}` }]
                    : answer.violations,
                round,
            );
        } catch (error) {
            this.#show([{ path: '', message: `Not validated: ${error.message}` }], round);
        }
    }

    #show(found, round) {
        if (round !== this.#round) return;
        const violations = found.map(atMember);
        this.valid = violations.length === 0;
        this.dataset.valid = String(this.valid);
        this.form.errors(violations);
        fill(
            this.state,
            this.valid
                ? h('span.ok', null, '✓ valid')
                : h('span.bad', null, `✗ ${count(violations.length, 'problem')}`),
        );
        fill(
            this.left,
            violations
                .slice(0, 20)
                .map((one) =>
                    h(
                        'li',
                        null,
                        one.path ? h('code', null, untrusted(one.path)) : null,
                        one.path ? ' ' : null,
                        untrusted(one.message),
                    ),
                ),
        );
        this.dispatchEvent(new Event('ready'));
    }
}
customElements.define('tn-editor', EditorElement);
