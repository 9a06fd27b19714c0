// What the page knows. Views read `state` and are told when a part of it changes.

/** @typedef {(changed: Set<string>) => void} Watcher */

/** A state with named parts. Watchers run after the code that changed it, and not while it is held. */
export class Store {
    constructor(state) {
        this.state = state;
        /** @type {Set<{keys: string[], run: () => void}>} */
        this.watchers = new Set();
        this.changed = new Set();
        this.planned = false;
        this.held = false;
    }

    /** Changes parts of the state. */
    update(parts) {
        Object.assign(this.state, parts);
        this.touch(...Object.keys(parts));
    }

    /** Says that parts were changed in place. */
    touch(...keys) {
        for (const key of keys) this.changed.add(key);
        if (this.planned) return;
        this.planned = true;
        queueMicrotask(() => this.#tell());
    }

    /** Keeps what one sees as it is: watchers run after `release()`. */
    hold() {
        this.held = true;
    }

    release() {
        this.held = false;
        if (this.changed.size > 0) this.touch();
    }

    #tell() {
        this.planned = false;
        if (this.held) return;
        const changed = this.changed;
        this.changed = new Set();
        for (const watcher of [...this.watchers])
            if (this.watchers.has(watcher) && watcher.keys.some((key) => changed.has(key))) watcher.run();
    }

    /** Calls `run` after changes of these parts. Returns the function that ends it. */
    watch(keys, run) {
        const watcher = { keys, run };
        this.watchers.add(watcher);
        return () => this.watchers.delete(watcher);
    }
}

/** A list that forgets its oldest entries. */
export class Bounded {
    constructor(limit) {
        this.limit = limit;
        this.items = [];
        this.dropped = 0;
    }

    push(item) {
        this.items.push(item);
        if (this.items.length > this.limit + this.limit / 4)
            this.dropped += this.items.splice(0, this.items.length - this.limit).length;
    }

    clear() {
        this.items = [];
        this.dropped = 0;
    }
}
