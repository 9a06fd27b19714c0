// What must hold on the page, whatever a server sends. Texts of the server contain `tracker.example`.
import assert from 'node:assert/strict';

/** Texts of the server that stand outside of the places for them; `needle` is a part of each such text. */
export function outside(needle) {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (node.data.includes(needle) && !node.parentElement.closest('.untrusted, textarea, option'))
            found.push(`${node.parentElement.outerHTML.slice(0, 200)}`);
    return found;
}

/** What no element may have. */
function dangerous() {
    const bad = [];
    for (const element of document.querySelectorAll('*')) {
        for (const { name, value } of element.attributes) {
            if (name.startsWith('on')) bad.push(`${element.tagName} ${name}`);
            if (
                ['href', 'src', 'action', 'srcdoc', 'srcset', 'poster', 'data'].includes(name) &&
                /^\s*(?:javascript|data:text|vbscript)/i.test(value)
            )
                bad.push(`${element.tagName} ${name}=${value}`);
        }
        if (
            element.tagName === 'A' &&
            /^https?:/.test(element.getAttribute('href')) &&
            (element.rel !== 'noopener noreferrer' || element.target !== '_blank')
        )
            bad.push(element.outerHTML);
        if (['BASE', 'OBJECT', 'EMBED', 'STYLE'].includes(element.tagName)) bad.push(element.tagName);
    }
    const scripts = document.querySelectorAll('script').length;
    if (scripts !== 1) bad.push(`${scripts} scripts`);
    return bad;
}

/** Characters that must never be in the text of the page. */
const invisible = () =>
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/.exec(
        document.body.innerText,
    )?.[0];

/** Opens every part that is closed, also those that this brings. */
export const openAll = (page) =>
    page.evaluate(async () => {
        for (let round = 0; round < 6; ++round) {
            for (const details of document.querySelectorAll('#main details:not([open])')) details.open = true;
            await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))); // toggle events come after a frame
        }
    });

/** Checks the page for text that left its place, dangerous attributes, hidden characters and scripts that ran. */
export async function inspect(page, where) {
    assert.deepEqual(
        await page.evaluate(outside, 'tracker.example'),
        [],
        `${where}: text of the server outside of its place`,
    );
    assert.deepEqual(await page.evaluate(dangerous), [], where);
    assert.equal(await page.evaluate(invisible), undefined, `${where}: invisible characters`);
    assert.equal(await page.evaluate(() => window.hacked), undefined, `${where}: a script ran`);
}
