/**
 * Runs work under a time limit and an abort signal. Settles as soon as either ends it, even if the work
 * ignores the signal it is given, and leaves no timer and no listener behind.
 *
 * @param timeoutMs - The work is rejected with a `TimeoutError` after this time.
 * @throws The reason of `abortSignal` as it is, when that signal aborts.
 */
export async function withDeadline<Result>(
  abortSignal: AbortSignal | undefined,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  abortSignal?.throwIfAborted();
  const controller = new AbortController();
  const onAbort = (): void => {
    controller.abort(abortSignal?.reason);
  };
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`No answer within ${timeoutMs} ms.`, 'TimeoutError'));
  }, timeoutMs);
  abortSignal?.addEventListener('abort', onAbort, { once: true });
  // Listens before the work does: the work's own rejection, caused by the abort, must lose the race.
  const ended = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => {
      reject(controller.signal.reason);
    });
  });
  try {
    return await Promise.race([ended, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    abortSignal?.removeEventListener('abort', onAbort);
  }
}
