import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatPage, type ChatPage } from './chat-page.ts';
import { hasBrowser, openBrowser } from './open-browser.ts';
import { startProviderServer, type ProviderServer } from './provider-server.ts';
import { startApp, type RunningApp } from './start-app.ts';

const answer = [
  'A function, and what it computes:',
  '```ts',
  'const area = (side: number): number => side ** 2; // of a square',
  '```',
  '$$',
  'A = \\sqrt{a^4}',
  '$$',
  '| side | area |',
  '|---|---|',
  '| 2 | 4 |',
].join('\n');

describe.skipIf(!hasBrowser)('what a model writes', () => {
  let provider: ProviderServer;
  let app: RunningApp;
  let browser: Browser;
  let chat: ChatPage;

  beforeAll(async () => {
    provider = await startProviderServer();
    provider.answer = answer;
    const env = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: provider.url };
    [app, browser] = await Promise.all([startApp(env), openBrowser()]);
    chat = chatPage(await browser.newPage());
    await chat.page.goto(app.url);
    await chat.say('What is the area of a square?');
  });
  afterAll(async () => {
    await browser?.close();
    await app?.dispose();
    provider?.close();
  });

  it('has its code in the colors of its language', async () => {
    const code = chat.answers.last().locator('pre code');
    const keyword = code.locator('span').getByText('const', { exact: true });
    const comment = code.locator('span').getByText('// of a square');
    await keyword.waitFor();
    const colours = await Promise.all(
      [keyword, comment].map(async (token) =>
        token.evaluate((element) => getComputedStyle(element).color),
      ),
    );
    expect(new Set(colours).size).toBe(2);
    expect(await code.innerText()).toContain('side ** 2');
  });

  it('has its mathematics as a formula, which assistive technology reads', async () => {
    const formula = chat.answers.last().locator('.katex-display');
    await formula.waitFor();
    expect(await formula.locator('math msqrt').count()).toBe(1);
    // Without its styles, root and exponent would stand in a row.
    const font = await formula
      .locator('.katex-html')
      .evaluate((element) => getComputedStyle(element.closest('.katex') ?? element).fontFamily);
    expect(font).toContain('KaTeX_Main');
  });

  it('has its table as a table', async () => {
    const table = chat.answers.last().getByRole('table');
    expect(await table.getByRole('row').last().innerText()).toMatch(/2\s+4/);
  });
});
