import type { Locator, Page } from 'playwright-core';

/** The parts of the page that tests speak of, named as a user would name them. */
export interface ChatPage {
  readonly page: Page;
  readonly transcript: Locator;
  readonly userTurns: Locator;
  readonly answers: Locator;
  /** Dividers of summaries that were made. */
  readonly dividers: Locator;
  readonly meter: Locator;
  readonly composer: Locator;
  readonly alert: Locator;
  /** Waits until nothing is being answered. */
  readonly settle: () => Promise<void>;
  /** Sends a message and waits for the answer, or for what went wrong. */
  readonly say: (text: string) => Promise<string>;
  /** The text of the latest answer. */
  readonly latestAnswer: () => Promise<string>;
  /** Tokens of the latest call. */
  readonly tokens: () => Promise<number>;
}

/** Wraps a page of the app. */
export function chatPage(page: Page): ChatPage {
  const answers = page.getByRole('article', { name: 'Assistant' });
  const alert = page.getByRole('main').getByRole('alert');
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  const meter = page.getByRole('meter', { name: 'Context', exact: true });
  const userTurns = page.locator('[data-turn=user]');
  const settle = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  };
  const latestAnswer = async (): Promise<string> => {
    const answer = answers.last();
    const markdown = answer.locator(':scope > [data-markdown]');
    // The renderer of an answer may come after it; a failed answer has none.
    const shown = markdown.filter({ hasText: /\S/ }).or(alert);
    await shown
      .first()
      .waitFor({ timeout: 5000 })
      .catch(() => {});
    return (await markdown.allInnerTexts()).join('\n');
  };
  return {
    page,
    transcript: page.getByRole('region', { name: 'Conversation' }),
    userTurns,
    answers,
    dividers: page.locator('details[data-slot=summary-divider]'),
    meter,
    composer,
    alert,
    settle,
    latestAnswer,
    say: async (text) => {
      const before = await userTurns.count();
      await composer.fill(text);
      await composer.press('Enter');
      await userTurns.nth(before).waitFor();
      await settle();
      return await latestAnswer();
    },
    tokens: async () => Number(await meter.getAttribute('aria-valuenow')),
  };
}
