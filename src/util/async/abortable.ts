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
