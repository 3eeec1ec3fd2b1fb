import { generateText, type ModelMessage } from 'ai';
import type { MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { SummarizationOptions } from '../../src/index.ts';
import { summarizerModel } from '../support/models.ts';
import { chat } from './messages.ts';
import { answer } from './models.ts';
import { lastPrompt, summaryOf } from './prompts.ts';
import { setUp, type SetUp } from './set-up.ts';
import { until } from './until.ts';
import { elapse, stopTime } from './virtual-time.ts';

/** Seventeen messages of some 890 tokens. */
export const history: readonly ModelMessage[] = chat(17);
/** Contexts of which they take more than the trigger, and more than there is. */
export const fitting = { contextLength: 950 };
export const tooSmall = { contextLength: 850 };

/** A summarizing model that does for each call what is next on the list, the last from then on. */
export function summarizerThat(...replies: readonly (() => Promise<void>)[]): MockLanguageModelV4 {
  return summarizerModel(
    ...replies.map((reply) => async () => {
      await reply();
      return answer({ summary: 'They spoke of rivers.' });
    }),
  );
}

/** A wrapped model whose summarizer does so. */
export function slow(
  options: SummarizationOptions,
  ...replies: readonly (() => Promise<void>)[]
): SetUp {
  return setUp(options, { summarizer: summarizerThat(...replies) });
}

export const hang = (): Promise<void> => new Promise(() => {});

export const take = (ms: number) => (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Stops the clock for each test of a file. */
export function withStillClock(): void {
  beforeEach(stopTime);
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** A call under way, and what became of it. */
export interface Run {
  outcome?: 'answered' | 'failed' | undefined;
}

interface SendOptions {
  readonly abortSignal?: AbortSignal;
  readonly messages?: readonly ModelMessage[];
}

/** Sends a call. */
export function send({ model }: SetUp, options: SendOptions = {}): Run {
  const { abortSignal, messages = history } = options;
  const run: Run = {};
  const follow = async (): Promise<void> => {
    try {
      await generateText({ model, messages: [...messages], ...(abortSignal && { abortSignal }) });
      run.outcome = 'answered';
    } catch {
      run.outcome = 'failed';
    }
  };
  void follow();
  return run;
}

/** Waits for the answer of a call under way. */
export async function isAnswered(run: Run): Promise<void> {
  await until(() => run.outcome !== undefined);
  expect(run.outcome).toBe('answered');
}

/** Expects that a call waits so many milliseconds for its answer, by a clock that stands still. */
export async function waitsFor(run: Run, ms: number): Promise<void> {
  await elapse(ms - 1);
  expect(run.outcome).toBeUndefined();
  await elapse(1);
  await isAnswered(run);
}

/** Sends a call and waits for its answer. */
export async function answered(
  made: SetUp,
  messages: readonly ModelMessage[] = history,
): Promise<void> {
  await isAnswered(send(made, { messages }));
}

/** Sends calls until one finds the summary: it may still be on its way into the store. */
export async function untilSummarized(made: SetUp): Promise<void> {
  do await answered(made);
  while (lastSummary(made) === undefined);
}

/** Starts a call and lets it come to where it waits for the summarizing model. */
export async function sendUntilAsked(made: SetUp, calls = 1, options?: SendOptions): Promise<Run> {
  const run = send(made, options);
  await until(() => made.summarizer.doGenerateCalls.length >= calls);
  return run;
}

/** The reasons of the events of a type. */
export function reasons({ events }: SetUp, type: string): readonly string[] {
  return events.flatMap((event) =>
    event.type === type && 'reason' in event ? [event.reason] : [],
  );
}

/** The summary in the prompt that was sent last. */
export function lastSummary({ inner }: SetUp): string | undefined {
  return summaryOf(lastPrompt(inner));
}
