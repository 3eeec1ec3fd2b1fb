import type { Page } from 'playwright-core';

/** Events of a page that has been left meanwhile. */
export interface Watched {
  /** Labels of summaries while they were being made. */
  readonly runningLabels: readonly string[];
  /** Sum of the layout shifts that no user caused; 0.1 is what is called good. */
  readonly layoutShift: number;
}

declare global {
  var watched: { runningLabels: string[]; layoutShift: number };
}

/** Makes a page note what happens on it, from its next navigation on. */
export async function startWatching(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const notes: typeof globalThis.watched = {
      runningLabels: [],
      layoutShift: 0,
    };
    globalThis.watched = notes;
    let shown: string | undefined;
    new MutationObserver(() => {
      const running = document.querySelector('[data-slot=summary-divider][data-state=running]');
      const label = running?.querySelector('[data-slot=summary-divider-label]')?.textContent;
      // Two summaries of as many messages bear the same label.
      if (label && label !== shown) notes.runningLabels.push(label);
      shown = label;
    }).observe(document, { childList: true, subtree: true, characterData: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if ('value' in entry && !Reflect.get(entry, 'hadRecentInput')) {
          notes.layoutShift += Number(entry.value);
        }
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Notes of a watched page since it was loaded. */
export async function watched(page: Page): Promise<Watched> {
  return await page.evaluate(() => globalThis.watched);
}
