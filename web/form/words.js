// Says in words what a schema allows. The words of the schema itself are the server's.

const between = (low, high, unit) => {
    if (low !== undefined && high !== undefined) return low === high ? `${low}${unit}` : `${low} to ${high}${unit}`;
    if (low !== undefined) return `at least ${low}${unit}`;
    return high !== undefined ? `at most ${high}${unit}` : '';
};

function numberLimits(flat) {
    const parts = [between(flat.minimum, flat.maximum, '')];
    if (flat.exclusiveMinimum !== undefined) parts.push(`above ${flat.exclusiveMinimum}`);
    if (flat.exclusiveMaximum !== undefined) parts.push(`below ${flat.exclusiveMaximum}`);
    if (flat.multipleOf !== undefined) parts.push(`a multiple of ${flat.multipleOf}`);
    return parts;
}

/** A short text such as "integer, 1 to 7". @param {import('./model.js').Field} field */
export function limits(field) {
    const { flat, kind } = field;
    const parts = [];
    if (kind === 'string') parts.push(flat.format ?? 'text', between(flat.minLength, flat.maxLength, ' characters'), typeof flat.pattern === 'string' ? `pattern ${flat.pattern}` : '');
    else if (kind === 'number' || kind === 'integer') parts.push(kind, ...numberLimits(flat));
    else if (kind === 'array') parts.push('list', between(flat.minItems, flat.maxItems, ' items'), flat.uniqueItems ? 'no item twice' : '');
    else if (kind === 'object') parts.push('object', between(flat.minProperties, flat.maxProperties, ' members'));
    else if (kind === 'raw') parts.push('JSON');
    else if (kind === 'boolean') parts.push('true or false');
    else if (kind === 'enum') parts.push('one of a list');
    return parts.filter(Boolean).join(', ');
}
