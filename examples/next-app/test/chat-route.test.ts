import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatMessage } from '../lib/chat-message.ts';
import { requestFor } from '../lib/request-for.ts';
import { startApp, type RunningApp } from './start-app.ts';

describe('the route', () => {
  let app: RunningApp;
  let cookie = '';
  beforeAll(async () => {
    app = await startApp({ REQUESTS_PER_MINUTE: '40' });
    cookie = await newCookie();
  });
  afterAll(async () => app?.dispose());

  it.each([0, 1, 2, 3, 4, 5, 6])(
    'goes on at once after an answer that was stopped when %i of its chunks were seen',
    async (chunks) => {
      const chatId = newChatId();
      const asked = user('My name is Noor.');
      const answerId = await readChunks(await say(chatId, [asked]), chunks);
      const seen = answerId === undefined ? [asked] : [asked, assistant(answerId)];
      const next = user('I live in Ghent.');
      const response = await say(chatId, [...seen, next]);
      expect(await response.text()).toContain('Noted');

      const stored = await storedMessages(chatId);
      expect(stored.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    },
  );

  it('keeps what an edit takes the place of', async () => {
    const chatId = newChatId();
    const asked = user('My name is Noor.');
    await (await say(chatId, [asked])).text();
    const request = requestFor(chatId, [user('My name is Imke.')], { edit: true });
    await (await post(request)).text();
    const response = await fetch(`${app.url}/api/chat/${chatId}`, { headers: { cookie } });
    const chat: { messages: ChatMessage[]; branches: string[][] } = await response.json();
    expect(JSON.stringify(chat.messages)).toContain('Imke');
    expect(chat.branches).toHaveLength(1);
    expect(chat.branches[0]?.[0]).toBe(asked.id);
  });

  it('refuses instructions of a client', async () => {
    const request = requestFor(newChatId(), [user('Hello.')]);
    const messages = request.messages.map((message) => ({ ...message, role: 'system' }));
    expect((await post({ ...request, messages })).status).toBe(400);
  });

  it.each([
    ['another site', { origin: 'https://example.com' }, 403],
    ['no page at all', { origin: '' }, 403],
    ['a page without a cookie', { cookie: '' }, 401],
    ['a cookie that was not signed here', { cookie: 'owner=me.c2lnbmF0dXJl' }, 401],
  ])('refuses what comes from %s', async (_name, headers, status) => {
    const response = await post(requestFor(newChatId(), [user('Hello.')]), headers);
    expect(response.status).toBe(status);
  });

  it('refuses what is too long to be a message', async () => {
    const response = await post({ text: 'x'.repeat(300_000) });
    expect(response.status).toBe(413);
  });

  it('shows nobody the chats of another', async () => {
    const chatId = newChatId();
    await (await say(chatId, [user('Hello.')])).text();
    const other = await newCookie();
    const read = await fetch(`${app.url}/api/chat/${chatId}`, { headers: { cookie: other } });
    expect(read.status).toBe(404);
    const written = await post(requestFor(chatId, [user('Hello.')]), { cookie: other });
    expect(written.status).toBe(404);
    expect((await fetch(`${app.url}/chat/${chatId}`, { headers: { cookie: other } })).status).toBe(
      404,
    );
  });

  it('refuses what comes too often', async () => {
    const eager = await newCookie();
    const statuses: number[] = [];
    for (let count = 0; count < 41; count += 1) {
      statuses.push((await post({}, { cookie: eager })).status);
    }
    expect(statuses.slice(0, 40)).toEqual(Array.from({ length: 40 }, () => 400));
    expect(statuses.at(-1)).toBe(429);
  });

  async function newCookie(): Promise<string> {
    const response = await fetch(`${app.url}/chat/${newChatId()}`);
    return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  }

  async function say(chatId: string, shown: readonly ChatMessage[]): Promise<Response> {
    return await post(requestFor(chatId, shown));
  }

  async function post(body: object, headers: Record<string, string> = {}): Promise<Response> {
    return await fetch(`${app.url}/api/chat`, {
      method: 'POST',
      headers: { origin: app.url, cookie, ...headers },
      body: JSON.stringify(body),
    });
  }

  async function storedMessages(chatId: string): Promise<readonly ChatMessage[]> {
    const response = await fetch(`${app.url}/api/chat/${chatId}`, { headers: { cookie } });
    const { messages }: { messages: ChatMessage[] } = await response.json();
    return messages;
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

function user(text: string): ChatMessage & { role: 'user' } {
  return { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] };
}

function assistant(id: string): ChatMessage {
  return { id, role: 'assistant', parts: [] };
}

function newChatId(): string {
  return crypto.randomUUID().replaceAll('-', '');
}
