import { abortable } from './abortable.ts';
import { alarm } from './alarm.ts';
import { clockMs } from '../clock-ms.ts';

/**
 * Runs work under a time limit and an abort signal. Settles as soon as either ends it, even if the work
 * ignores the signal it is given, and leaves no timer and no listener behind. Where the event loop stood
 * still beyond the limit, an answer that has come meanwhile is in time.
 *
 * @param timeoutMs - The work is rejected with a `TimeoutError` after this time.
 * @param work - May have the time begin anew.
 * @throws The reason of `abortSignal` as it is, when that signal aborts.
 */
export async function withDeadline<Result>(
  abortSignal: AbortSignal | undefined,
  timeoutMs: number,
  work: (signal: AbortSignal, extend: () => void) => Promise<Result>,
): Promise<Result> {
  abortSignal?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  let extendedAt = clockMs();
  let silence: (() => void) | undefined;
  // What extends it often costs no timer each time.
  const arm = (ms: number): void => {
    const begun = extendedAt;
    silence = alarm(ms, () => {
      if (extendedAt > begun) arm(extendedAt + timeoutMs - clockMs());
      else controller.abort(new DOMException(`No answer within ${timeoutMs} ms.`, 'TimeoutError'));
    });
  };
  arm(timeoutMs);
  const onAbort = (): void => controller.abort(abortSignal?.reason);
  abortSignal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await abortable(
      work(signal, () => (extendedAt = clockMs())),
      signal,
    );
  } finally {
    silence?.();
    abortSignal?.removeEventListener('abort', onAbort);
  }
}
