import { isObject } from '../util/is-object.ts';
import { hostOf } from './model-name.ts';
import type { CallOptions, Message, ModelIdentity } from './prompt-types.ts';

type Options = Readonly<Record<string, unknown>>;
type ProviderOptions = NonNullable<CallOptions['providerOptions']>;
type Headers = NonNullable<CallOptions['headers']>;

/**
 * Options by which a provider holds the history of a call, or compacts or cuts what it is sent, by the key under which they
 * are given.
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
 * What else belongs to one call: files and answers that are held for it, its tools and searches, what is said to the
 * model and the form of what it says, and the key of its cache, which a transcript would only crowd. Under any key, as
 * hosts and gateways take each other's options, but for those that are named with theirs. A record is asked for with a
 * tool where no schema is known, which forbids Claude to think, and no cache of it is ever read.
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

/** Whose call it is, what may be kept of it, who may read it and how it is served: what other models know too. */
const termsOfAnyModel = namesIn(`
  store promptCacheRetention inferenceGeo zeroDataRetention hipaaCompliant disallowPromptTraining headquarters only
  provider byok user userId safetyIdentifier metadata labels tags quotaEntityId serviceTier sharedRequestType requestType`);

/** Headers that name one request, or an answer that is kept for it. */
const ofOneRequest = /idempotency|request-?id|cache-(?:key|seed)|^content-|^accept/i;

/** Headers by which somebody pays or is let in. */
const credentials = /auth|key|token|secret|cookie|credential|signature/i;

/** Options by which somebody pays or is let in. */
const credentialOptions = /byok|mcp_?servers|api_?key|secret|authorization|password/i;

/** Headers that are for one model. */
const ofOneModel = /-beta$/i;

/** What a call says of whose it is, and of how it is to be served. */
export interface CallTerms {
  readonly headers?: Headers;
  readonly providerOptions?: ProviderOptions;
}

/** Terms as a caller gives them. */
type GivenTerms = { readonly [Name in keyof CallTerms]: CallTerms[Name] | undefined };

/**
 * The terms of a call as the calls of summarizing models carry them: to the model that the call is for all but what
 * belongs to that one call, its tools, its answer and the history that a provider holds; to another model of its
 * provider what other models know too, and credentials only where it is known to be at the same address; to models
 * of other providers nothing.
 *
 * @param wrapped - The model that the call is for.
 */
export function termsOfCall(
  { headers, providerOptions = {} }: GivenTerms,
  wrapped: ModelIdentity,
): (model: ModelIdentity) => CallTerms {
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

/** Provider options that may wait in a queue: without those that let somebody in or pay. */
export function withoutCredentials(given: ProviderOptions = {}): ProviderOptions {
  return filtered(given, (_, name) => !credentialOptions.test(name));
}

/** The terms of a call for another one with the same prompt, tools and settings. */
export function termsAgain({ headers = {}, providerOptions = {} }: GivenTerms): CallTerms {
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

/** Under a key that is not known, what means a history under any. */
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

/** Hosts that take whatever they are given spell names as their APIs do. */
function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

function filtered(
  given: ProviderOptions,
  keeps: (key: string, name: string) => boolean,
): ProviderOptions {
  return Object.fromEntries(
    Object.entries(given)
      // Callers without types may give anything.
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

/** The SDK adds its own name to the agent that a call names. */
function kept(given: Headers = {}, keeps: (name: string) => boolean = () => true): Headers {
  const headers = fieldsOf(given, (name) => !ofOneRequest.test(name) && keeps(name));
  const words = headers['user-agent']?.split(' ').filter((word) => !word.startsWith('ai/'));
  return words === undefined ? headers : { ...headers, 'user-agent': words.join(' ') || undefined };
}

/** Where a model of a provider package sends its calls; packages have no other word for it than their settings. */
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

/** APIs that send a text part of Claude as a text, whatever Anthropic's options on it say. */
const translators = /bedrock$|openrouter|\.(?:chat|completion|responses)$/;

/** APIs of the shape of OpenAI's Responses that hold no history under the options of OpenAI. */
const otherResponses = /^(?:xai|huggingface)\./;

/**
 * The key of {@link historyOptions} that the API of a model reads; `undefined` where it reads none. A gateway passes options
 * on to the provider that the model's id begins with.
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
 * Whether what came before is known to the provider alone, so that no summary can stand for it: it holds the history, or
 * the conversation begins with a compaction, whose messages the client has dropped (`held`). Or whether it compacts or
 * cuts the history itself (`cut`): a summary would come on top of that, or two compactors would work on one history. Only
 * options and compactions that the called provider reads count: one of another provider is a message like any (`foreign`).
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
    // Callers without types may give anything.
    const options: Options = isObject(given) ? given : {};
    const isStored = key !== 'google' || options['store'] !== false;
    if (isStored && held.some((name) => isOn(options[name]))) return 'held';
    isCut ||= cut.some((name) => isOn(options[name]));
  }
  let [isFirst, isForeign] = [true, false];
  for (const message of prompt) {
    for (const writer of compactedBy(message)) {
      if (writer === reader) return isFirst ? 'held' : 'cut';
      isForeign = true;
    }
    if (message.role !== 'system') isFirst = false;
  }
  if (isCut) return 'cut';
  return isForeign ? 'foreign' : undefined;
}

function rowOf(key: string): (typeof historyOptions)[string] | undefined {
  return historyOptions[key === 'azure' ? 'openai' : key];
}

/** Whether an option asks for anything: nothing does that is empty, however deep. */
function isOn(value: unknown): boolean {
  if (typeof value === 'object') return Object.values(value ?? {}).some(isOn);
  return Boolean(value) && value !== 'disabled';
}

/** Whose compactions a message holds: each stands for everything before it and must stay as it is for who wrote it. */
function* compactedBy(message: Message): Iterable<string> {
  if (message.role !== 'assistant') return;
  for (const part of message.content) {
    if (part.type === 'custom' && part.kind === 'openai.compaction') yield 'openai';
    if (part.type !== 'text' || part.providerOptions === undefined) continue;
    // An empty one is a compaction that failed, and is not sent.
    const isMarked = part.providerOptions['anthropic']?.['type'] === 'compaction';
    if (isMarked && part.text !== '') yield 'anthropic';
  }
}
