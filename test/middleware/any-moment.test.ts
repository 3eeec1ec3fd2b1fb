import type { ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { assistant, chat, user, words } from '../support/messages.ts';
import { answer, apiError, summarizerModel, textResult } from '../support/models.ts';
import { lastPrompt, summaryOf, textOf } from '../support/prompts.ts';
import { setUp, type SetUp } from '../support/set-up.ts';
import { until } from '../support/until.ts';
import { elapse } from '../support/virtual-time.ts';
import {
  answered,
  fitting,
  history,
  isAnswered,
  lastSummary,
  reasons,
  send,
  take,
  tooSmall,
  untilSummarized,
  withStillClock,
} from '../support/waiting.ts';

withStillClock();

/** A summarizer that is away until a time, as it says by then. */
function awayUntil(ms: number, error: () => Error): MockLanguageModelV4 {
  const backAt = performance.now() + ms;
  return summarizerModel(async () => {
    if (performance.now() < backAt) throw error();
    return textResult(answer({ summary: 'They spoke of rivers.' }));
  });
}

/** Conversations at the trigger, one for each user. */
const users = Array.from({ length: 10 }, (_, index): ModelMessage[] => [
  user(`I am user ${index}.`),
  ...history.slice(1),
  user(words(index, 12)),
]);

async function sendAll(made: SetUp): Promise<void> {
  const runs = users.map((messages) => send(made, { messages }));
  const areAnswered = (): boolean => runs.every(({ outcome }) => outcome !== undefined);
  for (let step = 0; step < 400 && !areAnswered(); step += 1) await elapse(50);
  expect(runs.map(({ outcome }) => outcome)).toEqual(users.map(() => 'answered'));
}

/** Who wrote the records, in the order of the conversations' last calls. */
function writers(made: SetUp): readonly (boolean | undefined)[] {
  return made.events.flatMap((event) => (event.type === 'end' ? [event.degraded] : []));
}

describe('a summarizer that is away for a moment, while prompts fit', () => {
  it.each([
    ['answers 503 for two seconds', 2000, () => apiError('not now', 503)],
    ['is busy, and says how long', 3000, () => apiError('not now', 429, { 'retry-after': '3' })],
    ['cannot be reached for two seconds', 2000, () => new TypeError('fetch failed')],
  ] as const)('and %s writes the records of ten users when it is back', async (_, ms, error) => {
    const made = setUp(fitting, { summarizer: awayUntil(ms, error) });
    await sendAll(made);
    expect(writers(made)).not.toContain(true);
    await elapse(5000);
    await sendAll(made);
    expect(writers(made)).toEqual(users.map(() => false));
    expect(reasons(made, 'fallback')).toEqual([]);
  });
});

it.each([20, 70, 900])(
  'a summarizer that asks for %i s of rest has the rules write at once where a prompt does not fit',
  async (seconds) => {
    const error = (): Error => apiError('not now', 429, { 'retry-after': String(seconds) });
    const made = setUp(tooSmall, { summarizer: awayUntil(seconds * 1000, error) });
    const startedAt = performance.now();
    await answered(made);
    expect(performance.now() - startedAt).toBe(0);
    expect(writers(made)).toEqual([true]);
    expect(lastSummary(made)).toBeDefined();
  },
);

it('a record that rules have written is written anew by the model, from what the client sends again', async () => {
  const summarizer = awayUntil(1000, () => apiError('not now', 401));
  const made = setUp(tooSmall, { summarizer });
  await answered(made);
  expect(writers(made)).toEqual([true]);
  await elapse(120_000);
  const grown = [...history, assistant(words(40, 40)), ...chat(9)];
  await answered(made, grown);
  expect(writers(made)).toEqual([true, false]);
  const asked = textOf(summarizer.doGenerateCalls.at(-1)?.prompt.at(-1));
  // From the first message on, and not what the rules made of it.
  expect(asked).toContain('Question 0: ');
  expect(asked).toContain('"i":0');
  expect(asked).not.toContain('Record of the conversation so far');
  expect(summaryOf(lastPrompt(made.inner))).toContain('They spoke of rivers.');
});

describe('a summarizer that is slow, but seen to write', () => {
  /** Streams its answer for so long, a piece every second. */
  function streamsFor(seconds: number): MockLanguageModelV4 {
    return new MockLanguageModelV4({
      provider: 'openai.responses',
      modelId: 'summarizer',
      doStream: async () => ({
        stream: new ReadableStream({
          async start(controller) {
            controller.enqueue({ type: 'stream-start', warnings: [] });
            const text = answer({ summary: 'They spoke of rivers.' });
            const size = Math.ceil(text.length / seconds);
            for (let second = 0; second < seconds; second += 1) {
              await take(1000)();
              const delta = text.slice(second * size, (second + 1) * size);
              controller.enqueue({ type: 'text-delta', id: '0', delta });
            }
            const { finishReason, usage } = textResult('');
            controller.enqueue({ type: 'finish', finishReason, usage });
            controller.close();
          },
        }),
      }),
    });
  }

  it.each([
    ['fits', fitting],
    ['does not fit', tooSmall],
  ])('is not cut off after a minute, where the prompt %s', async (_, options) => {
    const made = setUp(options, { summarizer: streamsFor(65) });
    const run = send(made);
    await until(() => made.summarizer.doStreamCalls.length > 0);
    for (let second = 0; second < 66; second += 1) await elapse(1000);
    await isAnswered(run);
    await untilSummarized(made);
    expect(writers(made)).toEqual([false]);
    expect(lastSummary(made)).toContain('They spoke of rivers.');
    expect(made.summarizer.doStreamCalls).toHaveLength(1);
  });

  it('is waited for three minutes at most, where the prompt does not fit', async () => {
    const made = setUp(tooSmall, { summarizer: streamsFor(290) });
    const run = send(made);
    await until(() => made.summarizer.doStreamCalls.length > 0);
    for (let second = 0; second < 179; second += 1) await elapse(1000);
    expect(run.outcome).toBeUndefined();
    await elapse(1000);
    await isAnswered(run);
    expect(reasons(made, 'fallback')).toEqual(['timeout']);
  });
});
