import { secretHint } from '../../foundations/checks/option-rule.ts';
import type { Policy } from '../../planning/plan/plan.ts';
import type { TokenMeasure } from '../../planning/sizing/token-measure.ts';
import type { ModelIdentity } from '../../prompt/messages/prompt-types.ts';
import type { SummaryAttempt } from '../../summaries/strategies/summary-strategy.ts';
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

/**
 * Writes the warning of a summarizing model without a usable answer, as nobody may be listening to events: by name and
 * kind of error, without any text.
 */
export function attemptWarning({
  model,
  outcome,
  detail = 'unknown error',
}: SummaryAttempt): CallWarning {
  const isAway = outcome === 'transport-error';
  const what = isAway ? 'could not be used' : 'gave no usable summary';
  // A model id goes to the gateway, which users with only a key of the provider do not expect.
  const hint =
    "Given as a string it goes through the Vercel AI Gateway: set AI_GATEWAY_API_KEY, or give the model object of a provider, such as openai('gpt-5-nano').";
  return {
    code: 'summarizer-failed',
    cause: `${model} ${detail}`,
    message:
      `The summarizing model ${model} ${what} (${detail}): summaries are written by the next model of ` +
      'summarizerModelPreference, else without a model. The events that onEvent is told hold the error.' +
      (isAway && model.startsWith('gateway:') ? ` ${hint}` : ''),
  };
}
