// Rows of a long list that the program keeps. Only a few pages of it are in the browser.

const PAGE = 100;
const MAX_PAGES = 12;

/** Loads pages with `fetch(offset, limit)`, which resolves to `{messages, total}`. Calls `changed` when rows came. */
export class Pages {
    constructor(fetch, changed) {
        this.fetch = fetch;
        this.changed = changed;
        this.reset();
    }

    /** Forgets everything, for example because of another filter. */
    reset() {
        this.pages = new Map();
        this.total = 0;
        this.asked = 0;
        this.newest = 0;
        this.round = (this.round ?? 0) + 1;
        this.error = null;
    }

    /** The row, or undefined while its page is loaded. */
    row(index) {
        const number = Math.floor(index / PAGE);
        const page = this.pages.get(number);
        if (page === undefined) this.load(number);
        return page?.rows?.[index % PAGE];
    }

    /** Loads a page, also when it is known. Old pages are forgotten. */
    async load(number) {
        const round = this.round;
        const mine = ++this.asked;
        this.pages.set(number, { rows: this.pages.get(number)?.rows, asked: mine });
        while (this.pages.size > MAX_PAGES) this.pages.delete(this.pages.keys().next().value);
        try {
            const { messages, total, ...rest } = await this.fetch(number * PAGE, PAGE);
            if (round !== this.round) return;
            // Answers can overtake each other: only the last question about a page counts.
            if ((this.pages.get(number)?.asked ?? mine) === mine) this.pages.set(number, { rows: messages, asked: mine });
            if (mine > this.newest) {
                this.newest = mine;
                this.total = total;
                this.rest = rest;
            }
            this.error = null;
        } catch (error) {
            if (round !== this.round) return;
            this.error = error;
        }
        this.changed();
    }

    /** Loads the known pages again, because a row changed. */
    refresh() {
        for (const number of [...this.pages.keys()]) this.load(number);
    }

    /** Learns about rows that were added at the end. */
    async grow() {
        const last = Math.max(0, Math.floor((this.total - 1) / PAGE));
        const before = this.total;
        await this.load(last);
        const now = Math.floor(Math.max(0, this.total - 1) / PAGE);
        if (this.total !== before && now !== last) await this.load(now);
    }
}
