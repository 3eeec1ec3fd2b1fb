import { isObject } from '../util/is-object.ts';
import type { JSONObject, JSONValue } from '@ai-sdk/provider';
import type { Message, SystemMessage } from './prompt-types.ts';
import type { StateDialect } from './state-dialect.ts';

/** What a message changes about the conversation from there on. */
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

/** Reads the state that a message carries; `undefined` where it carries none. */
export function messageState(
  message: Message,
  dialect: StateDialect | undefined,
): MessageState | undefined {
  if (dialect === undefined) return undefined;
  if (message.role === 'system')
    return dialect === 'anthropic'
      ? readAnthropicState(message)
      : readOpenaiState(message, dialect);
  if (message.role !== 'tool' || dialect === 'anthropic') return undefined;
  const additionalTools = message.content.flatMap((part) =>
    part.type === 'tool-result' ? toolsOfResult(part.providerOptions, dialect) : [],
  );
  return additionalTools.length === 0 ? undefined : { ...noState, additionalTools };
}

/** Whether a message says noState and only carries state. */
export function isStateOnly(message: Message, dialect: StateDialect | undefined): boolean {
  return (
    message.role === 'system' &&
    message.content === '' &&
    messageState(message, dialect) !== undefined
  );
}

/** Whether OpenAI makes a configuration update of a message; two of them may not stand side by side. */
export function isConfigurationUpdate(
  message: Message | undefined,
  dialect: StateDialect | undefined,
): boolean {
  if (message?.role !== 'system') return false;
  const state = messageState(message, dialect);
  return state !== undefined && Object.keys(state.update).length > 0;
}

/** A system message's text without the state it carries. */
export function withoutState(message: Message, dialect: StateDialect | undefined): Message {
  if (message.role !== 'system' || messageState(message, dialect) === undefined) return message;
  const { anthropic = {}, ...others } = message.providerOptions ?? {};
  const left = Object.entries(anthropic).filter(([key]) => !anthropicKeys.has(key));
  return {
    ...message,
    providerOptions:
      left.length === 0 ? others : { ...others, anthropic: Object.fromEntries(left) },
  };
}

const anthropicKeys: ReadonlySet<string> = new Set(['effort', 'toolChanges']);

const noState: MessageState = {
  update: {},
  additionalTools: [],
  effort: undefined,
  toolChanges: [],
};

function readAnthropicState({ providerOptions }: SystemMessage): MessageState | undefined {
  const { effort, toolChanges } = providerOptions?.['anthropic'] ?? {};
  const changes = objectsIn(toolChanges);
  if (!isSet(effort) && changes.length === 0) return undefined;
  return { ...noState, effort, toolChanges: changes };
}

/** With a text beside it the provider refuses the state, so only messages without one carry any. */
function readOpenaiState(
  { content, providerOptions }: SystemMessage,
  dialect: StateDialect,
): MessageState | undefined {
  if (content !== '') return undefined;
  const options = providerOptions?.[dialect] ?? providerOptions?.['openai'] ?? {};
  const { reasoningEffortUpdate, textFormatUpdate } = options;
  const update = {
    ...(isSet(reasoningEffortUpdate) ? { reasoningEffortUpdate } : {}),
    ...(isSet(textFormatUpdate) ? { textFormatUpdate } : {}),
  };
  const additionalTools = objectsIn(options['additionalTools']);
  if (Object.keys(update).length === 0 && additionalTools.length === 0) return undefined;
  return { ...noState, update, additionalTools };
}

function toolsOfResult(
  providerOptions: Message['providerOptions'],
  dialect: StateDialect,
): readonly JSONObject[] {
  const own = providerOptions?.[dialect]?.['additionalTools'];
  return objectsIn(isSet(own) ? own : providerOptions?.['openai']?.['additionalTools']);
}

function objectsIn(value: JSONValue | undefined): readonly JSONObject[] {
  return Array.isArray(value) ? value.filter((item): item is JSONObject => isObject(item)) : [];
}

/** Whether an option says anything: providers take `null` for nothing. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
