// A list of any length that has elements only for the rows one can see. All rows have the same height.
import { h } from './dom.js';

/** Browsers cannot show elements above about 33 million pixels. Longer lists scroll in larger steps. */
const MAX_HEIGHT = 8_000_000;
const MARGIN = 8;

/**
 * @typedef {object} Options
 * @property {number} rowHeight in pixels
 * @property {(index: number) => HTMLElement} row builds a row; it gets its place from the list
 * @property {(index: number) => unknown} key a row is built again when its key changes
 * @property {(index: number) => void} [open] Enter or click
 * @property {string} label
 */

/** `<tn-list>`: call `setup()`, then `show()` after each change of the rows. Arrow keys move the current row. */
export class VirtualList extends HTMLElement {
    count = 0;
    current = -1;
    /** Stays at the end while new rows come, if it is there. */
    follow = false;
    #rows = new Map();
    #planned = 0;

    connectedCallback() {
        if (this.space) return;
        this.space = h('div.list-space', { role: 'presentation' });
        this.tabIndex = 0;
        this.setAttribute('role', 'listbox');
        this.append(this.space);
        this.addEventListener('scroll', () => this.#plan(), { passive: true });
        this.addEventListener('keydown', (event) => this.#key(event));
        this.addEventListener('click', (event) => this.#click(event));
        this.resize = new ResizeObserver(() => this.#plan());
        this.resize.observe(this);
    }

    disconnectedCallback() {
        this.resize?.disconnect();
        cancelAnimationFrame(this.#planned);
        this.#planned = 0;
    }

    /** @param {Options} options */
    setup(options) {
        this.options = options;
        this.setAttribute('aria-label', options.label);
        return this;
    }

    /** Sets how many rows there are, and draws again. */
    show(count) {
        const atEnd = this.scrollTop + this.clientHeight >= this.scrollHeight - 4;
        this.count = count;
        if (this.current >= count) this.current = count - 1;
        this.#draw();
        if (this.follow && atEnd) this.scrollTop = this.scrollHeight;
    }

    /** Moves to a row, and makes it visible. */
    select(index) {
        this.current = Math.max(0, Math.min(index, this.count - 1));
        const { rowHeight } = this.options;
        const top = this.#toScroll(this.current * rowHeight);
        if (top < this.scrollTop) this.scrollTop = top;
        else if (top + rowHeight > this.scrollTop + this.clientHeight)
            this.scrollTop = top + rowHeight - this.clientHeight;
        this.#draw();
    }

    get #height() {
        return this.count * this.options.rowHeight;
    }
    get #scale() {
        return this.#height > MAX_HEIGHT ? (this.#height - this.clientHeight) / (MAX_HEIGHT - this.clientHeight) : 1;
    }
    #toScroll(y) {
        return y / this.#scale;
    }

    #plan() {
        if (this.#planned === 0)
            this.#planned = requestAnimationFrame(() => {
                this.#planned = 0;
                this.#draw();
            });
    }

    #draw() {
        if (!this.options || !this.space) return;
        const { rowHeight } = this.options;
        this.space.style.height = `${Math.min(this.#height, MAX_HEIGHT)}px`;
        const offset = this.scrollTop * this.#scale;
        const first = Math.max(0, Math.floor(offset / rowHeight) - MARGIN);
        const last = Math.min(this.count, Math.ceil((offset + this.clientHeight) / rowHeight) + MARGIN);
        for (const [index, element] of this.#rows)
            if (index < first || index >= last) {
                element.remove();
                this.#rows.delete(index);
            }
        for (let index = first; index < last; ++index) this.#place(index, index * rowHeight - offset + this.scrollTop);
        this.#markCurrent();
    }

    #place(index, top) {
        let element = this.#rows.get(index);
        const key = this.options.key(index);
        if (element && element.rowKey !== key) {
            element.remove();
            element = undefined;
        }
        if (!element) {
            element = this.options.row(index);
            element.rowKey = key;
            element.classList.add('list-row');
            element.setAttribute('role', 'option');
            element.setAttribute('aria-posinset', index + 1);
            element.id = `${this.id || 'list'}-${index}`;
            element.dataset.index = index;
            this.#rows.set(index, element);
            this.space.append(element);
        }
        element.setAttribute('aria-setsize', this.count);
        element.style.transform = `translateY(${top}px)`;
    }

    #markCurrent() {
        for (const [index, element] of this.#rows) element.setAttribute('aria-selected', index === this.current);
        const row = this.#rows.get(this.current);
        if (row) this.setAttribute('aria-activedescendant', row.id);
        else this.removeAttribute('aria-activedescendant');
    }

    #key(event) {
        const page = Math.max(1, Math.floor(this.clientHeight / this.options.rowHeight) - 1);
        const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.count, End: this.count };
        if (Object.hasOwn(steps, event.key)) this.select(this.current + steps[event.key]);
        else if (event.key === 'Enter' && this.current >= 0) this.options.open?.(this.current);
        else return;
        event.preventDefault();
    }

    #click(event) {
        const row = event.target.closest('.list-row');
        if (!row || event.target.closest('button, a')) return;
        this.current = Number(row.dataset.index);
        this.#markCurrent();
        this.options.open?.(this.current);
    }
}
customElements.define('tn-list', VirtualList);
