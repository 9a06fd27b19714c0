// A text field that asks the server for completions while one types.
import { send } from '../lib/api.js';
import { h, uniqueId, untrusted, untrustedBlock } from '../lib/dom.js';

const WAIT = 150;
const MAX_SHOWN = 20;

/**
 * @param {{name: string, description?: string, required?: boolean, ref: object, others: () => Record<string, string>, change: (text: string|undefined) => void}} options
 */
export function completingField({ name, description, required = false, ref, others, change }) {
    const id = uniqueId('arg');
    const list = h('datalist', { id: `${id}-list` });
    const input = h('input', {
        id,
        type: 'text',
        list: list.id,
        autocomplete: 'off',
        spellcheck: 'false',
        'data-argument': name,
        'aria-required': required ? 'true' : undefined,
        placeholder: required ? '' : 'not sent',
    });
    let timer = 0;
    let round = 0;
    const ask = async () => {
        const mine = ++round;
        try {
            const { values } = await send('complete', {
                ref,
                argument: { name, value: input.value },
                context: others(),
            });
            if (mine === round)
                list.replaceChildren(...values.slice(0, MAX_SHOWN).map((value) => h('option', { value })));
        } catch {
            list.replaceChildren(); // Completion is help, not a duty: many servers have none.
        }
    };
    input.addEventListener('input', () => {
        change(input.value === '' ? undefined : input.value);
        clearTimeout(timer);
        timer = setTimeout(ask, WAIT);
    });
    input.addEventListener('focus', ask, { once: true });
    return h(
        'div.field',
        null,
        h(
            'div.field-head',
            null,
            h('label', { for: id }, untrusted(name)),
            required ? h('span.mark.needed-mark', null, 'required') : null,
        ),
        description ? untrustedBlock(description, 1000) : null,
        input,
        list,
    );
}
