import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type RunningApp } from './start-app.ts';

const chunks = fileURLToPath(new URL('../.next/static/chunks', import.meta.url));
const server = fileURLToPath(new URL('../.next/server', import.meta.url));

/** Stands in the tokenizer's tables and nowhere else. */
const tokenizerMark = '<|endofprompt|>';

async function filesWith(folder: string, mark: string): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const scripts = files.filter(({ name }) => name.endsWith('.js'));
  const found = await Promise.all(
    scripts.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return (await readFile(path, 'utf8')).includes(mark) ? [path] : [];
    }),
  );
  return found.flat();
}

describe('the build', () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(async () => {
    await app?.dispose();
  });

  it('ships the tokenizer to the server', async () => {
    expect(await filesWith(server, tokenizerMark)).not.toEqual([]);
  });

  it('ships neither the tokenizer nor the middleware to the browser', async () => {
    expect(await filesWith(chunks, tokenizerMark)).toEqual([]);
    expect(await filesWith(chunks, 'triggerTokenRatio: ')).toEqual([]);
    expect(await filesWith(chunks, 'summary-depth:')).toEqual([]);
  });

  it('summarises in the edge runtime', async () => {
    const text = 'The shop sells bicycles, repairs them and rents them out by the day. '.repeat(5);
    const messages = Array.from({ length: 41 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `${index}. ${text}`,
    }));
    const response = await fetch(`${app.url}/api/edge`, {
      method: 'POST',
      body: JSON.stringify({ messages }),
    });
    expect(await response.json()).toMatchObject({
      text: expect.stringContaining('40.'),
      summarization: { depth: 0, contextLength: 2_000 },
    });
  });
});
