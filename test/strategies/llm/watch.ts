import { afterEach, beforeEach, vi } from 'vitest';
import {
  llmStrategy,
  SummarizationError,
  type SummaryInput,
  type SummaryOutput,
} from '../../../src/index.ts';
import { answer, summarizer, summaryInput } from './fixtures.ts';

/** Fakes the clock of each test of a file, once what loads on demand has loaded. */
export function withFakeTimers(): void {
  beforeEach(async () => {
    await llmStrategy().summarize(summaryInput(summarizer([answer({ summary: 'Short.' })])));
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** A run, and how it ended. */
export interface Watched {
  error?: unknown;
  value?: unknown;
  isSettled: boolean;
}

/** Starts a run and records how it ended, so that no rejection goes unhandled. */
export function watch(promise: Promise<unknown>): Watched {
  const state: Watched = { isSettled: false };
  const follow = async (): Promise<void> => {
    try {
      state.value = await promise;
    } catch (error) {
      state.error = error;
    }
    state.isSettled = true;
  };
  void follow();
  return state;
}

export async function errorOf(promise: Promise<unknown>): Promise<SummarizationError> {
  const state = watch(promise);
  await untilSettled(state);
  if (!SummarizationError.isInstance(state.error))
    throw new Error('expected a SummarizationError', { cause: state.error });
  return state.error;
}

/** Lets all fake timers run until the promise has settled. */
export async function withTimers<Result>(promise: Promise<Result>): Promise<Result> {
  await untilSettled(watch(promise));
  return promise;
}

type Given = readonly [
  model: SummaryInput['model'],
  input?: Partial<SummaryInput>,
  options?: Parameters<typeof llmStrategy>[0],
];

const run = async ([model, input, options]: Given): Promise<SummaryOutput> =>
  llmStrategy(options).summarize(summaryInput(model, input));

/** What the strategy writes of an input, whatever timers it sets. */
export async function written(...given: Given): Promise<SummaryOutput> {
  return withTimers(run(given));
}

/** What it fails with. */
export async function failure(...given: Given): Promise<SummarizationError> {
  return errorOf(run(given));
}

/** The strategy at work. */
export function started(...given: Given): Watched {
  return watch(run(given));
}

// Taken before anything is faked.
const { setImmediate: realImmediate } = globalThis;

/** A turn of the event loop, which no fake timer moves. */
export function turn(): Promise<void> {
  return new Promise((resolve) => realImmediate(() => resolve()));
}

/**
 * Work in slices sets its timers one after the other, between what no fake timer moves. It goes by
 * steps, as a summary that another file has left hanging sets its next timer for ever.
 */
async function untilSettled(state: Watched): Promise<void> {
  while (!state.isSettled) {
    await vi.advanceTimersByTimeAsync(250);
    await turn();
  }
}
