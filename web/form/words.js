// Says in words what a schema allows. The words of the schema itself are the server's.

/** `unit` is one word; it gets an s for all numbers but 1. */
const between = (low, high, unit) => {
    const words = (n) => (unit ? `${n} ${unit}${n === 1 ? '' : 's'}` : `${n}`);
    if (low !== undefined && high !== undefined) return low === high ? words(low) : `${low} to ${words(high)}`;
    if (low !== undefined) return `at least ${words(low)}`;
    return high !== undefined ? `at most ${words(high)}` : '';
};

function numberLimits(flat) {
    const parts = [between(flat.minimum, flat.maximum, '')];
    if (flat.exclusiveMinimum !== undefined) parts.push(`above ${flat.exclusiveMinimum}`);
    if (flat.exclusiveMaximum !== undefined) parts.push(`below ${flat.exclusiveMaximum}`);
    if (flat.multipleOf !== undefined) parts.push(`a multiple of ${flat.multipleOf}`);
    return parts;
}

/** How many items must be as `contains` says. */
function contained(flat) {
    const source = flat.sources.find((one) => Object.hasOwn(one, 'contains'));
    if (!source || source.minContains === 0) return '';
    return `${between(source.minContains ?? 1, source.maxContains, 'item')} of a certain kind`;
}

/** A short text such as "integer, 1 to 7". @param {import('./model.js').Field} field */
export function limits(field) {
    const { flat, kind } = field;
    const parts = [];
    if (kind === 'string')
        parts.push(
            flat.format ?? 'text',
            between(flat.minLength, flat.maxLength, 'character'),
            typeof flat.pattern === 'string' ? `pattern ${flat.pattern}` : '',
        );
    else if (kind === 'number' || kind === 'integer') parts.push(kind, ...numberLimits(flat));
    else if (kind === 'array')
        parts.push(
            'list',
            between(flat.minItems, flat.maxItems, 'item'),
            flat.uniqueItems ? 'no item twice' : '',
            contained(flat),
        );
    else if (kind === 'object') parts.push('object', between(flat.minProperties, flat.maxProperties, 'member'));
    else if (kind === 'raw') parts.push('JSON');
    else if (kind === 'boolean') parts.push('true or false');
    else if (kind === 'enum') parts.push('one of a list');
    return parts.filter(Boolean).join(', ');
}
