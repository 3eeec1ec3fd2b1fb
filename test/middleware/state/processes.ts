import { generateText, type ModelMessage } from 'ai';
import { vi } from 'vitest';
import type { SummarizationOptions, SummaryStore } from '../../../src/index.ts';
import { lastPrompt } from '../../support/prompts.ts';
import { answer, summarizerModel } from '../../support/models.ts';
import { setUp, type SetUp } from '../../support/set-up.ts';
import { turns } from '../../support/until.ts';

export const secret = 'a secret of the operator';

/** Milliseconds that no clock of a test comes to: no call goes on without its summary. */
const noTime = 1_000_000_000;

/** A process with the summaries that it and others pay, each with words of its own. */
export interface Process extends SetUp {
  /** Sends a conversation, on fresh objects; returns the prompt that reached the model. */
  readonly send: (
    messages: readonly ModelMessage[],
    own?: Readonly<Record<string, string | boolean>>,
  ) => Promise<string>;
}

/** Starts processes that count what they pay together. */
export function processes(): {
  readonly start: (store: SummaryStore, options?: SummarizationOptions) => Process;
  readonly paid: () => number;
} {
  let paid = 0;
  const start = (store: SummaryStore, options: SummarizationOptions = {}): Process => {
    const summarizer = summarizerModel(() => answer({ summary: `Summary ${(paid += 1)}.` }));
    const made = setUp({ store, secret, maxWaitMs: noTime, ...options }, { summarizer });
    const send: Process['send'] = async (messages, own) => {
      const call = generateText({
        model: made.model,
        messages: structuredClone([...messages]),
        ...(own === undefined ? {} : { providerOptions: { summarization: own } }),
      });
      await settled(call);
      return JSON.stringify(lastPrompt(made.inner));
    };
    return { ...made, send };
  };
  return { start, paid: () => paid };
}

/** Fakes the clock; what waits for it waits until the test lets it go on. */
export function fakeClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
}

/**
 * Lets time pass while work waits for nothing else. Only a store that is slow or silent needs it: where time
 * passes too early, work gives up what it would have waited for.
 */
export async function settled<Result>(work: Promise<Result>): Promise<Result> {
  let isSettled = false;
  const ended = work.finally(() => (isSettled = true));
  ended.catch(() => {});
  for (let made = 0; !isSettled; made += 1) {
    await turns(1);
    if (made >= patientTurns) vi.advanceTimersByTime(100);
  }
  return ended;
}

/** Turns in which work that waits for nothing is done. */
const patientTurns = 2000;

/** Lets the time of a refresh come, and what a call began beside it end. */
export async function refreshTime(): Promise<void> {
  vi.advanceTimersByTime(5001);
  await turns(100);
}
