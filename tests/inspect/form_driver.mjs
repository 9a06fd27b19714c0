// Builds a value with the operations of the form model only, as a user would with the controls of the page.
import { matches } from '../../web/form/matches.js';
import { equal, valueAt } from '../../web/form/value.js';

function fieldAt(model, path) {
    let field = model.tree();
    for (const key of path) field = field.children.find((child) => child.path.at(-1) === key);
    return field;
}

function chooseBranches(model, path, target) {
    for (let index = 0; index < (fieldAt(model, path)?.choices.length ?? 0); ++index) {
        const choice = fieldAt(model, path).choices[index];
        const selected = choice.branches.findIndex((branch) => matches(branch, target, model.schemas));
        if (selected >= 0 && selected !== choice.selected) model.choose(path, index, selected);
    }
}

function reachObject(model, path, target) {
    for (const key of Object.keys(valueAt(model.value, path)))
        if (!Object.hasOwn(target, key)) model.remove([...path, key]);
    for (const key of Object.keys(target)) {
        if (!fieldAt(model, path).children.some((child) => child.label === key)) model.addEntry(path, key);
        reach(model, [...path, key], target[key]);
    }
}

function reachArray(model, path, target) {
    while (valueAt(model.value, path).length > target.length)
        model.remove([...path, valueAt(model.value, path).length - 1]);
    while (valueAt(model.value, path).length < target.length) model.addItem(path);
    target.forEach((item, index) => reach(model, [...path, index], item));
}

/** Changes the model until it has `target` at `path`. */
export function reach(model, path, target) {
    if (equal(valueAt(model.value, path), target)) return;
    chooseBranches(model, path, target);
    let field = fieldAt(model, path);
    const container = field.kind === 'object' || field.kind === 'array';
    if (container && !field.present) model.add(path);
    field = fieldAt(model, path);
    if (field.kind === 'object') reachObject(model, path, target);
    else if (field.kind === 'array') reachArray(model, path, target);
    else if (field.kind === 'never') throw new Error(`no value is allowed at ${field.id}`);
    else model.set(path, target);
}
