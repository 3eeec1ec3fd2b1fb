import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Whether there is a browser to test with: Debian's Chromium, or the one that `CHROMIUM` names. */
export const hasBrowser: boolean = existsSync(executablePath);
if (!hasBrowser) process.stderr.write(`SKIPPED: no browser at ${executablePath}; set CHROMIUM.\n`);

/** Starts a browser that asks nothing of the network. */
export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
