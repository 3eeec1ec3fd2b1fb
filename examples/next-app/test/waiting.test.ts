import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatPage } from './chat-page.ts';
import { hasBrowser, openBrowser } from './open-browser.ts';
import { startProviderServer, type ProviderServer } from './provider-server.ts';
import { startApp, type RunningApp } from './start-app.ts';

const summary = JSON.stringify({
  summary: 'Noor cycles to Ghent.',
  keyPoints: [],
  context: {
    participants: [],
    decisions: [],
    actionItems: [],
    unresolved: [],
    domainEntities: [],
    constraints: [],
  },
  ended: [],
});

describe.skipIf(!hasBrowser)('an answer that waits for a summary', () => {
  let provider: ProviderServer;
  let app: RunningApp;
  let browser: Browser;

  beforeAll(async () => {
    provider = await startProviderServer();
    const env = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: provider.url };
    [app, browser] = await Promise.all([startApp(env), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.dispose();
    provider?.close();
  });

  it('says on the page and to screen readers what it waits for, before its first word', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    provider.held = promise;
    provider.summary = summary;
    const page = await browser.newPage({ viewport: { width: 1100, height: 700 } });
    const chat = chatPage(page);
    await page.goto(`${app.url}/chat/${crypto.randomUUID().replaceAll('-', '')}`);
    const running = page.locator('[data-slot=summary-divider][data-state=running]');

    let turns = 0;
    for (; turns < 20 && (await running.count()) === 0; turns += 1) {
      await chat.composer.fill(`${turns}. I cycle to Ghent. ${'The road is long. '.repeat(75)}`);
      await chat.composer.press('Enter');
      await chat.userTurns.nth(turns).waitFor();
      const answered = chat.answers.nth(turns).getByText('This is an answer.');
      await answered.or(running).first().waitFor();
      if ((await running.count()) === 0) await chat.settle();
    }
    const words = /^Summarizing \d+ messages, as \d\d % of the context is taken …$/;
    expect(await running.innerText()).toMatch(words);
    expect(await page.getByRole('status').first().innerText()).toMatch(words);
    expect(await chat.answers.last().locator('[data-markdown]').count()).toBe(0);

    resolve();
    await chat.answers.last().getByText('This is an answer.').waitFor();
    await chat.settle();
    expect(await chat.answers.count()).toBe(turns);
    expect(await running.count()).toBe(0);
    expect(await chat.dividers.count()).toBe(1);
  });
});
