// How much memory a page needs.
import { readFileSync } from 'node:fs';

/** The memory of the largest page process that no other process shares in full, in bytes. */
export async function processMemory(browser) {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const sizes = processInfo
        .filter((one) => one.type === 'renderer')
        .map(
            ({ id }) =>
                Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024,
        );
    return Math.max(...sizes);
}

/** What the scripts and the elements of a page use, after a garbage collection, in bytes. */
export async function heap(page) {
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = await session.send('Runtime.getHeapUsage');
    return usedSize + embedderHeapUsedSize + backingStorageSize;
}

export const MIB = 1024 * 1024;
