import type { FittingPolicy } from '../../fitting/fit-call.ts';
import type { TriggerPolicy } from '../../planning/decide.ts';
import type { RangePolicy } from '../../planning/plan.ts';

/** The limits of a summary. */
export interface RecordPolicy
  extends
    Pick<RangePolicy, 'maxSummaryTokens'>,
    Pick<TriggerPolicy, 'maxSummaryChainDepth'>,
    Pick<FittingPolicy, 'contextLength'> {
  /** Whether the context length was given, is in the table or was learned from the provider. */
  readonly contextLengthKnown: boolean;
}
