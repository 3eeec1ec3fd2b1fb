import { describe, expect, it } from 'vitest';
import { axeViolations } from './axe-violations.ts';
import { chatPage } from './chat-page.ts';
import { openApp } from './open-app.ts';
import { hasBrowser } from './open-browser.ts';

describe.skipIf(!hasBrowser)('the page', () => {
  const opened = openApp();
  const { newChat } = opened;

  it('says so when there is nothing to summarize', async () => {
    const chat = await newChat();
    await chat.say('My name is Noor.');
    await chat.composer.fill('/compact');
    await chat.composer.press('Enter');
    await chat.page.getByText('There is nothing yet that a summary would shorten.').waitFor();
    expect(await chat.dividers.count()).toBe(0);
  });

  it('uses tools that really run', async () => {
    const chat = await newChat();
    const answer = await chat.say('What time is it in Tokyo?');
    const hour = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', hour: '2-digit' });
    expect(answer).toContain(`at ${hour.format(new Date())}:`);
    expect(await chat.page.locator('[data-tool]').textContent()).toContain('current_time');
  });

  it('keeps several conversations side by side', async () => {
    const chat = await newChat();
    await chat.say('This one is about bicycles.');
    await chat.page.getByRole('link', { name: 'New conversation' }).click();
    await chat.page.getByRole('region', { name: 'About this app' }).waitFor();
    expect(await chat.say('This one is about trains.')).toContain('trains');
    await chat.page.getByRole('link', { name: 'This one is about trains.' }).waitFor();
    await chat.page.getByRole('link', { name: 'This one is about bicycles.' }).click();
    await chat.userTurns.getByText('bicycles').waitFor();
    expect(await chat.say('What is this one about?')).toContain('bicycles');
  });

  it('shows in one tab what another tab of the same browser said', async () => {
    const context = await opened.browser.newContext();
    const [first, second] = [
      chatPage(await context.newPage()),
      chatPage(await context.newPage()),
    ] as const;
    const url = `${opened.app.url}/chat/${crypto.randomUUID().replaceAll('-', '')}`;
    await first.page.goto(url);
    await second.page.goto(url);
    await first.say('I live in Ghent.');
    await second.userTurns.getByText('I live in Ghent.').waitFor();
    expect(await second.say('Where do I live?')).toContain('Ghent');
    await first.userTurns.getByText('Where do I live?').waitFor();
    await context.close();
  });

  it('loses nothing when another browser was faster', async () => {
    const first = await newChat();
    const elsewhere = await opened.browser.newContext();
    await elsewhere.addCookies(await first.page.context().cookies());
    const second = chatPage(await elsewhere.newPage());
    await second.page.goto(first.page.url());
    await first.say('I live in Ghent.');
    await second.composer.fill('I have a dog.');
    await second.composer.press('Enter');
    await second.alert.getByText('This conversation went on in another window.').waitFor();
    await second.userTurns.getByText('I live in Ghent.').waitFor();
    expect(await second.composer.inputValue()).toBe('I have a dog.');
    await second.composer.press('Enter');
    await second.userTurns.getByText('I have a dog.').waitFor();
    await second.settle();
    await second.page.reload();
    expect(await second.userTurns.count()).toBe(2);
  });

  it('checks settings on the server and applies them to this conversation only', async () => {
    const chat = await newChat();
    await chat.say('My name is Noor.');
    await chat.page.getByRole('button', { name: 'Settings' }).click();
    const drawer = chat.page.getByRole('dialog', { name: 'Settings of this conversation' });
    await drawer.getByLabel('Context length').fill('100');
    await drawer.getByLabel('Reset').fill('0.85');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await drawer.getByText('At least 2,000 tokens.').waitFor();

    await drawer.getByLabel('Context length').fill('8000');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await drawer.getByText('Has to be below the trigger.').waitFor();
    await drawer.getByLabel('Reset').fill('0.5');
    await drawer.getByLabel('Strategy').selectOption('rule-based');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await drawer.waitFor({ state: 'hidden' });

    await chat.page.reload();
    expect(await chat.meter.getAttribute('aria-valuetext')).toContain('of 8,000 tokens');
    const other = await newChat();
    expect(await other.meter.getAttribute('aria-valuetext')).toContain('of 3,500 tokens');
  });

  it('stays under the limit where nobody waits for summaries', async () => {
    const chat = await newChat();
    await chat.page.getByRole('button', { name: 'Settings' }).click();
    const drawer = chat.page.getByRole('dialog');
    await drawer.getByLabel('Waiting').selectOption('background');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await drawer.waitFor({ state: 'hidden' });
    await chat.page.getByRole('button', { name: 'Play a sample conversation' }).click();
    await chat.userTurns.nth(29).waitFor({ timeout: 80_000 });
    await chat.settle();
    expect(await chat.alert.count()).toBe(0);
    const waits = chat.page.getByRole('list', { name: 'Wait for each summary' });
    expect(await waits.getByRole('listitem').count()).toBeGreaterThan(0);
  });

  it('can be stopped, and goes on', async () => {
    const chat = await newChat();
    await chat.page.getByRole('button', { name: 'Play a sample conversation' }).click();
    await chat.userTurns.nth(1).waitFor();
    await chat.page.getByRole('button', { name: 'Stop' }).click();
    await chat.settle();
    const turns = await chat.userTurns.count();
    // Thirty are sent; nobody can say how many before the click arrives.
    expect(turns).toBeLessThan(15);
    expect(await chat.say('I live in Ghent.')).toContain('Noted');
    expect(await chat.userTurns.count()).toBe(turns + 1);
  });

  it('says that the offline model is one, and what it can do', async () => {
    const chat = await newChat();
    const answer = await chat.say('hello');
    expect(answer).toContain('a small offline model without a network');
    expect(await chat.answers.getByRole('listitem').count()).toBe(5);
    expect(await chat.answers.getByRole('code').count()).toBeGreaterThan(0);
  });

  it('renames and deletes chats', async () => {
    const chat = await newChat();
    await chat.say('This one is about bicycles.');
    await chat.page.getByRole('button', { name: 'Rename This one is about bicycles.' }).click();
    const name = chat.page.getByRole('textbox', { name: 'New name' });
    await name.fill('Bicycles');
    await name.press('Enter');
    await chat.page.getByRole('link', { name: 'Bicycles', exact: true }).waitFor();
    chat.page.on('dialog', (dialog) => void dialog.accept());
    await chat.page.getByRole('button', { name: 'Delete Bicycles' }).click();
    await chat.page.getByRole('region', { name: 'About this app' }).waitFor();
    expect(await chat.page.getByRole('link', { name: 'Bicycles' }).count()).toBe(0);
  });

  it('offers its commands on a slash', async () => {
    const chat = await newChat();
    await chat.composer.press('/');
    const menu = chat.page.getByRole('listbox', { name: 'Commands' });
    expect(await menu.getByRole('option').count()).toBe(3);
    expect(await axeViolations(chat.page)).toEqual([]);
    await chat.composer.press('ArrowDown');
    await chat.composer.press('ArrowDown');
    await chat.composer.press('Enter');
    expect(await chat.composer.inputValue()).toBe('/recall ');
    expect(await menu.count()).toBe(0);
  });
});
