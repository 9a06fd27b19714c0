// Accessibility: what axe-core reports for a page.
import { readFileSync } from 'node:fs';

const axe = readFileSync(new URL('node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** Resolves to the rules of WCAG 2.2 AA and the best practices that the page breaks, with the elements. */
export async function violations(page) {
    if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
    const found = await page.evaluate(() =>
        window.axe.run(document, {
            runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
            resultTypes: ['violations'],
        }),
    );
    return found.violations.map((one) => ({
        id: one.id,
        where: one.nodes.map((node) => `${node.target} ${node.failureSummary}`).slice(0, 3),
    }));
}
