// Splits a line that a user typed into the words of a command.

/** Single and double quotes around a word keep its spaces. */
export function splitCommand(text) {
    const words = [];
    for (const match of text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g))
        words.push(match[1]?.replace(/\\(.)/g, '$1') ?? match[2] ?? match[3]);
    return words;
}
