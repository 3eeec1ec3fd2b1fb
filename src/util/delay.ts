/** Resolves after a time; rejects with the signal's reason as soon as that aborts. */
export async function delay(ms: number, abortSignal: AbortSignal | undefined): Promise<void> {
  abortSignal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(abortSignal?.reason);
    };
    const timer = setTimeout(() => {
      abortSignal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    abortSignal?.addEventListener('abort', onAbort, { once: true });
  });
}
