import type { CallOptions, ModelIdentity } from '../prompt/prompt-types.ts';
import { isComparing } from '../stores/summary-store.ts';
import type { CallReporter } from '../report/reporter.ts';
import { keysFor, keysOf, looksWrong } from './provider-overrides.ts';
import type { Policy } from './resolve-policy.ts';
import type { SummarizationOptions } from './summarization-options.ts';

/** How the middleware of a call is set up, and what a call shows of it. */
export interface SetUp extends Pick<CallReporter, 'warn'> {
  readonly options: Pick<SummarizationOptions, 'store' | 'secret' | 'providers'>;
  /** What is to be mended in the prompts. */
  readonly promptWarnings: readonly string[];
  readonly model: ModelIdentity;
  readonly params: Pick<CallOptions, 'maxOutputTokens'>;
  readonly policy: Pick<Policy, 'contextLength' | 'contextLengthKnown' | 'reserveClamped'>;
}

/** Warns of what is to be mended in the set-up of a call. */
export function warnOfSetUp(setUp: SetUp): void {
  const { warn, model, options, promptWarnings, policy, params } = setUp;
  const name = `${model.provider}:${model.modelId}`;
  if (!policy.contextLengthKnown)
    warn({
      code: 'unknown-context-length',
      message: `The context length of ${name} is not known; ${policy.contextLength} is assumed. Set contextLength.`,
    });
  const { store, secret } = options;
  if (store !== undefined && secret === undefined && store.isLocal !== true)
    warn({
      code: 'store-without-secret',
      cause: 'store',
      message:
        'A store without a secret: no other process, and not this one after a restart, will find what is stored. Set secret.',
    });
  if (store !== undefined && !isComparing(store))
    warn({
      code: 'store-without-compare',
      cause: 'store',
      message:
        'A store without compareAndSet: it is read, then written, so that instances which summarise the same messages at the same moment may each pay for it; what they send stays correct. Give it compareAndSet.',
    });
  if (policy.reserveClamped && params.maxOutputTokens !== undefined)
    warn({
      code: 'reserve-exceeds-context',
      message: `maxOutputTokens ${params.maxOutputTokens} is more than half of the context length ${policy.contextLength} of ${name}; half is kept for the prompt.`,
    });
  for (const message of promptWarnings)
    warn({ code: 'unknown-template-variable', cause: message, message });
  const keys = Object.keys(options.providers ?? {});
  const naming = keysOf(model, keys);
  for (const key of keys.filter((each) => !naming.includes(each) && looksWrong(each, model)))
    warn({
      code: 'unknown-provider-key',
      cause: key,
      message: `'${key}' in providers does not name ${name}, which this call goes to. Keys for this model: ${keysFor(model).join(', ')}.`,
    });
}
