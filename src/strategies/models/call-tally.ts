import type { TextDoor } from '../../cleaning/text-door.ts';
import type { CallUsage } from './call-model.ts';
import type { CallFailure } from './classify-failure.ts';
import type { SummaryAttempt } from '../summary-strategy.ts';

/** What all calls made for one summary add up to. */
export interface CallTally {
  /** Adds one call to `provider:model`. */
  readonly record: (
    model: string,
    result: { readonly usage: CallUsage } & ({ readonly outcome: 'ok' } | CallFailure),
  ) => void;
  /** Calls that failed. */
  readonly failures: () => number;
  /** Tokens billed, by failed calls too. */
  readonly usage: () => CallUsage;
}

/** Characters of an unusable answer that are told. */
const excerptCharacters = 200;

/**
 * Starts at nothing; passes every call on to `onAttempt`.
 *
 * @param clean - The door for what is told of an answer.
 */
export function callTally(
  onAttempt: ((attempt: SummaryAttempt) => void) | undefined,
  clean: TextDoor,
): CallTally {
  let usage: CallUsage = { inputTokens: 0, outputTokens: 0 };
  let failures = 0;
  return {
    record: (model, result) => {
      usage = {
        inputTokens: usage.inputTokens + result.usage.inputTokens,
        outputTokens: usage.outputTokens + result.usage.outputTokens,
      };
      if (result.outcome !== 'ok') failures += 1;
      onAttempt?.({
        model,
        outcome: result.outcome,
        // A custom provider may name its errors by what it was sent.
        ...(result.outcome === 'ok' ? {} : { detail: clean(result.detail) }),
        ...(result.outcome === 'invalid-output' && result.answer !== undefined
          ? { excerpt: excerptOf(clean(result.answer)) }
          : {}),
        ...(result.outcome === 'transport-error' && result.overflow !== undefined
          ? { isTooLong: true }
          : {}),
      });
    },
    failures: () => failures,
    usage: () => usage,
  };
}

/** On one line: logs are read line by line. Cut last: half a secret would not be recognised. */
function excerptOf(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, excerptCharacters).toWellFormed();
}
