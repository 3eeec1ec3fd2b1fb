import type { Browser, ViewportSize } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { chatPage, type ChatPage } from './chat-page.ts';
import { openBrowser } from './open-browser.ts';
import { startApp, type RunningApp } from './start-app.ts';

/** The app and a browser, for the tests of a `describe`. */
export interface OpenApp {
  readonly app: RunningApp;
  readonly browser: Browser;
  /** A new conversation in a browser of its own. */
  readonly newChat: (viewport?: ViewportSize) => Promise<ChatPage>;
}

/** Starts the app before the tests, and ends it after them. */
export function openApp(): OpenApp {
  let app: RunningApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.dispose();
  });
  return {
    get app() {
      return app;
    },
    get browser() {
      return browser;
    },
    newChat: async (viewport = { width: 1360, height: 850 }) => {
      const page = await browser.newPage({ viewport });
      await page.goto(`${app.url}/chat/${crypto.randomUUID().replaceAll('-', '')}`);
      return chatPage(page);
    },
  };
}
