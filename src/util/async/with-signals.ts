/**
 * Runs work under several signals at once: the one it is given aborts with the first of them, for its reason.
 * Leaves no listener. `AbortSignal.any` is not there in all edge runtimes.
 */
export async function withSignals<Result>(
  given: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const followed = given.filter((signal) => signal !== undefined);
  const leave: (() => void)[] = [];
  for (const signal of followed) {
    const onAbort = (): void => controller.abort(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    leave.push(() => signal.removeEventListener('abort', onAbort));
  }
  try {
    return await work(controller.signal);
  } finally {
    for (const each of leave) each();
  }
}
