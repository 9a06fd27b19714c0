// Runs inside of the browser: makes a value with the controls of a form, as a user would.

/** Fills forms for a list of {name, schema, value}, as JSON. Returns what each produced, and what the validator of the program says. */
export async function fillForms(text) {
    const cases = JSON.parse(text); // as text: a member named __proto__ must arrive

    const { matches } = await import('/form/matches.js');
    const { equal } = await import('/form/value.js');
    await import('/form/editor.js');
    const place = document.createElement('div');
    document.getElementById('main').append(place);

    const byId = (editor, id) => [...editor.querySelectorAll('tn-form [data-id]')].find((one) => one.dataset.id === id);
    const own = (field, role) =>
        [...field.querySelectorAll(`[data-role="${role}"]`)].find((one) => one.closest('[data-id]') === field);
    const pointer = (path) => path.map((key) => '/' + String(key).replaceAll('~', '~0').replaceAll('/', '~1')).join('');
    const modelField = (editor, path) =>
        path.reduce((field, key) => field?.children.find((child) => child.path.at(-1) === key), editor.model.tree());
    const at = (editor, path) =>
        path.reduce(
            (value, key) =>
                typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? value[key] : undefined,
            editor.value,
        );
    const type = (element, text, event) => {
        element.value = text;
        element.dispatchEvent(new Event(event, { bubbles: true }));
    };

    function choose(editor, path, target) {
        for (let index = 0; ; ++index) {
            const choice = modelField(editor, path)?.choices[index];
            if (!choice) return;
            const wanted = choice.branches.findIndex((branch) => matches(branch, target, editor.model.schemas));
            const select = own(byId(editor, pointer(path)), `choice-${index}`);
            if (wanted >= 0 && select && Number(select.value) !== wanted) type(select, String(wanted), 'change');
        }
    }

    function reachObject(editor, path, target) {
        for (const key of Object.keys(at(editor, path))) {
            if (Object.hasOwn(target, key)) continue;
            const field = byId(editor, pointer([...path, key]));
            const control = own(field, 'control');
            (own(field, 'remove') ?? own(field, 'leave-out'))?.click();
            if (control?.type === 'checkbox' && control.checked) control.click();
            if (control?.tagName === 'SELECT') type(control, '', 'change');
        }
        for (const key of Object.keys(target)) {
            if (!byId(editor, pointer([...path, key]))) {
                const field = byId(editor, pointer(path));
                const name = own(field, 'new-key');
                if (!name) throw new Error(`no way to add ${key}`);
                name.value = key;
                own(field, 'add-entry').click();
            }
            reach(editor, [...path, key], target[key]);
        }
    }

    function reachArray(editor, path, target) {
        while (at(editor, path).length > target.length)
            own(byId(editor, pointer([...path, at(editor, path).length - 1])), 'remove').click();
        while (at(editor, path).length < target.length) {
            const add = own(byId(editor, pointer(path)), 'add-item');
            if (!add) throw new Error('no way to add an item');
            add.click();
        }
        target.forEach((item, index) => reach(editor, [...path, index], item));
    }

    function control(field, target) {
        const element = own(field, 'control');
        const { kind } = field.dataset;
        if (element.type === 'checkbox') {
            if (!element.checked) element.click();
        } else if (element.tagName === 'SELECT') {
            const options = [...element.options].slice(1);
            for (const option of options) {
                type(element, option.value, 'change');
                if (equal(current(field), target)) return;
            }
        } else type(element, kind === 'string' ? target : JSON.stringify(target), 'input');
    }
    let current;

    function reach(editor, path, target) {
        if (equal(at(editor, path), target)) return;
        choose(editor, path, target);
        let field = byId(editor, pointer(path));
        if (field.dataset.present === 'false') own(field, 'add').click();
        field = byId(editor, pointer(path));
        const kind = path.length === 0 && field.classList.contains('form-root') ? 'object' : field.dataset.kind;
        current = () => at(editor, path);
        if (kind === 'object') reachObject(editor, path, target);
        else if (kind === 'array') reachArray(editor, path, target);
        else control(field, target);
    }

    const editors = cases.map(({ schema, value }) => {
        const editor = document.createElement('tn-editor');
        place.append(editor);
        let problem = '';
        try {
            editor.setup({ schema, label: 'Arguments' });
            reach(editor, [], value);
        } catch (error) {
            problem = error.message;
        }
        return { editor, problem };
    });
    await Promise.all(
        editors.map(({ editor }) =>
            editor.valid === undefined
                ? new Promise((resolve) => editor.addEventListener('ready', resolve, { once: true }))
                : null,
        ),
    );
    const results = editors.map(({ editor, problem }, index) => ({
        name: cases[index].name,
        problem,
        same: equal(editor.value, cases[index].value),
        text: equal(JSON.parse(editor.text.value), cases[index].value),
        value: JSON.stringify(editor.value),
        valid: editor.valid,
        left: editor.left.textContent,
    }));
    place.remove();
    return results;
}
