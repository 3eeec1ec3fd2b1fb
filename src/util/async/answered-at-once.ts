import { isObject } from '../is-object.ts';
import { harmlessly } from './harmlessly.ts';

/**
 * What a caller's function has answered that is to answer at once; `undefined` for a promise, as an async function
 * gives one: nobody waits for it, and its rejection would end the process.
 */
export function answeredAtOnce(answer: unknown): unknown {
  if (!isObject(answer) || typeof answer['then'] !== 'function') return answer;
  harmlessly(() => answer);
  return undefined;
}
