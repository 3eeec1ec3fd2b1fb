import { isObject } from '../../foundations/util/is-object.ts';
import { hostOf } from './model-name.ts';
import type { AssistantMessage, CallOptions, ModelIdentity } from './prompt-types.ts';

type Options = Readonly<Record<string, unknown>>;
type ProviderOptions = NonNullable<CallOptions['providerOptions']>;
type Headers = NonNullable<CallOptions['headers']>;

/**
 * Options by which a provider holds the history of a call (`held`), or compacts or cuts its prompt (`cut`), by the key
 * under which they are set.
 */
const historyOptions: Readonly<
  Record<string, Readonly<Record<'held' | 'cut', readonly string[]>>>
> = {
  openai: {
    held: ['previousResponseId', 'conversation'],
    cut: ['contextManagement', 'compactionTrigger', 'truncation'],
  },
  xai: { held: ['previousResponseId'], cut: [] },
  google: { held: ['previousInteractionId'], cut: [] },
  anthropic: { held: ['thread'], cut: ['compaction', 'contextManagement'] },
};

/**
 * Other options that belong to one call: files and answers that are held for it, its tools and searches, messages to
 * the model and the form of its answer, and the key of its cache, which a transcript would only crowd. They count under
 * any key, as hosts and gateways take each other's options, except those that are listed with their key. Without
 * support for a schema a record is requested with a tool, which forbids Claude to think, and no cache of that request
 * is ever read.
 */
const optionsOfOneCall = namesIn(`
  cachedContent container include background interactionId idempotencyKey continuationToken environment
  transforms truncatePromptTokens caching promptCacheKey
  tools toolChoice allowedTools mcpServers maxToolCalls maxTurns plugins parallelToolCalls
  parallelFunctionCalling disableParallelToolUse safeguards searchParameters webSearchOptions retrievalConfig
  streamFunctionCallArguments agent agentConfig agentId agentVersion taskBudget
  messages instructions systemInstruction prediction responseFormat stop maxTokens maxCompletionTokens
  logitBias logprobs topLogprobs grammar guidedJson guidedRegex guidedChoice guidedGrammar reasoningFormat
  responseModalities modalities audio imageConfig audioTimestamp
  anthropic.thinking anthropic.cacheControl bedrock.reasoningConfig`);

/** Options of identity, retention, access and service, which other models know too. */
const termsOfAnyModel = namesIn(`
  store promptCacheRetention inferenceGeo zeroDataRetention hipaaCompliant disallowPromptTraining headquarters only
  provider byok user userId safetyIdentifier metadata labels tags quotaEntityId serviceTier sharedRequestType requestType`);

/** Headers that name one request, or an answer that is kept for it. */
const ofOneRequest = /idempotency|request-?id|cache-(?:key|seed)|^content-|^accept/i;

/** Headers that authenticate a caller or name who pays. */
const credentials = /auth|key|token|secret|cookie|credential|signature/i;

/** Options that authenticate a caller or name who pays. */
const credentialOptions = /byok|mcp_?servers|api_?key|secret|authorization|password/i;

/** Headers that are for one model. */
const ofOneModel = /-beta$/i;

/** Call settings: identity of the caller, and the way in which the call is served. */
export interface CallSettings {
  readonly headers?: Headers;
  readonly providerOptions?: ProviderOptions;
}

/** Call settings as a caller passes them. */
type PartialCallSettings = {
  readonly [Name in keyof CallSettings]: CallSettings[Name] | undefined;
};

/**
 * Selects the call settings for the calls of summarizing models. The model of the call itself gets all, except what
 * belongs to that one call, its tools, its answer and the history that a provider holds. Another model of its provider
 * gets what other models know too, and credentials only if it is known to be at the same address. Models of other
 * providers get nothing.
 *
 * @param wrapped - The model of the call itself.
 */
export function settingsForModels(
  { headers, providerOptions = {} }: PartialCallSettings,
  wrapped: ModelIdentity,
): (model: ModelIdentity) => CallSettings {
  return (model) => {
    if (model === wrapped)
      return { headers: kept(headers), providerOptions: lasting(providerOptions) };
    const [here, there] = [addressOf(wrapped), addressOf(model)];
    const isElsewhere = here && there && here.service !== there.service;
    if (isElsewhere === true || hostOf(model) !== hostOf(wrapped)) return {};
    const isSameAddress = here !== undefined && here.origin === there?.origin;
    return {
      headers: kept(
        headers,
        (name) => !ofOneModel.test(name) && (isSameAddress || !credentials.test(name)),
      ),
      providerOptions:
        model.modelId === wrapped.modelId
          ? lasting(providerOptions)
          : filtered(providerOptions, (_, name) => termsOfAnyModel.has(plain(name))),
    };
  };
}

/** Removes credentials from provider options, so that the rest may wait in a queue. */
export function withoutCredentials(given: ProviderOptions = {}): ProviderOptions {
  return filtered(given, (_, name) => !credentialOptions.test(name));
}

/** Selects the call settings for another call with the same prompt, tools and settings. */
export function settingsForSamePrompt({
  headers = {},
  providerOptions = {},
}: PartialCallSettings): CallSettings {
  return {
    headers: fieldsOf(headers, (name) => !ofOneRequest.test(name)),
    providerOptions: filtered(providerOptions, (key, name) => !isOfHistory(key, name)),
  };
}

function lasting(given: ProviderOptions): ProviderOptions {
  return filtered(given, (key, name) => !isOfOneCall(key, name) && !isOfHistory(key, name));
}

function isOfOneCall(key: string, name: string): boolean {
  return [name, `${key}.${name}`].some((each) => optionsOfOneCall.has(plain(each)));
}

/** Whether an option concerns the history; under an unknown key, whether it does so under any known one. */
function isOfHistory(key: string, name: string): boolean {
  const known = rowOf(key);
  const rows = known === undefined ? Object.values(historyOptions) : [known];
  return rows
    .flatMap(({ held, cut }) => [...held, ...cut])
    .some((each) => plain(each) === plain(name));
}

function namesIn(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/).map(plain));
}

/** Normalizes the name of an option: hosts that take any option spell names as their APIs do. */
function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

function filtered(
  given: ProviderOptions,
  keeps: (key: string, name: string) => boolean,
): ProviderOptions {
  return Object.fromEntries(
    Object.entries(given)
      // Callers without types may pass anything.
      .filter(([, options]) => isObject(options))
      .map(([key, options]) => [key, fieldsOf(options, (name) => keeps(key, name))] as const)
      .filter(([, options]) => Object.keys(options).length > 0),
  );
}

function fieldsOf<Value>(
  given: Readonly<Record<string, Value>>,
  keeps: (name: string) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => keeps(name)));
}

/** Filters headers, without the name that the SDK adds to the user agent of a call. */
function kept(given: Headers = {}, keeps: (name: string) => boolean = () => true): Headers {
  const headers = fieldsOf(given, (name) => !ofOneRequest.test(name) && keeps(name));
  const words = headers['user-agent']?.split(' ').filter((word) => !word.startsWith('ai/'));
  return words === undefined ? headers : { ...headers, 'user-agent': words.join(' ') || undefined };
}

/** Finds where a model of a provider package sends its calls; only the package's settings tell. */
export function addressOf(
  model: object,
): { readonly origin: string; readonly service: string } | undefined {
  try {
    const config: unknown = Reflect.get(model, 'config');
    const { baseURL, url }: Options = isObject(config) ? config : {};
    const given: unknown = typeof url === 'function' ? url({ path: '', modelId: '' }) : undefined;
    const { origin, host, hostname } = new URL(String(baseURL ?? given));
    const isName = /[a-z]\.[a-z]+$/i.test(hostname);
    return { origin, service: isName ? hostname.split('.').slice(-2).join('.') : host };
  } catch {
    return undefined;
  }
}

/** APIs that send a text part of Claude as a text, whatever its Anthropic options. */
const translators = /bedrock$|openrouter|\.(?:chat|completion|responses)$/;

/** APIs like OpenAI's Responses that hold no history under OpenAI's options. */
const otherResponses = /^(?:xai|huggingface)\./;

/**
 * Finds the key of {@link historyOptions} that the API of a model reads; `undefined` if it reads none. A gateway passes
 * options on to the provider with which the model's id begins.
 */
function historyKeyOf(model: ModelIdentity): string | undefined {
  const { provider, modelId } = model;
  if (hostOf(model) === 'gateway') {
    const vendor = modelId.replace(/\/.*/s, '').replace('spacexai', 'xai');
    return rowOf(vendor) === undefined ? undefined : vendor.replace('azure', 'openai');
  }
  if (/anthropic|\.messages$/i.test(provider)) return 'anthropic';
  if (/^claude/i.test(modelId) && !translators.test(provider)) return 'anthropic';
  if (provider.startsWith('google')) return provider.includes('vertex') ? undefined : 'google';
  if (!provider.endsWith('.responses')) return undefined;
  if (otherResponses.test(provider)) return provider.startsWith('xai') ? 'xai' : undefined;
  return 'openai';
}

/**
 * Finds out whether a provider manages the history. `held`: earlier messages are known to the provider alone, so that
 * no summary can replace them: it holds the history, or the conversation begins with a compaction, whose messages the
 * client has dropped. `cut`: the provider compacts or cuts the history itself, so that a summary would come on top of
 * that, or two compactors would work on one history. `foreign`: the prompt has only a compaction that the called
 * provider does not read, which is a message like any other.
 */
export function historyAtProvider(
  { providerOptions = {}, prompt }: CallOptions,
  model: ModelIdentity,
): 'held' | 'cut' | 'foreign' | undefined {
  const reader = historyKeyOf(model);
  let isCut = false;
  for (const [key, given] of Object.entries(providerOptions)) {
    if ((key === 'azure' ? 'openai' : key) !== reader) continue;
    const { held = [], cut = [] } = rowOf(key) ?? {};
    // Callers without types may pass anything.
    const options: Options = isObject(given) ? given : {};
    const isStored = key !== 'google' || options['store'] !== false;
    if (isStored && held.some((name) => isOn(options[name]))) return 'held';
    isCut ||= cut.some((name) => isOn(options[name]));
  }
  let [isFirst, isForeign] = [true, false];
  for (const { role, content } of prompt) {
    for (const part of role === 'assistant' ? content : []) {
      const writer = compactorOf(part);
      if (writer === undefined) continue;
      if (writer === reader) return isFirst ? 'held' : 'cut';
      isForeign = true;
    }
    if (role !== 'system') isFirst = false;
  }
  if (isCut) return 'cut';
  return isForeign ? 'foreign' : undefined;
}

function rowOf(key: string): (typeof historyOptions)[string] | undefined {
  return historyOptions[key === 'azure' ? 'openai' : key];
}

/** Whether an option asks for anything: an empty one does not, however deep. */
function isOn(value: unknown): boolean {
  if (typeof value === 'object') return Object.values(value ?? {}).some(isOn);
  return Boolean(value) && value !== 'disabled';
}

/**
 * Names the provider whose compaction a part is: it replaces everything before it and must stay unchanged for its
 * provider.
 */
function compactorOf(part: AssistantMessage['content'][number]): string | undefined {
  if (part.type === 'custom') return part.kind === 'openai.compaction' ? 'openai' : undefined;
  // An empty text is a compaction that failed, and is not sent.
  if (part.type !== 'text' || part.text === '') return undefined;
  return part.providerOptions?.['anthropic']?.['type'] === 'compaction' ? 'anthropic' : undefined;
}
