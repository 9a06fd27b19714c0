// A promise that others keep.
export function once() {
    let done;
    const promise = new Promise((resolve) => (done = resolve));
    return { promise, done };
}
