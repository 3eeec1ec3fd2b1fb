import { abortable } from './abortable.ts';

/** Resolves after a time; rejects with the signal's reason as soon as that aborts. */
export async function delay(ms: number, abortSignal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const time = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await abortable(time, abortSignal);
  } finally {
    clearTimeout(timer);
  }
}
