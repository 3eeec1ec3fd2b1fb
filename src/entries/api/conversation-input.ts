import type { JSONObject } from '@ai-sdk/provider';
import type { LanguageModel, ModelMessage, ToolSet } from 'ai';
import * as z from 'zod/v4';
import { checkThat } from '../../foundations/checks/check-object.ts';
import {
  anyAbortSignal,
  anyObject,
  isModel,
  type OptionRules,
  rule,
} from '../../foundations/checks/option-rule.ts';
import { SummarizationError } from '../../foundations/errors/summarization-error.ts';
import { SummarizationOptionError } from '../../foundations/errors/summarization-option-error.ts';
import { canonicalMessage } from '../../prompt/identity/conversation-identity.ts';
import { providerOptionsKey } from '../../prompt/messages/own-options.ts';
import type { CallOptions, Message, WrappedModel } from '../../prompt/messages/prompt-types.ts';
import { currentPrompt, isOlderSDK } from '../../prompt/sdk/older-sdk.ts';
import { resolveModel } from '../../summaries/models/resolve-model.ts';
import { scanPrompt } from '../../sizes/tokens/scan-prompt.ts';
import { omitUndefined } from '../../foundations/util/defined.ts';
import { messageOf } from '../../foundations/util/errors.ts';
import { isObject } from '../../foundations/util/is-object.ts';

/** A conversation as `generateText` takes it, or as a middleware sees it. */
export type Conversation = readonly ModelMessage[] | readonly Message[] | CallOptions['prompt'];

/** The messages of a call, and its tools. No tool is run: the result of a call that the last message approves counts as empty. */
export interface ConversationInput {
  /** Messages as `generateText` takes them or as a middleware sees them, system messages among them. */
  readonly messages: Conversation;
  /**
   * Tools as `generateText` takes them, or as a middleware sees them.
   * @default none
   */
  readonly tools?: CallOptions['tools'] | ToolSet | undefined;
}

/** Settings of the calls of a conversation, for functions that call a model. */
export interface ModelCallInput {
  /**
   * The model of the conversation, wrapped or not: the options of a middleware around it hold. It also summarizes, unless
   * the options name other models. A string is resolved by the SDK's default provider or the gateway.
   */
  readonly model: LanguageModel;
  /**
   * Headers for summary calls of `model`, and for those of other models of its provider as far as they apply.
   * @default none
   */
  readonly headers?: CallOptions['headers'];
  /**
   * Provider options for them, such as `{ openai: { store: false } }`.
   * @default none
   */
  readonly providerOptions?: CallOptions['providerOptions'];
  /** Ends the work; what was begun is taken up by whoever comes next. */
  readonly abortSignal?: AbortSignal | undefined;
}

const modelAllowed = 'a language model or the id of one';

/** Rules of {@link ModelCallInput}. */
export const modelCallRules: OptionRules<ModelCallInput> = {
  model: rule(modelAllowed, isModel),
  headers: anyObject(),
  providerOptions: anyObject(),
  abortSignal: anyAbortSignal,
};

/**
 * A call with headers and provider options, which are added provider by provider.
 *
 * @param own - Options beside the package's own ones.
 */
export function withCallSettings(
  params: CallOptions,
  { headers, providerOptions = {} }: Pick<ModelCallInput, 'headers' | 'providerOptions'>,
  own: JSONObject = {},
): CallOptions {
  const merged = { ...params.providerOptions };
  for (const [provider, given] of [
    ...Object.entries(providerOptions),
    [providerOptionsKey, own],
  ] as const)
    merged[provider] = { ...merged[provider], ...given };
  return { ...params, ...omitUndefined({ headers }), providerOptions: merged };
}

/** The result and its costs. */
type Billed<Made> = Made & {
  /** Tokens billed by summarizing models. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
};

/** Result of work by models: a failure is a result and not an exception. */
export type ModelResult<Made> =
  | ({ readonly ok: true } & Billed<Made>)
  | {
      readonly ok: false;
      readonly error: SummarizationError;
      /** Whether the same call may succeed later. */
      readonly retryable: boolean;
    };

/** @throws The signal's reason when it aborts, and what is no `SummarizationError`. */
export async function toModelResult<Made>(
  { abortSignal }: Pick<ModelCallInput, 'abortSignal'>,
  work: () => Promise<Billed<Made>>,
): Promise<ModelResult<Made>> {
  try {
    return { ok: true, ...(await work()) };
  } catch (error) {
    abortSignal?.throwIfAborted();
    if (!SummarizationError.isInstance(error)) throw error;
    return { ok: false, error, retryable: error.retryable };
  }
}

/** The conversation and its tools, as a middleware sees them. */
type ReadConversation = Pick<CallOptions, 'prompt' | 'tools'>;

/**
 * Checks messages and tools of a caller who may have no types, and reads them.
 *
 * @throws {SummarizationOptionError} naming what is wrong and what is allowed.
 */
export async function readConversationInput(call: ConversationInput): Promise<ReadConversation> {
  const { messages, tools } = call;
  // Other parameters of `generateText` would not be counted.
  for (const name of ['system', 'instructions'])
    checkThat(Reflect.get(call, name) === undefined, name, Reflect.get(call, name), asMessage);
  const list: unknown = isObject(tools) ? Object.values(tools) : tools;
  const areTools = list === undefined || (Array.isArray(list) && list.every(isObject));
  const allowed = 'an object of tools by name, or a list of tools as a middleware gets them';
  checkThat(areTools, 'tools', tools, allowed);
  const prompt = await readMessages(messages);
  if (tools === undefined) return { prompt };
  return Array.isArray(tools) ? { prompt, tools } : { prompt, ...(await readTools(tools)) };
}

const asMessage = "nothing: it is the first of the messages, with the role 'system'";

async function readTools(given: ToolSet): Promise<Pick<CallOptions, 'tools'>> {
  try {
    const { tools } = await convert([{ role: 'user', content: '-' }], given);
    return omitUndefined({ tools });
  } catch (error) {
    // The SDK's error for an invalid schema names neither the tools nor the allowed values.
    const allowed = `tools as generateText takes them, whose inputSchema a schema library or jsonSchema() makes (${messageOf(error)})`;
    checkThat(false, 'tools', given, allowed);
  }
}

/**
 * Reads messages in either form, of a caller who may have no types. The SDK itself converts: only so does a conversation
 * get the same identity here as in a call.
 *
 * @throws {SummarizationOptionError} naming the message that is wrong: of another shape, or one that holds itself, throws
 * or lacks something.
 */
export async function readMessages(messages: unknown): Promise<Message[]> {
  checkMessages(messages);
  const prompt = isPrompt(messages)
    ? [...messages]
    : (await convert(messages, standInTools(messages))).prompt;
  eachReadable(prompt, (message) => {
    scanPrompt({ prompt: [message] }, { family: 'other', writesJson: false });
    JSON.stringify(canonicalMessage(message).content);
  });
  return prompt;
}

const roles: readonly unknown[] = ['system', 'user', 'assistant', 'tool'];

const shape = `an object with a role (${roles.join(', ')}) and a content: a string, or a list of parts that have a type`;

/** Checks the shape of messages as far as the package reads it; the SDK checks the rest. */
function checkMessages(messages: unknown): asserts messages is Conversation {
  checkThat(Array.isArray(messages), 'messages', messages, 'a list of messages');
  eachReadable(messages, (message, path) => {
    const { role, content, parts } = isObject(message) ? message : {};
    const areParts =
      role !== 'system' &&
      Array.isArray(content) &&
      content.every((part) => typeof Object(part).type === 'string');
    if (roles.includes(role) && (typeof content === 'string' || areParts)) return;
    const isOfPage = parts !== undefined;
    const how = isOfPage ? '; convertToModelMessages makes them of UI messages' : '';
    checkThat(false, path, isOfPage ? 'a UI message' : message, shape + how);
  });
}

/** Reads each message; one that cannot be read is named. */
function eachReadable<Each>(
  messages: readonly Each[],
  read: (message: Each, path: string) => void,
): void {
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    try {
      read(message, path);
    } catch (error) {
      if (SummarizationOptionError.isInstance(error)) throw error;
      const allowed = `a message of which every part can be read (${messageOf(error)})`;
      checkThat(false, path, message, allowed);
    }
  }
}

/** Whether messages are in the form a middleware sees already. */
function isPrompt(messages: Conversation): messages is readonly Message[] {
  return messages.every(({ role, content }) => {
    if (role === 'system') return true;
    return typeof content !== 'string' && content.every(isPromptPart);
  });
}

function isPromptPart(part: Exclude<Conversation[number]['content'], string>[number]): boolean {
  if (part.type === 'image' || part.type === 'tool-approval-request') return false;
  return part.type !== 'file' || isObject(Object(part.data)['type'] && part.data);
}

/**
 * Tools in place of those of a conversation. The AI SDK runs the calls that the last message approves before
 * it asks the model; where nothing is asked no tool may run, and its result counts as empty.
 */
function standInTools(messages: Conversation): ToolSet {
  const standIn = { inputSchema: z.unknown(), execute: () => '' };
  const parts = messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string' ? content : [],
  );
  return Object.fromEntries(
    parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolName, standIn]] : [])),
  );
}

/** Reads the prompt and tools that the SDK would send to a model. */
async function convert(messages: Conversation, tools: ToolSet): Promise<ReadConversation> {
  const { sdk: ai } = await import('../../summaries/models/used-sdk.ts');
  const asked: ReadConversation[] = [];
  const model: WrappedModel = {
    specificationVersion: 'v4',
    provider: 'ai-sdk-summarization',
    modelId: 'prompt-reader',
    // Every address is supported, so that no file is downloaded.
    supportedUrls: { '*/*': [/^/] },
    doGenerate: (options) => {
      asked.push({ ...options, prompt: currentPrompt(options.prompt) });
      return refuse();
    },
    doStream: refuse,
  };
  const answer = ai.generateText({
    model: isOlderSDK(ai) ? Object.assign({ ...model }, { specificationVersion: 'v3' }) : model,
    messages: messages.map(withApprovedInput),
    tools,
    allowSystemInMessages: true,
    maxRetries: 0,
    telemetry: { isEnabled: false },
  });
  const error: unknown = await answer.catch((refused: unknown) => refused);
  const [read] = asked;
  if (read === undefined) throw error;
  return read;
}

async function refuse(): Promise<never> {
  throw new Error('The prompt was only read.');
}

/** An approval without the input that a schema made the approved one of, which stand-ins do not know. */
function withApprovedInput(message: Conversation[number]): Conversation[number] {
  if (message.role !== 'assistant' || typeof message.content === 'string') return message;
  const content = message.content.map((part) => {
    if (part.type !== 'tool-approval-request') return part;
    const { type, approvalId, toolCallId } = part;
    return { type, approvalId, toolCallId };
  });
  return { ...message, content };
}

/**
 * The model that a caller means, who may have no types: ids are resolved as the SDK does it, models of
 * older specifications are taken as the SDK takes them.
 *
 * @throws {SummarizationOptionError} for what is no model; what the provider throws for an id it does not know.
 */
export async function readModel(model: LanguageModel): Promise<WrappedModel> {
  checkThat(isModel(model), 'model', model, modelAllowed);
  const resolved = await resolveModel(model);
  if (resolved.specificationVersion === 'v4') return resolved;
  const { sdk } = await import('../../summaries/models/used-sdk.ts');
  return sdk.wrapLanguageModel({ model: resolved, middleware: [] });
}
