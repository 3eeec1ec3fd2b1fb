import { describe, expect, it } from 'vitest';
import { axeViolations } from './axe-violations.ts';
import type { ChatPage } from './chat-page.ts';
import { openApp } from './open-app.ts';
import { hasBrowser } from './open-browser.ts';

describe.skipIf(!hasBrowser)('the page, whoever uses it', () => {
  const { newChat } = openApp();

  it('can be used with the keyboard alone', async () => {
    const chat = await newChat();
    const { keyboard } = chat.page;
    const tabTo = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 40; presses += 1) {
        await keyboard.press('Tab');
        const label = await chat.page.evaluate(() => {
          const { activeElement } = document;
          return (
            activeElement?.getAttribute('aria-label') ??
            activeElement?.textContent ??
            ''
          ).trim();
        });
        if (label === name) return;
      }
      throw new Error(`${name} was not reached.`);
    };
    await tabTo('My name is Noor, and I never eat nuts.');
    await keyboard.press('Enter');
    await chat.settle();
    await tabTo('Edit: My name is Noor, and I never eat nuts.');
    await keyboard.press('Enter');
    await keyboard.press('Escape');
    await tabTo('Settings');
    await keyboard.press('Enter');
    await chat.page.getByRole('dialog').waitFor();
    await keyboard.press('Escape');
    await chat.page.getByRole('dialog').waitFor({ state: 'hidden' });
    const focused = chat.page.locator(':focus');
    expect(await focused.getAttribute('aria-label')).toBe('Settings');
  });

  it('tells screen readers what happens, once', async () => {
    const chat = await newChat();
    const status = chat.page.getByRole('main').locator('> [role=status]');
    const answer = await chat.say('My name is Noor.');
    expect((await status.textContent())?.trim()).toBe(answer.trim());
  });

  it.each(['light', 'dark'] as const)('has no fault that axe finds, %s', async (colorScheme) => {
    const chat = await newChat();
    await chat.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await chat.say('My name is Noor.');
    await chat.say('What does the README say about `pin`?');
    expect(await axeViolations(chat.page)).toEqual([]);
    await chat.page.getByRole('button', { name: 'Settings' }).click();
    expect(await axeViolations(chat.page)).toEqual([]);
  });

  it.each([320, 360, 768, 1920])('fits a screen of %i pixels, from the first', async (width) => {
    const chat = await newChat({ width, height: 740 });
    expect(await overflow(chat)).toEqual({ sideways: 0, down: 0 });
    expect(await axeViolations(chat.page)).toEqual([]);
    await chat.say('What does the README say about `namespace`?');
    expect(await overflow(chat)).toEqual({ sideways: 0, down: 0 });
    expect(await axeViolations(chat.page)).toEqual([]);
  });

  it('opens the chart and the chats on a phone', async () => {
    const chat = await newChat({ width: 360, height: 740 });
    await chat.say('Hello');
    await chat.page.getByRole('button', { name: 'Chart' }).click();
    await chat.page.getByRole('img', { name: 'Tokens per call' }).waitFor();
    await chat.page.keyboard.press('Escape');
    await chat.page.getByRole('button', { name: 'Chats' }).click();
    await chat.page.getByRole('link', { name: 'New conversation' }).waitFor();
    expect(await axeViolations(chat.page)).toEqual([]);
  });
});

async function overflow({ page }: ChatPage) {
  return await page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
    return { sideways: scrollWidth - clientWidth, down: scrollHeight - clientHeight };
  });
}
