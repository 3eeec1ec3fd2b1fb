import type { ModelCallResult } from './call-model.ts';
import type { CallTally } from './call-tally.ts';
import type { BreakerPass } from './circuit-breaker.ts';

/**
 * Makes a call, counts it, and tells the breaker how it ended. A refusal of what is too long says nothing
 * about the model but how much it reads.
 *
 * @param name - `provider:model`.
 * @throws What the call throws: the reason of an abort.
 */
export async function runCall<Answer extends object>(
  call: () => Promise<ModelCallResult<Answer>>,
  { name, pass, tally }: { name: string; pass: BreakerPass; tally: CallTally },
): Promise<ModelCallResult<Answer>> {
  let result: ModelCallResult<Answer>;
  try {
    result = await call();
  } catch (error) {
    pass.cancel();
    throw error;
  }
  tally.record(name, result);
  if (result.outcome === 'ok') pass.succeed();
  else if (isTooLong(result)) pass.cancel();
  else pass.fail();
  return result;
}

/** Whether a call was refused because of its length. */
export function isTooLong(result: ModelCallResult<object>): boolean {
  return result.outcome === 'transport-error' && result.overflow !== undefined;
}
