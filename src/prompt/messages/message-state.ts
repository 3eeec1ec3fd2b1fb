import { isObject } from '../../foundations/util/is-object.ts';
import type { JSONObject, JSONValue } from '@ai-sdk/provider';
import type { Message, ModelIdentity, SystemMessage } from './prompt-types.ts';

/** The provider whose options on messages a model reads as changes of the conversation's state. */
export type StateDialect = 'openai' | 'azure' | 'anthropic';

/** APIs like OpenAI's Responses that know none of its positioned controls. */
const responsesWithoutControls = /^(xai|huggingface)\./;

/**
 * Finds which options on messages a model takes as a change of state from there on; `undefined` if its messages carry
 * no state. The table lists the options that the SDK's packages read, and what becomes of each when a summary covers
 * its message:
 *
 * | where | option | once covered |
 * |---|---|---|
 * | OpenAI Responses, Azure: empty system message | `reasoningEffortUpdate`, `textFormatUpdate` | merged into one update, the last of each wins |
 * | OpenAI Responses, Azure: empty system message, tool result | `additionalTools` | sent again, the last definition of a name wins; namespaces keep all their tools |
 * | Anthropic: system message | `toolChanges` | the remaining ones are sent again after a user message |
 * | Anthropic: system message | `effort` | sent again; in force from the next user message, as it was |
 * | Anthropic: system message | `clearAt` | kept while its turn lasts, left out after it |
 * | OpenAI, Anthropic: results of a tool search | loaded tools | not sent again: the search is still there, and the options that could load them need models that may not take them |
 * | OpenAI `custom` part `openai.compaction`, Anthropic text of type `compaction` | the history itself | the middleware bypasses the call; with `providerCompaction: 'ignore'` covered with all that came before |
 * | Anthropic, Bedrock | `cacheControl`, `cachePoint` | the last one moves to the summary; not state |
 * | OpenAI | `promptCacheBreakpoint` | goes with its message; a hint, not state |
 * | OpenAI: assistant parts | `itemId`, `namespace`, `caller`, `phase`, `async`, encrypted reasoning | belong to their item, whole groups are covered |
 * | Anthropic: parts | `caller`, MCP server names, signatures, citations, `containerUpload` | belong to their part; containers are named in the call |
 * | Google: parts | `thoughtSignature`, server tool ids | belong to their part; cached content is named in the call |
 * | Mistral, Groq, xAI, Cohere, DeepSeek, OpenAI-compatible | names, prefixes, ids, extra fields | belong to their message |
 * | Gateway | passed on | as for the provider that the model's id names |
 */
export function stateDialectOf({ provider, modelId }: ModelIdentity): StateDialect | undefined {
  if (/anthropic|claude/i.test(`${provider} ${modelId}`)) return 'anthropic';
  if (provider.endsWith('.responses') && !responsesWithoutControls.test(provider))
    return provider.includes('azure') ? 'azure' : 'openai';
  return /^(openai|azure)\//.test(modelId) && provider.startsWith('gateway') ? 'openai' : undefined;
}

/** Changes that a message makes to the conversation from there on. */
export interface MessageState {
  /** OpenAI: `reasoningEffortUpdate` and `textFormatUpdate`, as far as they are set. */
  readonly update: JSONObject;
  /** OpenAI: definitions of tools that are loaded. */
  readonly additionalTools: readonly JSONObject[];
  /** Anthropic: the effort from the next user message on. */
  readonly effort: JSONValue | undefined;
  /** Anthropic: tools added and removed. */
  readonly toolChanges: readonly JSONObject[];
}

/** Reads the state that a message carries; `undefined` if it carries none. */
export function messageState(
  message: Message,
  dialect: StateDialect | undefined,
): MessageState | undefined {
  if (dialect === undefined) return undefined;
  const { anthropic, openai, [dialect]: own = openai } = message.providerOptions ?? {};
  if (dialect === 'anthropic') {
    const { effort } = anthropic ?? {};
    const toolChanges = objectsIn(anthropic?.['toolChanges']);
    const isAny = message.role === 'system' && (isSet(effort) || toolChanges.length > 0);
    return isAny ? { ...noState, effort, toolChanges } : undefined;
  }
  const update: JSONObject = {};
  const additionalTools: JSONObject[] = [];
  // With a text beside it the provider refuses the state, so only system messages without one carry any.
  if (message.role === 'system' && message.content === '') {
    for (const name of ['reasoningEffortUpdate', 'textFormatUpdate'])
      if (isSet(own?.[name])) update[name] = own?.[name];
    additionalTools.push(...objectsIn(own?.['additionalTools']));
  }
  for (const part of message.role === 'tool' ? message.content : []) {
    const options = part.type === 'tool-result' ? part.providerOptions : undefined;
    const tools = options?.[dialect]?.['additionalTools'];
    additionalTools.push(
      ...objectsIn(isSet(tools) ? tools : options?.['openai']?.['additionalTools']),
    );
  }
  const isAny = Object.keys(update).length > 0 || additionalTools.length > 0;
  return isAny ? { ...noState, update, additionalTools } : undefined;
}

/** Whether a message has no text and only carries state. */
export function isStateOnly(message: Message, dialect: StateDialect | undefined): boolean {
  return (
    message.role === 'system' &&
    message.content === '' &&
    messageState(message, dialect) !== undefined
  );
}

/** Whether OpenAI makes a configuration update of a message; two of them must not be adjacent. */
export function isConfigurationUpdate(
  message: Message | undefined,
  dialect: StateDialect | undefined,
): message is SystemMessage {
  if (message?.role !== 'system') return false;
  const state = messageState(message, dialect);
  return state !== undefined && Object.keys(state.update).length > 0;
}

/** Removes the state that a system message carries. */
export function withoutState(message: Message, dialect: StateDialect | undefined): Message {
  if (message.role !== 'system' || messageState(message, dialect) === undefined) return message;
  const { anthropic = {}, ...others } = message.providerOptions ?? {};
  const { effort: _effort, toolChanges: _toolChanges, ...left } = anthropic;
  const isAnyLeft = Object.keys(left).length > 0;
  return { ...message, providerOptions: isAnyLeft ? { ...others, anthropic: left } : others };
}

const noState: MessageState = {
  update: {},
  additionalTools: [],
  effort: undefined,
  toolChanges: [],
};

function objectsIn(value: JSONValue | undefined): readonly JSONObject[] {
  return Array.isArray(value) ? value.filter((item): item is JSONObject => isObject(item)) : [];
}

/** Whether an option is set: providers take `null` for unset. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
