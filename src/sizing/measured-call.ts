import type { Policy } from '../options/resolve-policy.ts';
import type { CallOptions, Message } from '../prompt/prompt-types.ts';
import type { TriggerDecision } from '../planning/decide.ts';

/** What a call is measured for. */
export interface MeasuredCall {
  /** The call, with its prompt as it would be sent. */
  readonly params: CallOptions;
  readonly systems: readonly Message[];
  readonly policy: Policy;
  /** Id of the record in the prompt. */
  readonly recordId: string | undefined;
  /** What would be decided at a size. */
  readonly decide: (tokens: number, fixedTokens: number) => TriggerDecision;
}

/** What is decided anywhere between two sizes, if that is to do nothing and for one reason. */
export function inactionBetween(
  { decide }: Pick<MeasuredCall, 'decide'>,
  least: number,
  most: number,
): TriggerDecision | undefined {
  const atMost = decide(most, 0);
  if (atMost.act !== 'none') return undefined;
  return decide(least, 0).reason === atMost.reason ? atMost : undefined;
}
