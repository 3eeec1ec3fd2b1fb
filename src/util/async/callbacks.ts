import { isObject } from '../is-object.ts';
/** Tells a listener; its fault is not the conversation's, whether it throws or rejects. */
export function harmlessly(work: () => unknown): void {
  try {
    Promise.resolve(work()).catch(() => {});
  } catch {}
}

/**
 * What a caller's function has answered that is to answer at once; `undefined` for a promise, as an async function
 * gives one: nobody waits for it, and its rejection would end the process.
 */
export function answeredAtOnce(answer: unknown): unknown {
  if (!isObject(answer) || typeof answer['then'] !== 'function') return answer;
  harmlessly(() => answer);
  return undefined;
}
