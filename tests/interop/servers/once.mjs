// A promise that other code resolves.
export function once() {
    let done;
    const promise = new Promise((resolve) => (done = resolve));
    return { promise, done };
}
