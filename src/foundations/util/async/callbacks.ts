import { isObject } from '../is-object.ts';
/** Tells a listener; its fault is not the conversation's, whether it throws or rejects. */
export function runSafely(work: () => unknown): void {
  try {
    Promise.resolve(work()).catch(() => {});
  } catch {}
}

/**
 * Answer of a caller's function that has to be synchronous; `undefined` for a promise, as an async function returns
 * one: nobody waits for it, and its rejection would end the process.
 */
export function synchronousAnswer(answer: unknown): unknown {
  if (!isObject(answer) || typeof answer['then'] !== 'function') return answer;
  runSafely(() => answer);
  return undefined;
}
