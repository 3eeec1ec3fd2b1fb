import { runAtOnce, type Steps } from '../util/async/run-steps.ts';
import { writeJson } from './write-json.ts';

// Enough to overflow any model; a graph of shared references could grow for ever.
const maxFallbackCharacters = 8_000_000;

/**
 * Gives the JSON text that a provider would send. Where `JSON.stringify` gives up (nesting deeper
 * than the stack, cycles, `bigint`), writes the same text without recursion, a cycle as `null`, and
 * stops after 8 million characters. `undefined` is the empty text.
 */
export function stringifyJson(value: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text ?? '';
  } catch {
    const maxCharacters = maxFallbackCharacters;
    return runAtOnce(writeJson(value, { isStrict: false, maxCharacters }));
  }
}

/** The same text of a large value in steps, which take ten times as long; up to 64 million characters. */
export function stringifySteps(value: unknown): Steps<string> {
  return writeJson(value, { isStrict: false });
}
