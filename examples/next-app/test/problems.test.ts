import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chatPage, type ChatPage } from './chat-page.ts';
import { hasBrowser, openBrowser } from './open-browser.ts';
import { startProviderServer, type ProviderServer } from './provider-server.ts';
import { startApp, type RunningApp } from './start-app.ts';

describe.skipIf(!hasBrowser)('when something goes wrong', () => {
  let provider: ProviderServer;
  let app: RunningApp;
  let browser: Browser;
  let chat: ChatPage;

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
  beforeEach(async () => {
    provider.status = 200;
    chat = chatPage(await browser.newPage());
    await chat.page.goto(`${app.url}/chat/${crypto.randomUUID().replaceAll('-', '')}`);
  });

  it('names the provider whose key is set', async () => {
    const picker = chat.page.getByRole('combobox', { name: 'Model' });
    expect(await picker.locator('option').allInnerTexts()).toEqual([
      'OpenAI gpt-5-mini',
      'Embedded model, offline',
    ]);
    expect(await chat.say('Hello.')).toBe('This is an answer.');
  });

  it.each([
    [500, 'The provider is down or unreachable.'],
    [429, 'The provider is asked too often just now. Wait a little.'],
    [401, 'The provider refuses the API key.'],
  ])('shows status %i where the answer would be, and tries again', async (status, text) => {
    provider.status = status;
    await chat.say('Hello.');
    await chat.alert.getByText(text).waitFor();
    expect(await chat.userTurns.count()).toBe(1);

    provider.status = 200;
    await chat.alert.getByRole('button', { name: 'Try again' }).click();
    await chat.answers.getByText('This is an answer.').waitFor();
    await chat.settle();
    expect(await chat.alert.count()).toBe(0);
    expect(await chat.userTurns.count()).toBe(1);
  });

  it('remembers an unanswered message over a reload', async () => {
    provider.status = 500;
    await chat.say('Hello.');
    await chat.alert.waitFor();
    // A button does nothing before the page is hydrated.
    await chat.page.reload({ waitUntil: 'networkidle' });
    provider.status = 200;
    await chat.alert.getByRole('button', { name: 'Try again' }).click();
    await chat.answers.getByText('This is an answer.').waitFor();
  });

  it('says by how much a message is too long, and takes a shorter one', async () => {
    await chat.say('word '.repeat(4_000));
    await chat.alert.getByText(/needs 4,\d+ tokens at least, .* room for 3,500/).waitFor();
    await chat.page.getByRole('button', { name: /^Edit: / }).click();
    await chat.page.getByRole('textbox', { name: 'Edited message' }).fill('Shorter.');
    await chat.page.keyboard.press('Enter');
    await chat.answers.getByText('This is an answer.').waitFor();
  });

  it('says that the server is gone, and sends the message once it is back', async () => {
    await chat.say('Hello.');
    await chat.page.getByRole('link', { name: 'Hello.' }).first().waitFor();
    await app.stop();
    await chat.say('Are you there?');
    await chat.alert.getByText('The server cannot be reached.').waitFor();
    await app.restart();
    await chat.alert.getByRole('button', { name: 'Try again' }).click();
    await chat.answers.nth(1).getByText('This is an answer.').waitFor();
    await chat.settle();
    await chat.page.reload();
    expect(await chat.userTurns.count()).toBe(2);
  });

  it('marks a summary that rules had to write', async () => {
    provider.summary = 'This is no JSON.';
    for (let turn = 0; turn < 8; turn += 1) {
      await chat.say(`${turn}. I cycle to Ghent. ${'The road is long. '.repeat(75)}`);
    }
    await chat.dividers.first().waitFor();
    const divider = chat.page.locator('[data-slot=summary-divider][data-degraded]').first();
    await divider.locator('summary').first().click();
    await divider
      .getByText('The model failed to write this summary. It was made without a model')
      .waitFor();
  });

  it('holds a conversation with the model that is chosen', async () => {
    await chat.page.getByRole('combobox', { name: 'Model' }).selectOption('embedded');
    await chat.page.waitForLoadState('networkidle');
    expect(await chat.say('My name is Noor.')).toContain('Noted');
  });
});
