// <tn-form>: draws a FormModel, and changes it. Sends the event "change" after each change of the value.
import { button, fill, h, uniqueId, untrusted, untrustedBlock } from '../lib/dom.js';
import { write } from '../lib/json.js';
import { plain } from '../lib/text.js';
import { booleanControl, constControl, numberControl, rawControl, selectControl, textControl } from './controls.js';
import { limits } from './words.js';

const CONTAINERS = new Set(['object', 'array']);

/** Everything about a tree that needs other elements. Values of single fields do not. */
function shape(field) {
    return [
        field.id,
        field.kind,
        CONTAINERS.has(field.kind) && field.present,
        field.problem,
        field.more,
        field.required,
        field.choices.map((choice) => choice.selected),
        field.options?.length,
        field.children.map(shape),
    ];
}

/** Draws the form of a model. */
export class FormElement extends HTMLElement {
    #shape = '';
    #controls = new Map();
    #errors = [];

    /** Shows a form. @param {import('./model.js').FormModel} model */
    show(model) {
        this.model = model;
        this.idStart ??= uniqueId('form');
        this.#build(model.tree());
    }

    /** Draws again what the model has now. Keeps the focus. */
    sync() {
        const tree = this.model.tree();
        if (write(shape(tree)) === this.#shape || this.#typingJson()) this.#refresh(tree);
        else this.#build(tree);
    }

    /** Shows the violations of the validator at their fields. Those of the whole value stand beside the JSON only. */
    errors(violations) {
        this.#errors = violations;
        const texts = new Map();
        for (const one of violations)
            if (one.path !== '') texts.set(one.path, [...(texts.get(one.path) ?? []), one.message]);
        for (const [id, part] of this.#controls)
            this.#showError(part, part.control?.problem ? [part.control.problem] : (texts.get(id) ?? []));
    }

    #showError({ error, control }, texts) {
        fill(
            error,
            texts.map((text) => h('span.field-problem', null, untrusted(text))),
        );
        const input = control?.matches?.('input, select, textarea') ? control : control?.querySelector?.('input');
        if (texts.length > 0) input?.setAttribute('aria-invalid', 'true');
        else input?.removeAttribute('aria-invalid');
    }

    /** While JSON is typed, the form keeps its shape: the control must not disappear. */
    #typingJson() {
        const active = document.activeElement;
        return this.contains(active) && active.matches('textarea.code');
    }

    #build(tree) {
        const focus = this.#focus();
        this.#shape = write(shape(tree));
        this.#controls.clear();
        fill(this, this.#root(tree));
        this.#refresh(tree);
        this.errors(this.#errors);
        this.#restore(focus);
    }

    #focus() {
        const active = document.activeElement;
        const field = this.contains(active) ? active.closest('[data-id]') : null;
        if (!field) return null;
        const range = 'selectionStart' in active ? [active.selectionStart, active.selectionEnd] : [];
        return { id: field.dataset.id, role: active.dataset.role, range };
    }

    #restore(focus) {
        if (!focus) return;
        const field = [...this.querySelectorAll('[data-id]')].find((one) => one.dataset.id === focus.id);
        const target =
            [...(field?.querySelectorAll('[data-role]') ?? [])].find(
                (one) => one.dataset.role === focus.role && one.closest('[data-id]') === field,
            ) ??
            field?.querySelector('input, select, textarea, button') ??
            this.querySelector('input, select, textarea, button');
        target?.focus({ preventScroll: true });
        if (
            target &&
            focus.range[0] !== null &&
            focus.range.length > 0 &&
            'setSelectionRange' in target &&
            target.type !== 'date' &&
            target.type !== 'checkbox'
        )
            target.setSelectionRange(...focus.range);
    }

    #refresh(field) {
        const part = this.#controls.get(field.id);
        part?.control?.refresh?.(field);
        if (part?.clear) part.clear.hidden = !field.present;
        for (const child of field.children) this.#refresh(child);
    }

    /** Runs a change of the model, and tells the page. */
    #change(run) {
        run();
        this.sync();
        this.dispatchEvent(new Event('change', { bubbles: true }));
    }

    #root(tree) {
        if (tree.kind !== 'object') return this.#field(tree);
        this.#controls.set(tree.id, { error: h('div.field-error') });
        return h(
            'div.form-root',
            { 'data-id': '' },
            this.#choices(tree),
            this.#controls.get(tree.id).error,
            this.#members(tree),
        );
    }

    #members(field) {
        const { children } = field;
        if (children.length === 0 && !field.more) return h('p.dim', null, 'This has no members.');
        return [children.map((child) => this.#field(child)), field.more ? this.#addEntry(field) : null];
    }

    #field(field) {
        return CONTAINERS.has(field.kind) ? this.#container(field) : this.#single(field);
    }

    #id(field) {
        return `${this.idStart}${field.id.replace(/[^\w/-]/g, (c) => '_' + c.codePointAt(0))}`;
    }

    #name(field) {
        return field.item ? `item ${field.label}` : untrusted(field.label || 'value');
    }

    #single(field) {
        const id = this.#id(field);
        const control = this.#control(field, id);
        const part = { control, error: h('div.field-error', { id: `${id}-error` }), clear: this.#clear(field) };
        this.#controls.set(field.id, part);
        return h(
            `div.field${field.required ? '.needed' : ''}`,
            { 'data-id': field.id, 'data-kind': field.kind },
            h(
                'div.field-head',
                null,
                h('label', { for: id }, this.#name(field)),
                this.#marks(field),
                h('span.field-tools', null, part.clear, this.#tools(field)),
            ),
            this.#words(field, id),
            this.#choices(field),
            control,
            part.error,
        );
    }

    #container(field) {
        const id = this.#id(field);
        this.#controls.set(field.id, { error: h('div.field-error', { id: `${id}-error` }) });
        const kind = field.kind === 'array' ? 'list' : 'object';
        const body = field.present
            ? field.kind === 'array'
                ? this.#items(field)
                : this.#members(field)
            : button(`Add ${kind}`, () => this.#change(() => this.model.add(field.path)), {
                  'data-role': 'add',
                  'aria-label': `Add ${kind} ${plain(field.label)}`,
              });
        return h(
            'fieldset.group',
            { 'data-id': field.id, 'data-kind': field.kind, 'data-present': String(field.present) },
            h('legend', null, this.#name(field), this.#marks(field)),
            h(
                'span.field-tools',
                null,
                field.present && field.path.length > 0 && !field.item && !field.extra ? this.#leaveOut(field) : null,
                this.#tools(field),
            ),
            this.#words(field, id),
            this.#choices(field),
            this.#controls.get(field.id).error,
            body,
        );
    }

    #items(field) {
        return [
            h(
                'div.items',
                null,
                field.children.map((child) => this.#field(child)),
            ),
            field.more
                ? button('Add item', () => this.#change(() => this.model.addItem(field.path)), {
                      'data-role': 'add-item',
                      'aria-label': `Add item to ${plain(field.label)}`,
                  })
                : null,
        ];
    }

    #addEntry(field) {
        const id = uniqueId('entry');
        const input = h('textarea.grows', {
            id,
            rows: '1',
            'data-role': 'new-key',
            spellcheck: 'false',
            autocomplete: 'off',
            placeholder: 'name',
        });
        const add = () => {
            if (field.children.some((child) => child.label === input.value)) return input.select();
            this.#change(() => this.model.addEntry(field.path, input.value));
        };
        input.addEventListener('keydown', (event) => {
            if (event.key === 'Enter') {
                event.preventDefault();
                add();
            }
        });
        return h(
            'details.add-entry',
            null,
            h('summary', null, 'Add another member'),
            field.names.map((patterns) =>
                h(
                    'p.dim',
                    { 'data-role': 'name-hint' },
                    'Its name must match ',
                    patterns.map((pattern, i) => [i > 0 ? ' or ' : null, h('code', null, untrusted(pattern, { max: 200 }))]),
                    '.',
                ),
            ),
            h(
                'div.row',
                null,
                h('label', { for: id }, 'Name of the new member'),
                input,
                button('Add member', add, { 'data-role': 'add-entry' }),
            ),
        );
    }

    #marks(field) {
        const marks = [];
        if (field.required && !field.item) marks.push(h('span.mark.needed-mark', null, 'required'));
        if (field.flat.deprecated === true) marks.push(h('span.mark', null, 'deprecated'));
        const text = limits(field);
        if (text) marks.push(h('span.mark', null, untrusted(text)));
        return marks;
    }

    #words(field, id) {
        const title =
            field.title && field.title !== field.label ? h('div.field-title', null, untrusted(field.title)) : null;
        const text = field.description ? untrustedBlock(field.description, 2000) : null;
        const why = field.kind === 'never' ? 'The schema allows no value here.' : field.problem;
        return h(
            'div.field-words',
            { id: `${id}-words` },
            title,
            text,
            why ? h('div.field-why', null, untrusted(why)) : null,
        );
    }

    #choices(field) {
        return field.choices
            .filter((choice) => choice.titles.length > 1)
            .map((choice) => {
                const select = h(
                    'select',
                    {
                        'data-role': `choice-${choice.index}`,
                        'aria-label': `${choice.types ? 'type' : 'variant'} of ${plain(field.label || 'the arguments')}`,
                        onchange: () =>
                            this.#change(() => this.model.choose(field.path, choice.index, Number(select.value))),
                    },
                    choice.titles.map((title, index) =>
                        h('option', { value: String(index), selected: index === choice.selected }, plain(title)),
                    ),
                );
                return h(
                    'div.choice',
                    null,
                    h('span.dim', { 'aria-hidden': 'true' }, choice.types ? 'type' : 'variant'),
                    select,
                );
            });
    }

    #control(field, id) {
        const change = (value, broken) => {
            if (value === undefined && field.item) {
                if (!broken) this.errors(this.#errors);
                return;
            }
            this.#change(() => this.model.set(field.path, value));
            this.errors(this.#errors);
        };
        switch (field.kind) {
            case 'string':
                return textControl(field, id, change);
            case 'number':
            case 'integer':
                return numberControl(field, id, change);
            case 'boolean':
                return booleanControl(field, id, change);
            case 'null':
                return constControl(field, id, change);
            case 'enum':
                return selectControl(field, id, field.options, change);
            case 'const':
                return constControl(field, id, change);
            default: {
                const raw = rawControl(field, id, change);
                raw.addEventListener('blur', () => queueMicrotask(() => this.isConnected && this.sync()));
                return raw;
            }
        }
    }

    #clear(field) {
        if (
            field.item ||
            field.extra ||
            field.path.length === 0 ||
            ['const', 'null', 'enum', 'boolean'].includes(field.kind)
        )
            return null;
        return this.#leaveOut(field);
    }

    #leaveOut(field) {
        return button('Leave out', () => this.#change(() => this.model.remove(field.path)), {
            class: 'quiet',
            'data-role': 'leave-out',
            'aria-label': `Leave out ${plain(field.label)}`,
        });
    }

    /** Buttons of items and of members with a name that the user chose. */
    #tools(field) {
        const parent = field.path.slice(0, -1);
        const key = field.path.at(-1);
        const remove = button('Remove', () => this.#change(() => this.model.remove(field.path)), {
            class: 'quiet',
            'data-role': 'remove',
            'aria-label': `Remove ${field.item ? 'item ' : ''}${plain(field.label)}`,
        });
        if (field.extra) return [this.#rename(field, parent, key), remove];
        if (!field.item) return null;
        const move = (label, to, text) =>
            button(label, () => this.#change(() => this.model.move(parent, key, to)), {
                class: 'quiet',
                'data-role': text,
                'aria-label': `Move item ${field.label} ${text}`,
                disabled: to < 0,
            });
        return [move('↑', key - 1, 'up'), move('↓', key + 1, 'down'), remove];
    }

    #rename(field, parent, key) {
        const input = h('textarea.key.grows', {
            rows: '1',
            value: key,
            'data-role': 'key',
            'aria-label': `Name of the member ${plain(key)}`,
            spellcheck: 'false',
        });
        input.addEventListener('change', () => this.#change(() => this.model.rename(parent, key, input.value)));
        return input;
    }
}
customElements.define('tn-form', FormElement);
