import type { JSONValue } from 'ai';
import { cleanDetails } from '../../cleaning/clean-details.ts';
import { harmlessly } from '../../util/async/harmlessly.ts';
import type { RedactionDoor } from '../../cleaning/redaction-door.ts';
import type { StrategyRequest } from './strategy-input.ts';

/** Characters of details for each token of a summary's budget. */
const charactersPerToken = 2;

/**
 * What the application wants a record to carry. Where it fails to say, what the record before carried stays; without the option
 * that is carried on.
 */
export function detailsOf(
  {
    writers,
    previous,
    messages,
    policy,
    emit,
  }: Pick<StrategyRequest, 'writers' | 'previous' | 'messages' | 'policy' | 'emit'>,
  clean: RedactionDoor,
): JSONValue | undefined {
  const most = policy.maxSummaryTokens * charactersPerToken;
  const earlier =
    previous?.details === undefined ? undefined : cleanDetails(previous.details, clean, most);
  const { details } = writers.options;
  if (details === undefined) return earlier;
  const failed = (reason: string, error: unknown): JSONValue | undefined => {
    emit({ type: 'failed', stage: 'details', reason, error });
    return earlier;
  };
  try {
    const given: unknown = details(messages, earlier);
    if (given === undefined) return undefined;
    const isPromise = given instanceof Promise;
    const cleaned = isPromise ? undefined : cleanDetails(given, clean, most);
    if (cleaned !== undefined) return cleaned;
    // A rejection that nobody waits for would end the process.
    if (isPromise) harmlessly(() => given);
    const allowed = `JSON of at most ${Math.min(most, 8000)} characters and 32 levels, at once`;
    return failed(
      'details did not return what it may',
      new TypeError(`details returns ${allowed}.`),
    );
  } catch (error) {
    return failed('details threw', error);
  }
}
