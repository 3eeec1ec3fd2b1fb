import type { ContextOverflow } from '../../overflow/context-overflow.ts';
import type { CallFailure } from './classify-failure.ts';

/** Calls that may fail before a summary is given up, over all models and requests. */
const maxFailedCalls = 3;

/** Wait before a retry where the provider names none; doubled with each failure. */
const backOffMs = 250;

/** How the calls of one summary stand, as one request sees it. */
export interface TurnStanding {
  /** Whether it is still the turn of the model that the request was written for. */
  readonly isItsTurn: boolean;
  /** Whether there is a model behind it. */
  readonly hasNext: boolean;
  /** Milliseconds in which a call may still be made once more. */
  readonly msLeft: number;
  /** Calls that failed, of all requests. */
  readonly failures: number;
  /** Requests that hold a place: those that are under way, and those that wait to retry. */
  readonly running: number;
  /** Whether the last call to end was answered; one that was too long does not count. */
  readonly isWorking: boolean;
}

/** Whether no more calls may be made. */
export function isSpent({ failures }: Pick<TurnStanding, 'failures'>): boolean {
  return failures >= maxFailedCalls;
}

/** Whether a request may still ask the model that it was written for. */
export function mayAsk(standing: TurnStanding): boolean {
  return standing.isItsTurn && !isSpent(standing);
}

/**
 * Whether a request has to wait. Until a call has succeeded, and after one has failed, no more calls run
 * at once than may still fail; while there is another model, they are not all spent on the first.
 */
export function mustWait({ hasNext, failures, running, isWorking }: TurnStanding): boolean {
  if (isWorking && failures === 0) return false;
  return running >= (isWorking || !hasNext ? maxFailedCalls - failures : 1);
}

/** What a request does when its call has ended. */
export type NextMove =
  | { readonly to: 'answer' | 'give-up' | 'next-model' }
  | { readonly to: 'shorten'; readonly refused: ContextOverflow }
  | { readonly to: 'retry'; readonly afterMs: number };

/**
 * Decides what a request does when its call has ended:
 *
 * | what came back                      | while it may ask the model | else       |
 * | ----------------------------------- | -------------------------- | ---------- |
 * | an answer                           | answer                     | answer     |
 * | something unusable                  | give up                    | give up    |
 * | a refusal as too long               | shorten                    | next model |
 * | a failure that may pass, first time | retry after a while        | next model |
 * | one that passes too late            | next model                 | next model |
 * | any other failure                   | next model                 | next model |
 *
 * @param attempt - Calls that the model has been sent of the request, this one included.
 * @param standing - After the call; its failure is counted.
 */
export function nextMove(
  came: { readonly outcome: 'ok' } | CallFailure,
  attempt: number,
  standing: TurnStanding,
): NextMove {
  if (came.outcome === 'ok') return { to: 'answer' };
  // Asking again would be billed again.
  if (came.outcome === 'invalid-output') return { to: 'give-up' };
  if (!mayAsk(standing)) return { to: 'next-model' };
  if (came.overflow !== undefined) return { to: 'shorten', refused: came.overflow };
  if (attempt > 1 || came.retry !== 'soon') return { to: 'next-model' };
  const afterMs = came.retryAfterMs ?? backOffMs * 2 ** (standing.failures - 1);
  return afterMs > standing.msLeft ? { to: 'next-model' } : { to: 'retry', afterMs };
}
