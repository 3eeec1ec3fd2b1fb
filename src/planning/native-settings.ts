import type { CallOptions, ModelIdentity } from '../prompt/prompt-types.ts';
import { stateDialectOf, type StateDialect } from '../prompt/state-dialect.ts';
import { isSet } from '../util/is-set.ts';
import { isServerManaged } from '../prompt/provider-options.ts';

type ProviderOptions = NonNullable<CallOptions['providerOptions']>;

/** The smallest thresholds that the APIs take, in tokens: their references say so, and they refuse less. */
const leastThreshold: Readonly<Record<StateDialect, number>> = {
  openai: 1000,
  azure: 1000,
  anthropic: 50_000,
};

/** Models of Anthropic that came before its compaction: all before Claude 4.6. */
const withoutCompaction = /claude-(?:instant|v?[123](?!\d)|[a-z]+-4(?![-.][6-9](?!\d)))/i;

/** A model whose provider may compact, and how the package would have it done. */
export interface NativeModel extends ModelIdentity {
  readonly specificationVersion: string;
}

/**
 * The provider options of a call with the provider's own compaction turned on, from so many tokens of the
 * prompt on; `undefined` where the provider has none that is known, where the caller's settings leave no
 * room for it, and where a threshold that the provider takes would come too late.
 *
 * @param limit - Tokens the prompt may take.
 */
export function nativeSettings(
  model: NativeModel,
  params: CallOptions,
  { trigger, limit }: { readonly trigger: number; readonly limit: number },
): ProviderOptions | undefined {
  const dialect = compactingDialectOf(model);
  const { providerOptions = {}, prompt } = params;
  if (dialect === undefined || isServerManaged({ ...params, prompt: [] })) return undefined;
  const threshold = Math.max(Math.floor(trigger), leastThreshold[dialect]);
  if (threshold >= limit) return undefined;
  if (dialect === 'anthropic') {
    const compaction = {
      type: 'compact_20260112',
      trigger: { type: 'input_tokens', value: threshold },
    };
    const contextManagement = { edits: [compaction] };
    return {
      ...providerOptions,
      anthropic: { ...providerOptions['anthropic'], contextManagement },
    };
  }
  // The provider drops such updates where it compacts.
  const updates = [providerOptions, ...prompt.map((message) => message.providerOptions)];
  if (updates.some(updatesConfiguration)) return undefined;
  const contextManagement = [{ type: 'compaction', compactThreshold: threshold }];
  // Azure's package reads its own name, and OpenAI's only where that is not given.
  const names = dialect === 'azure' ? ['azure', 'openai'] : ['openai'];
  const read = names.find((name) => isSet(providerOptions[name])) ?? dialect;
  return { ...providerOptions, [read]: { ...providerOptions[read], contextManagement } };
}

/** Whose compaction a model can be asked for. */
function compactingDialectOf(model: NativeModel): StateDialect | undefined {
  const { provider, modelId, specificationVersion } = model;
  const dialect = stateDialectOf(model);
  if (dialect !== 'anthropic') {
    // The package of AI SDK 6 does not know the option; others with an API of that shape may pass over it.
    const isKnown = /^(?:openai|azure|gateway)/.test(provider) && specificationVersion !== 'v3';
    return isKnown ? dialect : undefined;
  }
  // Bedrock's Converse API leaves the option out without a word.
  const isKnown = /anthropic/i.test(provider) || modelId.startsWith('anthropic/');
  return isKnown && !withoutCompaction.test(modelId) ? dialect : undefined;
}

function updatesConfiguration(options: ProviderOptions | undefined): boolean {
  return [options?.['openai'], options?.['azure']].some(
    (given) => isSet(given?.['reasoningEffortUpdate']) || isSet(given?.['textFormatUpdate']),
  );
}
