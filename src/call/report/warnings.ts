import { secretHint } from '../../foundations/checks/option-rule.ts';
import type { Policy } from '../../planning/plan/plan.ts';
import type { TokenMeasure } from '../../planning/sizing/token-measure.ts';
import type { ModelIdentity } from '../../prompt/messages/prompt-types.ts';
import type { CallWarning } from './reporter.ts';

/** A call, as far as its setup may be at fault. */
interface SetUp {
  readonly model: ModelIdentity;
  readonly policy: Policy;
  readonly options: {
    readonly store?: { readonly isLocal?: boolean | undefined } | undefined;
    readonly secret?: unknown;
    readonly maxSummaryTokens?: number | undefined;
  };
}

/** Lists the faults in the setup of a call. */
export function setUpWarnings(
  { model, options, policy }: SetUp,
  measure: Pick<TokenMeasure, 'counter'> | undefined,
): readonly CallWarning[] {
  const name = `${model.provider}:${model.modelId}`;
  const { store, secret, maxSummaryTokens = 0 } = options;
  const warnings: (CallWarning | false)[] = [
    !policy.contextLengthKnown && {
      code: 'unknown-context-length',
      message: `The context length of ${name} is not known, so ${policy.contextLength} tokens are assumed. Set contextLength.`,
    },
    maxSummaryTokens > policy.maxSummaryTokens && {
      code: 'summary-tokens-capped',
      message: `maxSummaryTokens is ${maxSummaryTokens}, and ${name} accepts ${policy.contextLength} tokens: summaries have at most ${policy.maxSummaryTokens}, a quarter. Set a smaller maxSummaryTokens, or a larger contextLength.`,
    },
    store !== undefined &&
      secret === undefined &&
      store.isLocal !== true && {
        code: 'store-without-secret',
        cause: 'store',
        message: `The option store is set without secret: other processes, and this one after a restart, cannot find the stored summaries. Set secret: ${secretHint}`,
      },
    measure?.counter.isExact === false && {
      code: 'tokenizer-missing',
      cause: 'tokenizer',
      message:
        'The tokenizer could not be loaded. Tokens are estimated until the provider reports usage.',
    },
  ];
  return warnings.filter((warning) => warning !== false);
}
