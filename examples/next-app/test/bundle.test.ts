import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesWith, tokenizerMark } from './files-with.ts';
import { startApp, type RunningApp } from './start-app.ts';

const chunks = fileURLToPath(new URL('../.next/static/chunks', import.meta.url));
const server = fileURLToPath(new URL('../.next/server', import.meta.url));

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

  it('summarizes in the edge runtime', async () => {
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
