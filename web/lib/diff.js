// Compares two texts line by line.

/** Above this many differing lines, the middle is shown as replaced. */
const MAX_WORK = 2_000;

/**
 * Returns the lines of both texts, each with how it belongs: "same", "removed" or "added".
 * @param {string} before @param {string} after
 * @returns {{kind: 'same'|'removed'|'added', text: string}[]}
 */
export function diffLines(before, after) {
    const a = before.split('\n');
    const b = after.split('\n');
    let start = 0;
    while (start < a.length && start < b.length && a[start] === b[start]) ++start;
    let end = 0;
    while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) ++end;
    return [
        ...a.slice(0, start).map((text) => ({ kind: 'same', text })),
        ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
        ...a.slice(a.length - end).map((text) => ({ kind: 'same', text })),
    ];
}

function middle(a, b) {
    if (a.length * b.length > (MAX_WORK * MAX_WORK) / 4)
        return [...a.map((text) => ({ kind: 'removed', text })), ...b.map((text) => ({ kind: 'added', text }))];
    const width = b.length + 1;
    const lengths = new Uint32Array((a.length + 1) * width);
    for (let i = a.length - 1; i >= 0; --i)
        for (let j = b.length - 1; j >= 0; --j)
            lengths[i * width + j] =
                a[i] === b[j]
                    ? lengths[(i + 1) * width + j + 1] + 1
                    : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    const lines = [];
    let i = 0,
        j = 0;
    while (i < a.length || j < b.length) {
        if (i < a.length && j < b.length && a[i] === b[j]) {
            lines.push({ kind: 'same', text: a[i++] });
            ++j;
        } else if (i < a.length && (j === b.length || lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]))
            lines.push({ kind: 'removed', text: a[i++] });
        else lines.push({ kind: 'added', text: b[j++] });
    }
    return lines;
}
