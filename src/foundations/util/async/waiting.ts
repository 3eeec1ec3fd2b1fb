/** Milliseconds of a clock that does not go back; of the day's, where a runtime has no `performance`. */
export function clockMs(): number {
  const { performance: clock }: { readonly performance?: Performance } = globalThis;
  return clock === undefined ? Date.now() : clock.now();
}

/**
 * Settles like `promise`, or rejects with the signal's reason as soon as it aborts: what rejects because
 * of the abort never wins. Leaves no listener.
 */
export async function abortable<Result>(
  promise: Promise<Result>,
  abortSignal?: AbortSignal,
): Promise<Result> {
  if (abortSignal === undefined) return promise;
  // Nobody may be left to hear of its rejection.
  promise.catch(() => {});
  abortSignal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(abortSignal.reason);
  abortSignal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } catch (error) {
    abortSignal.throwIfAborted();
    throw error;
  } finally {
    abortSignal.removeEventListener('abort', onAbort);
  }
}

/** Milliseconds of the longest timer there is, some 25 days: a longer one would ring at once. */
export const longestTimerMs: number = 2 ** 31 - 1;

/**
 * Rings after a time, at once when none is left, never after more than 25 days. Where the event loop stood
 * still beyond it, what has come meanwhile goes first.
 *
 * @returns what silences it.
 */
export function runAfter(ms: number, ring: () => void): () => void {
  if (ms > longestTimerMs) return () => {};
  if (ms <= 0) {
    ring();
    return () => {};
  }
  // The last millisecond begins a turn of the event loop in which what has come is read.
  const beforeMs = Math.max(0, ms - 1);
  let timer = setTimeout(() => {
    timer = setTimeout(ring, 1);
  }, beforeMs);
  return () => clearTimeout(timer);
}

/** Resolves after a time; rejects with the signal's reason as soon as that aborts. */
export async function delay(ms: number, abortSignal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    await abortable(promise, abortSignal);
  } finally {
    clearTimeout(timer);
  }
}

/** A time limit and abort signals for some work, as one signal. */
export interface Deadline {
  /** Aborts with the reason of a given signal as it is, else with a `TimeoutError`. */
  readonly signal: AbortSignal;
  /** Has the time begin anew. */
  readonly extend: () => void;
  /** Takes back its timer and its listeners. */
  readonly end: () => void;
}

/**
 * Begins a time limit, which also abort signals end. Where the event loop stood still beyond the limit, an answer that
 * has come meanwhile is in time.
 *
 * @param given - One signal or several. `AbortSignal.any` is not there in all edge runtimes.
 * @throws The reason of a signal that has aborted.
 */
export function beginDeadline(
  given: AbortSignal | undefined | readonly (AbortSignal | undefined)[],
  timeoutMs: number,
): Deadline {
  const signals = [given].flat().filter((signal) => signal !== undefined);
  for (const signal of signals) signal.throwIfAborted();
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
  let extendedAt = clockMs();
  let silence: (() => void) | undefined;
  // Frequent extensions cost no timer each.
  const arm = (ms: number): void => {
    const begun = extendedAt;
    silence = runAfter(ms, () => {
      if (extendedAt > begun) arm(extendedAt + timeoutMs - clockMs());
      else controller.abort(new DOMException(`No answer within ${timeoutMs} ms.`, 'TimeoutError'));
    });
  };
  arm(timeoutMs);
  return {
    signal: controller.signal,
    extend: () => void (extendedAt = clockMs()),
    end: () => {
      silence?.();
      for (const signal of signals) signal.removeEventListener('abort', onAbort);
    },
  };
}

/**
 * Runs work under a {@link Deadline}. Settles as soon as that ends it, even if the work ignores its signal, and
 * leaves no timer and no listener.
 */
export async function withDeadline<Result>(
  given: Parameters<typeof beginDeadline>[0],
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { signal, end } = beginDeadline(given, timeoutMs);
  try {
    return await abortable(work(signal), signal);
  } finally {
    end();
  }
}

/**
 * Runs work under a key after all work that was given before it under that key has ended, or has taken so long that it
 * may have ended with the request that gave it, without a word.
 */
export type KeyedQueue = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Makes the queues of a set of keys. Work that fails does not hold up what comes after it. */
export function keyedQueue(longestMs: number): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key);
    const waited =
      before === undefined
        ? Promise.resolve()
        : withDeadline(undefined, longestMs, () => before).catch(() => {});
    const turn = waited.then(work);
    last.set(key, turn);
    const leave = (): void => {
      if (last.get(key) === turn) last.delete(key);
    };
    turn.then(leave, leave);
    return turn;
  };
}

/**
 * Has at most so many pieces of work under way, the others in their order. Work that takes longer than `longestMs` makes
 * room for the next; work that would have to wait for longer is never begun, as nobody waits for it any more.
 */
export function limitConcurrency(
  most: number,
  longestMs: number,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0;
  const waiting = new Set<() => void>();
  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) running -= 1;
    else next();
  };
  return async (work) => {
    if (running < most) running += 1;
    else {
      const { promise, resolve } = Promise.withResolvers<void>();
      const begin = (): void => {
        waiting.delete(begin);
        resolve();
      };
      waiting.add(begin);
      try {
        await withDeadline(undefined, longestMs, () => promise);
      } catch (error) {
        // Its turn may have come in the same moment.
        if (!waiting.delete(begin)) leave();
        throw error;
      }
    }
    const answer = work();
    withDeadline(undefined, longestMs, () => answer).then(leave, leave);
    return answer;
  };
}

/** Makes something when it is first asked for. A failure is not cached, so that the next caller tries again. */
export function makeOnce<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    if (made !== undefined) return made;
    made = make();
    made.catch(() => (made = undefined));
    return made;
  };
}

/** Milliseconds of a slice; the piece of work that ends it adds at most 5. */
const sliceMs = 8;

/** When the last slice began. */
let startedAt = 0;

/** Work that waits for a slice, in its order: work that is under way, and work that has not begun. */
const waiting: Readonly<Record<'begun' | 'new', Set<() => void>>> = {
  begun: new Set(),
  new: new Set(),
};

/** New work gets one of so many slices while begun work waits too. */
const slicesOfNew = 4;

/**
 * Leaves the event loop to others, where the work that runs has not done so for the time of a slice. Each turn of the
 * event loop continues one piece of the work that waits, so that any number of calls at once takes turns.
 */
export async function yieldToEventLoop(): Promise<void> {
  if (isSliceOver()) await slice('begun');
}

/** Whether the work that runs has done so for the time of a slice: loops over many messages ask before they wait. */
export function isSliceOver(): boolean {
  return clockMs() - startedAt >= sliceMs;
}

/**
 * Waits until new work may begin, after the work that came before it. Most slices are for work that has begun: of many
 * calls at once, few are under way and need memory.
 */
export async function beginInTurn(): Promise<void> {
  if (waiting.new.size > 0 || isSliceOver()) await slice('new');
}

async function slice(kind: keyof typeof waiting): Promise<void> {
  // A promise of an edge runtime may belong to a request, and never settles after its end: no other one waits for it.
  if (!sharedLoop.test(globalThis.navigator?.userAgent)) {
    await nextTurn();
    startedAt = clockMs();
    return;
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting[kind].add(resolve);
  if (waiting.begun.size + waiting.new.size === 1) void giveSlices();
  await promise;
}

/** Runtimes in which all requests share the event loop. */
const sharedLoop = /^(?:Node\.js|Bun|Deno)\//;

/** Continues one piece of waiting work in each turn of the event loop, until none waits. */
async function giveSlices(): Promise<void> {
  for (let count = 1; waiting.begun.size + waiting.new.size > 0; count += 1) {
    await nextTurn();
    startedAt = clockMs();
    const isForNew =
      waiting.begun.size === 0 || (count % slicesOfNew === 0 && waiting.new.size > 0);
    const queue = isForNew ? waiting.new : waiting.begun;
    const [next] = queue;
    next?.();
    // The work itself runs after this.
    if (next !== undefined) queue.delete(next);
  }
}

/** Node's own, at a hundredth of the cost of a message, as it is before a test replaces it. */
const { setImmediate: immediate }: { readonly setImmediate?: (turn: () => void) => unknown } =
  globalThis;

/** Lets the event loop go round. Not by a timer first: it rests for good where a test has replaced timers by its own. */
function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  try {
    if (immediate !== undefined) {
      immediate(resolve);
      return promise;
    }
    const { port1, port2 } = new MessageChannel();
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it starts the port too
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  } catch {
    // The edge runtime of Next.js has none that works.
    setTimeout(resolve, 0);
  }
  return promise;
}
