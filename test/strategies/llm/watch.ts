import { vi } from 'vitest';
import { SummarizationError } from '../../../src/index.ts';

/** Starts a run and records how it ended, so that no rejection goes unhandled. */
export function watch(promise: Promise<unknown>): {
  error?: unknown;
  value?: unknown;
  isSettled: boolean;
} {
  const state: { error?: unknown; value?: unknown; isSettled: boolean } = { isSettled: false };
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

// Taken before anything is faked.
const { setImmediate: realImmediate } = globalThis;

/**
 * Work in slices sets its timers one after the other, between what no fake timer moves. It goes by
 * steps, as a summary that another file has left hanging sets its next timer for ever.
 */
async function untilSettled(state: ReturnType<typeof watch>): Promise<void> {
  while (!state.isSettled) {
    await vi.advanceTimersByTimeAsync(250);
    await new Promise((resolve) => realImmediate(resolve));
  }
}
