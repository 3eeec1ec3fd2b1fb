import { runAtOnce, type Steps } from '../util/async/run-steps.ts';
import { writeJson } from './write-json.ts';

/**
 * Serialises a JSON value with sorted keys, so that key order does not change an identity.
 *
 * @throws TypeError for a value that holds itself.
 * @throws RangeError for one of more than 64 million characters, or 100,000 levels.
 */
export function canonicalJson(value: unknown): string {
  return runAtOnce(canonicalSteps(value));
}

/** The same in steps between which others may work. */
export function canonicalSteps(value: unknown): Steps<string> {
  return writeJson(value, { isStrict: true, isSorted: true });
}
