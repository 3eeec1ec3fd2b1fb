import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatMessage } from '../lib/chat-message.ts';
import { requestFor } from '../lib/chat-request.ts';
import { startApp, type RunningApp } from './start-app.ts';

describe('the route', () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(async () => app?.dispose());

  it.each([0, 1, 2, 3, 4, 5, 6])(
    'goes on at once after an answer that was stopped when %i of its chunks were seen',
    async (chunks) => {
      const chatId = crypto.randomUUID().replaceAll('-', '');
      const asked = user('My name is Noor.');
      const answerId = await readChunks(await post(chatId, [asked]), chunks);
      const seen = answerId === undefined ? [asked] : [asked, assistant(answerId)];
      const next = user('I live in Ghent.');
      const response = await post(chatId, [...seen, next]);
      expect(await response.text()).toContain('Noted');

      const stored: { messages: ChatMessage[] } = await (
        await fetch(`${app.url}/api/chat/${chatId}`)
      ).json();
      expect(stored.messages.map(({ role }) => role)).toEqual([
        'user',
        'assistant',
        'user',
        'assistant',
      ]);
    },
  );

  async function post(chatId: string, shown: readonly ChatMessage[]): Promise<Response> {
    return await fetch(`${app.url}/api/chat`, {
      method: 'POST',
      body: JSON.stringify(requestFor(chatId, shown, false)),
    });
  }
});

/** Hangs up after a number of chunks, and returns the id of the answer if one of them named it. */
async function readChunks(response: Response, chunks: number): Promise<string | undefined> {
  if (response.body === null) throw new Error('There is no answer.');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let read = 0; read < chunks; read += 1) text += (await reader.read()).value ?? '';
  await reader.cancel();
  return /"messageId":"([^"]+)"/.exec(text)?.[1];
}

function user(text: string): ChatMessage {
  return { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] };
}

function assistant(id: string): ChatMessage {
  return { id, role: 'assistant', parts: [] };
}
