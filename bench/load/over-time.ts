import type { LanguageModelV4Message } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import { apiError, textResult } from '../../test/support/models.ts';
import { builtRoot } from '../built-package.ts';
import { legalityFault } from '../legality-fault.ts';
import { chat, message, step } from '../messages.ts';
import { modelThat } from '../model-that.ts';
import type { Figures } from './at-once.ts';
import { chatting, countedSummarizer } from './models.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';

const { memoryStore, summarizationMiddleware } = builtRoot;

const after = async (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

let turn = 0;

/** Ways in which a summarizer may be out. */
export const outages: Readonly<Record<string, () => Promise<void>>> = {
  '503': async () => Promise.reject(apiError('unavailable', 503)),
  '429 with retry-after': async () =>
    Promise.reject(apiError('unavailable', 429, { 'retry-after': '20' })),
  hang: async () => new Promise(() => {}),
  'slow failure': async () =>
    after(30_000).then(async () => Promise.reject(apiError('unavailable', 500))),
  flaky: async () =>
    (turn += 1) % 3 === 0 ? undefined : Promise.reject(apiError('unavailable', 503)),
};

/** Ten minutes without a summarizer, five after: ten calls a second of 50 conversations at their trigger. */
export async function outage(behave: () => Promise<void>): Promise<Figures> {
  const clock = virtualClock();
  try {
    let isOut = true;
    const summarizer = countedSummarizer(async () => (isOut ? behave() : undefined));
    const model = wrapLanguageModel({
      model: modelThat(chatting, async () => textResult('Yes.')),
      middleware: summarizationMiddleware({
        contextLength: 1000,
        store: memoryStore(),
        summarizerModelPreference: summarizer.model,
      }),
    });
    let longest = 0;
    let failures = 0;
    const call = async (number: number): Promise<void> => {
      const startedAt = clock.now();
      // Each conversation grows by two messages whenever its turn comes.
      const prompt = chat(number % 50, 15 + 2 * Math.floor(number / 50 / 6), 40);
      try {
        await model.doGenerate({ prompt });
      } catch {
        failures += 1;
      }
      longest = Math.max(longest, clock.now() - startedAt);
    };
    const pending: Promise<void>[] = [];
    const traffic = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second += 1) {
        for (let made = 0; made < 10; made += 1) pending.push(call(pending.length));
        await clock.advance(1000);
      }
    };
    await traffic(10 * 60);
    const during = summarizer.calls();
    isOut = false;
    await traffic(5 * 60);
    await clock.advance(300_000);
    await Promise.all(pending);
    return {
      calls: pending.length,
      failures,
      'asked in the outage': during,
      'asked after': summarizer.calls() - during,
      'longest, ms': Math.round(longest),
    };
  } finally {
    clock.restore();
  }
}

/** An agent of 2,000 steps of some 1,250 tokens in a context of 32,000. */
export async function longAgent(): Promise<Figures> {
  const summarizer = countedSummarizer();
  let largest = 0;
  let illegal = 0;
  const contextLength = 32_000;
  const model = wrapLanguageModel({
    model: modelThat(chatting, async ({ prompt }) => {
      if (legalityFault(prompt) !== undefined) illegal += 1;
      largest = Math.max(largest, JSON.stringify(prompt).length);
      return textResult('Yes.');
    }),
    middleware: summarizationMiddleware({
      contextLength,
      summarizerModelPreference: summarizer.model,
    }),
  });
  const steps = 2000;
  const prompt: LanguageModelV4Message[] = [message('user', 0, 50)];
  for (let number = 0; number < steps; number += 1) {
    prompt.push(...step(number, 1250));
    await model.doGenerate({ prompt: [...prompt] });
  }
  return {
    steps,
    'characters of output': JSON.stringify(prompt).length,
    summaries: summarizer.calls(),
    'largest prompt, characters': largest,
    'illegal prompts': illegal,
  };
}

/** An hour of ten calls a second of ever new conversations, one in ten of which is aborted. */
export async function constantTraffic(): Promise<Figures> {
  const clock = virtualClock();
  try {
    const summarizer = countedSummarizer();
    const model = wrapLanguageModel({
      model: modelThat(chatting, async () => textResult('Yes.')),
      middleware: summarizationMiddleware({
        contextLength: 1000,
        store: memoryStore({ maxBytes: 2_000_000 }),
        summarizerModelPreference: summarizer.model,
      }),
    });
    // Until what is kept has reached its caps.
    for (let name = 0; name < 9000; name += 1)
      await model.doGenerate({ prompt: chat(1_000_000 + name, 19, 40) });
    const heaps: number[] = [];
    let calls = 0;
    let failures = 0;
    for (let minute = 0; minute <= 60; minute += 1) {
      for (let second = 0; second < 60; second += 1) {
        const made = Array.from({ length: 10 }, async () => {
          calls += 1;
          const controller = new AbortController();
          const call = model.doGenerate({
            prompt: chat(calls % 7 === 0 ? calls : calls % 50, calls % 7 === 0 ? 19 : 7, 40),
            abortSignal: controller.signal,
          });
          const isAborted = calls % 10 === 0;
          if (isAborted) queueMicrotask(() => controller.abort(new Error('gone')));
          try {
            await call;
          } catch {
            if (!isAborted) failures += 1;
          }
        });
        await clock.advance(1000);
        await Promise.all(made);
      }
      if (minute % 15 === 0) {
        globalThis.gc?.();
        heaps.push(Math.round(process.memoryUsage().heapUsed / 1e4) / 100);
      }
    }
    return {
      calls,
      failures,
      summaries: summarizer.calls(),
      'heap after 0, 15, 30, 45, 60 minutes, MB': heaps.join(' '),
      'timers left': clock.timers(),
    };
  } finally {
    clock.restore();
  }
}
