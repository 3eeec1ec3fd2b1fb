import { abortable } from './abortable.ts';

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
