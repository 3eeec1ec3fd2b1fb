import type { Browser, BrowserContext, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatPage, type ChatPage } from './chat-page.ts';
import { hasBrowser, openBrowser } from './open-browser.ts';
import { startApp, type RunningApp } from './start-app.ts';
import { startWatching, watched } from './watch-page.ts';

// One conversation from its first message to its last: each test goes on where the one before ended.
describe.skipIf(!hasBrowser)('a conversation of 60 messages', () => {
  let app: RunningApp;
  let browser: Browser;
  let context: BrowserContext;
  let chat: ChatPage;

  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
    context = await browser.newContext({ viewport: { width: 1360, height: 850 } });
    chat = chatPage(await context.newPage());
    await startWatching(chat.page);
    await chat.page.goto(app.url);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.dispose();
  });

  it('begins with an empty context and says who answers', async () => {
    const picker = chat.page.getByRole('combobox', { name: 'Model' });
    expect(await picker.innerText()).toBe('Embedded model, offline');
    expect(await chat.tokens()).toBe(0);
  });

  it('goes through three summaries without ever sending more than the limit', async () => {
    await chat.page.getByRole('button', { name: 'Play a sample conversation' }).click();
    await chat.userTurns.nth(29).waitFor({ timeout: 80_000 });
    await chat.settle();

    expect(await chat.userTurns.count()).toBe(30);
    expect(await chat.answers.count()).toBe(30);
    expect(await chat.alert.count()).toBe(0);
    expect(await chat.dividers.count()).toBeGreaterThanOrEqual(3);
    const rows = await tableRows(chat);
    expect(Math.max(...rows.map(({ sent }) => sent))).toBeLessThanOrEqual(3_500);
    expect(rows.at(-1)?.full).toBeGreaterThan(1.5 * 3_500);
  });

  it('showed each summary while it ran, and moved nothing while it streamed', async () => {
    const { runningLabels, layoutShift } = await watched(chat.page);
    expect(runningLabels.length).toBeGreaterThanOrEqual(3);
    expect(runningLabels[0]).toMatch(
      /^Summarizing \d+ messages, as \d+ % of the context is taken …$/,
    );
    expect(layoutShift).toBeLessThan(0.02);
  });

  it('scrolls the transcript, and never the page', async () => {
    await chat.page.getByRole('navigation', { name: 'Conversations' }).hover();
    await chat.page.mouse.wheel(0, 2_000);
    const [page, body] = await chat.page.evaluate(() => {
      const { scrollHeight, clientHeight } = document.documentElement;
      return [scrollHeight - clientHeight, document.body.scrollTop + scrollY];
    });
    expect([page, body]).toEqual([0, 0]);
  });

  it('moves the meter with every call', async () => {
    const rows = await tableRows(chat);
    expect(await chat.tokens()).toBe(rows.at(-1)?.sent);
    expect(new Set(rows.map(({ sent }) => sent)).size).toBeGreaterThan(20);
    expect(await chat.meter.getAttribute('aria-valuetext')).toMatch(/of 3,500 tokens$/);
  });

  it('describes the chart in words', async () => {
    const summaries = await chat.dividers.count();
    const chart = chat.page.getByRole('img', { name: 'Tokens per call' });
    const description = await chart.getAttribute('aria-describedby');
    const words = chat.page.locator(`[id="${description}"]`);
    expect(await words.textContent()).toContain(`${summaries} summaries.`);
    expect(await chart.locator('.recharts-reference-dot').count()).toBe(summaries);
    const waits = chat.page.getByRole('list', { name: 'Wait for each summary' });
    expect(await waits.getByRole('listitem').count()).toBe(summaries);
  });

  it('answers from the summary what was said at the beginning', async () => {
    const answers = await chat.answers.allInnerTexts();
    expect(answers.find((answer) => answer.includes('12,000 euros, and'))).toContain('Noted');
    expect(answers.findLast((answer) => answer.includes('Our budget is 12,000 euros'))).toContain(
      'From the summary',
    );
  });

  it('tells the messages that the model no longer reads from those it does', async () => {
    const items = chat.page.locator('li:has(> [data-turn], > article)');
    expect(await items.first().getAttribute('data-covered')).toBe('true');
    expect(await items.last().getAttribute('data-covered')).toBeNull();
  });

  it('opens a divider to a record whose items lead to their messages', async () => {
    const divider = chat.dividers.nth(1);
    const label = await divider.locator('[data-slot=summary-divider-label]').textContent();
    expect(label).toMatch(/^\d+ messages are now summarized$/);
    await divider.locator('summary').first().click();

    const record = divider.getByRole('region', { name: 'Summary of the earlier messages' });
    for (const title of ['Rules to keep', 'Decisions', 'To be done', 'Key points']) {
      expect(await record.getByRole('list', { name: title }).count()).toBe(1);
    }
    const rules = record.getByRole('list', { name: 'Rules to keep' });
    const rule = rules.getByRole('listitem').filter({ hasText: 'Never send the address' });
    await rule.getByRole('link', { name: 'you: show the message' }).click();
    const target = chat.page.locator('li:target');
    expect(await target.textContent()).toContain('Never send the address of a customer');
    await expect.poll(async () => await isInView(target)).toBe(true);
    await chat.page.goBack();
  });

  it('is the same again after a reload', async () => {
    const before = await chat.transcript.innerText();
    const [tokens, dividers] = [await chat.tokens(), await chat.dividers.count()];
    await chat.page.reload();
    expect(await chat.tokens()).toBe(tokens);
    expect(await chat.dividers.count()).toBe(dividers);
    const after = await chat.transcript.innerText();
    // The open divider is closed again.
    expect(before.startsWith(after.slice(0, 500))).toBe(true);
    expect(await chat.userTurns.count()).toBe(30);
  });

  it('summarizes on /compact, without a message or an answer', async () => {
    await sayMuch(chat);
    const [dividers, turns, tokens] = [
      await chat.dividers.count(),
      await chat.userTurns.count(),
      await chat.tokens(),
    ];
    await chat.composer.fill('/compact');
    await chat.composer.press('Enter');
    await chat.dividers.nth(dividers).waitFor();
    await chat.settle();
    expect(await chat.userTurns.count()).toBe(turns);
    expect(await chat.tokens()).toBeLessThan(tokens);
    expect(await chat.say('What must never be sent to a model?')).toContain('From the summary');
  });

  it('uses the same summary after a restart of the server', async () => {
    await app.restart();
    const dividers = await chat.dividers.count();
    expect(await chat.say('What must never be sent to a model?')).toContain('From the summary');
    expect(await chat.dividers.count()).toBe(dividers);
  });

  it('finds summarized messages on /recall, word for word', async () => {
    await chat.composer.fill('/recall warehouse');
    await chat.composer.press('Enter');
    const notice = chat.page.getByRole('region', { name: 'Notice' });
    await notice
      .getByText('You: Our warehouse is in Ghent, and its manager is called Pieter.')
      .waitFor();
    await notice.getByRole('button', { name: 'Close' }).click();
    expect(await notice.count()).toBe(0);
  });

  it('regenerates the latest answer in its place', async () => {
    const answer = await chat.say('What is our budget?');
    const [turns, answers] = [await chat.userTurns.count(), await chat.answers.count()];
    await chat.page.getByRole('button', { name: 'Regenerate' }).click();
    await chat.page.getByRole('button', { name: 'Stop' }).waitFor();
    await chat.settle();
    expect(await chat.userTurns.count()).toBe(turns);
    expect(await chat.answers.count()).toBe(answers);
    expect(await chat.latestAnswer()).toBe(answer);
  });

  it('takes the latest summary back on /undo, and its divider with it', async () => {
    const dividers = await chat.dividers.count();
    await chat.composer.fill('/undo');
    await chat.composer.press('Enter');
    await chat.page.getByText(/^The summary of \d+ messages is taken back/).waitFor();
    expect(await chat.dividers.count()).toBe(dividers - 1);
  });

  it('does not mistake an edited branch for the old one, and keeps both', async () => {
    const turns = await chat.userTurns.count();
    await chat.page.getByRole('button', { name: /^Edit: Our budget is 12,000/ }).click();
    const editor = chat.page.getByRole('textbox', { name: 'Edited message' });
    expect(await editor.evaluate((element) => element === document.activeElement)).toBe(true);
    await editor.fill('Our budget is 7,500 euros.');
    await editor.press('Enter');
    await chat.userTurns.nth(5).waitFor({ state: 'detached' });
    // An edited text is on the page before it is sent.
    await chat.answers.nth(4).waitFor();
    await chat.settle();

    expect(await chat.userTurns.count()).toBe(5);
    expect(await chat.dividers.count()).toBe(0);
    expect(await chat.say('What is our budget?')).toContain('7,500 euros');
    const known = await chat.say('What do you remember?');
    expect(known).toContain('From the summary:\n\nnothing');
    expect(known).not.toContain('12,000');

    const edited = chat.userTurns.nth(4);
    expect(await edited.innerText()).toContain('2 / 2');
    await edited.getByRole('button', { name: 'Earlier version' }).click();
    await chat.userTurns.nth(turns - 1).waitFor();
    expect(await chat.userTurns.nth(4).innerText()).toContain('12,000');
    await chat.userTurns.nth(4).getByRole('button', { name: 'Later version' }).click();
    await chat.userTurns.getByText('7,500 euros').waitFor();
    expect(await chat.userTurns.count()).toBe(7);
  });
});

/**
 * Says enough since the latest summary that another has something to shorten: the last three turns stay
 * as they are.
 */
async function sayMuch(chat: ChatPage): Promise<void> {
  const deeds =
    'we counted bicycles, talked to customers, and wrote down what they asked for; '.repeat(4);
  const dividers = await chat.dividers.count();
  for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']) {
    await chat.say(`On ${day} ${deeds}then we went home.`);
  }
  if ((await chat.dividers.count()) > dividers) await sayMuch(chat);
}

async function tableRows({ page }: ChatPage) {
  const cells = await page
    .locator('[data-figures] tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => Array.from(row.querySelectorAll('td'), ({ textContent }) => textContent)),
    );
  return cells.map(([sent = '', full = '']) => ({ sent: toNumber(sent), full: toNumber(full) }));
}

function toNumber(text: string): number {
  return Number(text.replaceAll(',', ''));
}

async function isInView(target: Locator): Promise<boolean> {
  return await target.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}
