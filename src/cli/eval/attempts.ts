import { memberOf } from '../../strategies/models/classify-failure.ts';
import { CommandError } from '../command/command-error.ts';
import { messageOf } from '../../util/errors.ts';
import { BudgetError, type Budget } from './budget.ts';

/** Work that was done, or why it was not. */
export type Attempted<Value> =
  | { readonly value: Value; readonly undone?: undefined }
  | { readonly undone: string };

/**
 * Does work, unless there is a reason to stop.
 *
 * @param isProof - Whether its success shows that the provider answers.
 */
export type Attempt = <Value>(
  work: () => Promise<Value>,
  isProof: boolean,
) => Promise<Attempted<Value>>;

/** Failures one after another at which the rest is given up: a network or a provider is down. */
const maxFailures = 10;
const spent = { undone: 'the budget of --max-cost does not allow for another call' };

/** How a provider refuses a key, an account or a model: every call would fail. */
const hopeless: ReadonlySet<unknown> = new Set([401, 402, 403, 404]);

/**
 * Makes what all work of an evaluation goes through.
 *
 * @returns what throws a {@link CommandError} where a provider takes neither key nor model, and nothing else.
 */
export function attemptsWithin(budget: Budget): Attempt {
  let failures = 0;
  let last = '';
  return async (work, isProof) => {
    if (budget.isSpent()) return spent;
    if (failures >= maxFailures)
      return { undone: `given up after ${maxFailures} failures in a row: ${last}` };
    try {
      const value = await work();
      if (isProof) failures = 0;
      return { value };
    } catch (error) {
      if (error instanceof CommandError) throw error;
      if (error instanceof BudgetError || budget.isSpent()) return spent;
      last = messageOf(error);
      const status = memberOf(error, 'statusCode');
      if (hopeless.has(status))
        throw new CommandError(
          `The provider refuses the key or the model (${String(status)}): ${last}`,
        );
      failures += 1;
      return { undone: last };
    }
  };
}
