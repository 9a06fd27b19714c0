// URI templates (RFC 6570) with values that are texts.

const RULES = {
    '': ['', ',', false, ''],
    '+': ['', ',', false, '', true],
    '#': ['#', ',', false, '', true],
    '.': ['.', '.', false, ''],
    '/': ['/', '/', false, ''],
    ';': [';', ';', true, ''],
    '?': ['?', '&', true, '='],
    '&': ['&', '&', true, '='],
};
const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;

const names = (list) =>
    list
        .split(',')
        .map((one) => one.replace(/(?:\*|:\d+)$/, ''))
        .filter(Boolean);

/** The variables of a template, each once. */
export const variables = (template) => [
    ...new Set([...template.matchAll(EXPRESSION)].flatMap((match) => names(match[2]))),
];

const encode = (text) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase());
const encodeReserved = (text) =>
    encodeURI(text)
        .replace(/%5B/g, '[')
        .replace(/%5D/g, ']')
        .replace(/%25([0-9a-f]{2})/gi, '%$1');

/** Fills in a template. Variables without a value are left out. */
export function expand(template, values) {
    return template.replace(EXPRESSION, (_, operator, list) => {
        const [first, separator, named, ifEmpty, reserved] = RULES[operator];
        const parts = list
            .split(',')
            .map((one) => part(one, values, named, ifEmpty, reserved))
            .filter((one) => one !== null);
        return parts.length > 0 ? first + parts.join(separator) : '';
    });
}

function part(spec, values, named, ifEmpty, reserved) {
    const [, name, cut] = /^(.*?)(?:\*|:(\d+))?$/.exec(spec);
    if (!Object.hasOwn(values, name) || values[name] === undefined) return null;
    const value = cut ? [...values[name]].slice(0, Number(cut)).join('') : values[name];
    const text = reserved ? encodeReserved(value) : encode(value);
    return named ? name + (text === '' ? ifEmpty : `=${text}`) : text;
}
