import { SummarizationError, withDetails } from '../../errors/summarization-error.ts';
import {
  redactionDoor,
  withheldText,
  type Redact,
  type RedactionDoor,
} from '../../cleaning/redaction-door.ts';

/**
 * Whatever a strategy threw, as the error the package speaks of. Where texts are redacted, so is what
 * it says: strategies may quote what they were given.
 */
export function asSummarizationError(
  error: unknown,
  strategy: string,
  redact: Redact | undefined,
): SummarizationError {
  const known = SummarizationError.isInstance(error)
    ? error
    : new SummarizationError({
        reason: 'strategy',
        message: `The strategy ${strategy} threw.`,
        retryable: true,
        cause: error,
      });
  if (redact === undefined || known.reason === 'redact') return known;
  const clean = redactionDoor(redact);
  const message = clean(known.message);
  return withDetails(known, {
    message: message === withheldText ? `The strategy ${strategy} failed.` : message,
    cause: cleanCause(known.cause, clean),
  });
}

/** Name and message of what was thrown; its stack and its other fields may quote the texts as well. */
function cleanCause(cause: unknown, clean: RedactionDoor): unknown {
  if (typeof cause === 'string') return clean(cause);
  if (!(cause instanceof Error)) return undefined;
  const textOf = (field: unknown): string => (typeof field === 'string' ? clean(field) : '');
  const error = new Error(textOf(cause.message));
  error.name = textOf(cause.name);
  return error;
}
