import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser } from './open-browser.ts';
import { startApp, type RunningApp } from './start-app.ts';
import { startWatching, watched } from './watch-page.ts';

/** Limit of the script of a first load, as it is sent. */
const scriptBudget = 251_000;

describe.skipIf(!hasBrowser)('the first screen', () => {
  let app: RunningApp;
  let browser: Browser;

  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.dispose();
  });

  async function open(reducedMotion: 'reduce' | 'no-preference'): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1360, height: 850 } });
    await page.emulateMedia({ reducedMotion });
    await startWatching(page);
    await page.goto(app.url);
    return page;
  }

  const side = (page: Page, name: string) => page.getByRole('list', { name: `Messages, ${name}` });

  it('plays by itself from the first message to the last, and moves nothing', async () => {
    const page = await open('no-preference');
    await page.getByText('Message 1 of 20').waitFor();
    await page.getByText('Message 20 of 20').waitFor();
    const [without, withIt] = [
      side(page, 'without'),
      side(page, 'with ai-sdk-summarization'),
    ] as const;
    expect(await without.getByRole('listitem').last().innerText()).toContain(
      "context_length_exceeded This model's maximum context length is 3500 tokens.",
    );
    expect(await withIt.getByRole('listitem').last().innerText()).toContain(
      'From the summary of our earlier messages: "Our budget is 12,000 euros."',
    );
    expect(await withIt.getByText('messages are now summarized').count()).toBeGreaterThan(1);
    expect(await withIt.getByText('context_length_exceeded').count()).toBe(0);
    expect((await watched(page)).layoutShift).toBeLessThan(0.02);

    await page.getByRole('button', { name: 'Play again' }).click();
    await page.getByText('Message 1 of 20').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    const shown = await page.getByText(/^Message \d+ of 20$/).innerText();
    await page.getByRole('button', { name: 'Go on' }).waitFor();
    expect(await page.getByText(/^Message \d+ of 20$/).innerText()).toBe(shown);
    await page.close();
  });

  it('names the figures of the run that it shows', async () => {
    const page = await open('reduce');
    const heading = await page.getByRole('heading', { level: 2 }).innerText();
    const [, tokens = ''] =
      /^([\d,]+) tokens of conversation in a window of 3,500$/.exec(heading) ?? [];
    expect(Number(tokens.replaceAll(',', ''))).toBeGreaterThan(2 * 3_500);
    expect(await page.getByText(/^[3-9]\d % fewer tokens$/).count()).toBe(1);
    await page.close();
  });

  it('stands still, and shows it all, for people who prefer reduced motion', async () => {
    const page = await open('reduce');
    await page.getByText('Message 20 of 20').waitFor();
    await page.getByRole('button', { name: 'Play again' }).waitFor();
    await page.close();
  });

  it('loads no more script than its budget, compressed', async () => {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    const scripts = new Set<string>();
    let bytes = 0;
    session.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Script') scripts.add(requestId);
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) bytes += encodedDataLength;
    });
    await page.goto(app.url, { waitUntil: 'networkidle' });
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(scriptBudget);
    await page.close();
  });
});
