// What a child process writes to standard error.
import { h, untrusted } from '../lib/dom.js';
import '../lib/virtual_list.js';

const ROW = 22;

/** A section that is hidden while there is nothing to show. */
export function stderrList(app) {
    const list = document.createElement('tn-list');
    list.id = 'stderr-list';
    list.follow = true;
    const items = () => app.state.stderr.items;
    list.setup({
        rowHeight: ROW,
        label: 'Standard error of the server',
        key: (index) => items()[index],
        row: (index) => h('div.stderr-line', null, untrusted(items()[index].text, { max: 500 })),
    });
    const section = h('section', { hidden: true }, h('h2', null, 'Standard error'), list);
    const draw = () => {
        section.hidden = items().length === 0;
        list.style.height = `${Math.min(200, items().length * ROW + 2)}px`;
        list.show(items().length);
    };
    app.watch(['stderr'], draw);
    queueMicrotask(draw);
    return section;
}
