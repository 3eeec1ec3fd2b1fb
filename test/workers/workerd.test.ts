import { Miniflare } from 'miniflare';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { emptyContent } from '../support/empty-content.ts';
import { sendAnswer } from '../support/servers/chat-server.ts';
import { startLoopbackServer, type LoopbackServer } from '../support/servers/loopback-server.ts';
import { bundle } from './bundle.ts';

/** What the model was asked for in a call, or in one for a summary. */
interface Asked {
  readonly text: string;
  /** Messages are of words of a token each, so that a call has so many tokens at least. */
  readonly words: number;
  readonly isSummarized: boolean;
  readonly isStream: boolean;
  readonly response: ServerResponse;
}

/** What the middleware tells. */
interface Told {
  readonly summaries: number;
  readonly failures: readonly string[];
}

/** Tokens that the model of the Worker accepts. */
const contextLength = 8000;

let server: LoopbackServer;
let worker: Miniflare;
let calls: Asked[] = [];
let bills: Asked[] = [];
/** Whether the model answers who asks for a summary. */
let isAnswering = true;

beforeAll(async () => {
  server = await startLoopbackServer(async (request, response) => {
    const {
      messages,
      response_format: format,
      stream: isStream = false,
    } = Object(await json(request));
    const text = JSON.stringify(messages);
    const words = text.split(/\s+/).length;
    const isSummarized = /\[summary-depth:\d/.test(text);
    const asked = { text, words, isSummarized, isStream, response };
    const isCall = String(messages.at(-1).content).startsWith('Message ');
    (isCall ? calls : bills).push(asked);
    const written = format === undefined ? 'They spoke of rivers.' : record;
    if (isCall) sendAnswer(response, { content: 'Understood.' }, isStream);
    else if (isAnswering) sendAnswer(response, { content: written }, isStream);
  });
  worker = new Miniflare({
    modules: true,
    script: await bundle('worker.ts', { modelUrl: `${server.url}/v1` }),
    compatibilityDate: '2026-07-01',
    // Neither Node's modules nor anything else that has to be turned on.
    compatibilityFlags: [],
    // It would be fetched.
    cf: false,
    handleRuntimeStdio: (_: Readable, errors: Readable) => void errors.resume(),
  });
  await worker.ready;
});

afterAll(async () => {
  await worker.dispose();
  await server.stop();
});

afterEach(() => {
  calls = [];
  bills = [];
  isAnswering = true;
});

const record = JSON.stringify(emptyContent('They spoke of rivers.'));

/** Messages of a conversation, each of a little more than 400 tokens. */
function chat(about: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${index} about ${about}:${' river'.repeat(400)}.`,
  }));
}

/** Sends a conversation to the Worker, and says what it answered. */
async function ask(about: string, count: number, path = '/'): Promise<string> {
  const body = JSON.stringify(chat(about, count));
  const answer = await worker.dispatchFetch(`http://worker${path}`, { method: 'POST', body });
  return answer.text();
}

/** What the middleware has told since it was last asked: how many summaries were made, and what failed. */
async function told(): Promise<Told> {
  const answer = await worker.dispatchFetch('http://worker/told');
  return Object(await answer.json());
}

describe('a Worker of workerd', () => {
  it('starts with a middleware at module level, and summarizes', async () => {
    expect(await ask('boats', 3)).toBe('Understood.');
    expect([calls[0]?.isSummarized, bills.length]).toEqual([false, 0]);
    expect(await ask('boats', 17)).toBe('Understood.');
    expect([calls[1]?.isSummarized, bills.length]).toEqual([true, 1]);
    expect(await ask('boats', 17)).toBe('Understood.');
    expect([calls[2]?.text, bills.length]).toEqual([calls[1]?.text, 1]);
    expect(await told()).toEqual({ summaries: 1, failures: [] });
  });

  it('pays one summary for two requests at once', async () => {
    const answers = await Promise.all([ask('mills', 23), ask('mills', 23), ask('mills', 23)]);
    expect(answers).toEqual(['Understood.', 'Understood.', 'Understood.']);
    expect(calls.map(({ isSummarized }) => isSummarized)).toEqual([true, true, true]);
    expect(new Set(calls.map(({ text }) => text)).size).toBe(1);
    // Nothing of it was asked twice.
    expect(new Set(bills.map(({ text }) => text)).size).toBe(bills.length);
    expect(await told()).toEqual({ summaries: 1, failures: [] });
  });

  it('goes on where a summary was cut off with its request', async () => {
    isAnswering = false;
    // It fits, and is sent as it stands when its patience has passed.
    expect(await ask('docks', 17)).toBe('Understood.');
    expect([calls[0]?.isSummarized, bills.length]).toEqual([false, 1]);
    const [cutOff] = bills;
    if (cutOff?.response.destroyed === false) await once(cutOff.response, 'close');
    isAnswering = true;
    // It does not fit.
    expect(await ask('docks', 23)).toBe('Understood.');
    expect(calls[1]?.isSummarized).toBe(true);
    expect(bills.length).toBeGreaterThan(1);
    expect(calls[1]?.words).toBeLessThan(contextLength);
    expect(await ask('docks', 25)).toBe('Understood.');
    expect(calls[2]?.isSummarized).toBe(true);
    expect(await told()).toEqual({ summaries: 1, failures: [] });
  });

  it('sends nothing over the limit where the model writes no summary, however many ask', async () => {
    isAnswering = false;
    expect(await ask('locks', 17)).toBe('Understood.');
    const answers = await Promise.all([ask('locks', 23), ask('locks', 25), ask('locks', 23)]);
    expect(answers).toEqual(['Understood.', 'Understood.', 'Understood.']);
    expect(calls.filter(({ words }) => words >= contextLength)).toEqual([]);
    // What was cut off in the one holds up none that comes later.
    isAnswering = true;
    expect(await ask('locks', 41)).toBe('Understood.');
    expect(calls.at(-1)?.isSummarized).toBe(true);
    expect(calls.at(-1)?.words).toBeLessThan(contextLength);
    // Of the model alone.
    const { failures } = await told();
    expect(failures.filter((failure) => !failure.startsWith('summarize: '))).toEqual([]);
  });

  it('finishes behind its answer what waitUntil was given', async () => {
    let summaries = 0;
    isAnswering = false;
    expect(await ask('ports', 15, '/background')).toBe('Understood.');
    await expect.poll(() => bills.length).toBe(1);
    const [behind] = bills;
    if (behind === undefined) throw new Error('Nobody asks for a summary.');
    expect([calls[0]?.isSummarized, behind.response.destroyed]).toEqual([false, false]);
    sendAnswer(behind.response, { content: record }, behind.isStream);
    await expect.poll(async () => (summaries += (await told()).summaries)).toBe(1);
    expect(await ask('ports', 17, '/background')).toBe('Understood.');
    expect([calls[1]?.isSummarized, bills.length]).toEqual([true, 1]);
    expect(await told()).toEqual({ summaries: 0, failures: [] });
  });
});
