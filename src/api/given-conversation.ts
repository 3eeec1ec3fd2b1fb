import type { LanguageModel, ModelMessage, ToolSet } from 'ai';
import { checkThat } from '../checks/check-object.ts';
import type { CallOptions, Message, WrappedModel } from '../prompt/prompt-types.ts';
import { currentPrompt, isOlderSDK } from '../sdk/older-sdk.ts';
import { isObject } from '../util/is-object.ts';
import { messageOf } from '../util/errors.ts';
import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import { canonicalMessage } from '../identity/canonical-message.ts';
import { scanPrompt } from '../tokens/scan-prompt.ts';
import { z } from 'zod/v4';
import { isModel } from '../checks/option-rule.ts';
import { resolveModel } from '../strategies/models/resolve-model.ts';

/** A conversation as `generateText` takes it, or as a middleware sees it. */
export type Conversation = readonly ModelMessage[] | readonly Message[] | CallOptions['prompt'];

/**
 * The messages of a call, under one of the two names that `generateText` has for them. No tool is run: the
 * result of a call that the last message approves counts as empty.
 */
export type GivenConversation = {
  readonly tools?: CallOptions['tools'] | ToolSet | undefined;
} & (
  | {
      /** Messages as `generateText` takes them or as a middleware sees them, or the text of one. */
      readonly prompt: string | Conversation;
      readonly messages?: undefined;
    }
  | {
      /** The same as a list. */
      readonly messages: Conversation;
      readonly prompt?: undefined;
    }
);

/** What `generateText` takes beside the messages would be left out of what is counted. */
const asMessage = "nothing: it is the first of the messages, with the role 'system'";

/** What a middleware sees of a conversation and its tools. */
interface ReadConversation {
  readonly prompt: readonly Message[];
  readonly tools: CallOptions['tools'] | undefined;
}

/**
 * Checks messages and tools of a caller who may have no types, and reads them.
 *
 * @throws {SummarizationOptionError} naming what is wrong and what is allowed.
 */
export async function readConversation(call: GivenConversation): Promise<ReadConversation> {
  const { prompt, messages, tools } = call;
  for (const name of ['system', 'instructions'])
    checkThat(Reflect.get(call, name) === undefined, name, Reflect.get(call, name), asMessage);
  const isOne = (prompt === undefined) !== (messages === undefined);
  const where = messages === undefined ? 'where there is no prompt' : 'or a prompt, not both';
  checkThat(isOne, 'messages', messages, `a list of messages ${where}`);
  const list: unknown = isObject(tools) ? Object.values(tools) : tools;
  const areTools = list === undefined || (Array.isArray(list) && list.every(isObject));
  const allowed = 'an object of tools by name, or a list of tools as a middleware gets them';
  checkThat(areTools, 'tools', tools, allowed);
  const name = messages === undefined ? 'prompt' : 'messages';
  const given = typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt;
  const conversation = messages === undefined ? given : messages;
  checkMessages(conversation, name);
  const isList = tools === undefined || Array.isArray(tools);
  return {
    prompt: await readMessages(conversation, name, standInTools(conversation)),
    tools: isList ? tools : await readTools(tools),
  };
}

/**
 * Reads messages in either form. The SDK itself converts: only so does a conversation get the same identity
 * here as in a call.
 *
 * @param name - What the caller calls the messages.
 * @param tools - Run by the SDK where the last message approves of their calls.
 * @throws {SummarizationOptionError} naming the message that cannot be read.
 */
export async function readMessages(
  messages: Conversation,
  name = 'messages',
  tools: ToolSet = {},
): Promise<readonly Message[]> {
  const prompt = isPrompt(messages) ? messages : (await convert(messages, tools)).prompt;
  checkReadable(prompt, name);
  return prompt;
}

async function readTools(tools: ToolSet): Promise<ReadConversation['tools']> {
  try {
    return (await convert([{ role: 'user', content: '-' }], tools)).tools;
  } catch (error) {
    // What the SDK throws for a schema that is none names neither the tools nor what is allowed.
    const allowed = `tools as generateText takes them, whose inputSchema a schema library or jsonSchema() makes (${messageOf(error)})`;
    checkThat(false, 'tools', tools, allowed);
  }
}

async function convert(messages: Conversation, tools: ToolSet): Promise<ReadConversation> {
  const ai = await import('ai');
  let read: ReadConversation = { prompt: [], tools: undefined };
  const model: WrappedModel = {
    specificationVersion: 'v4',
    provider: 'ai-sdk-summarization',
    modelId: 'prompt-reader',
    // Every address is supported, so that no file is downloaded.
    supportedUrls: { '*/*': [/^/] },
    doGenerate: (options) => {
      read = { prompt: currentPrompt(options.prompt), tools: options.tools };
      return Promise.resolve(noAnswer);
    },
    doStream: () => Promise.reject(new Error('The prompt reader does not stream.')),
  };
  // Only the conversion is wanted of this call; what the SDK makes of the answer does not matter.
  await ai.generateText({
    model: isOlderSDK(ai) ? Object.assign({ ...model }, { specificationVersion: 'v3' }) : model,
    messages: messages.map(withApprovedInput),
    tools,
    allowSystemInMessages: true,
    telemetry: { isEnabled: false },
  });
  return read;
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

const noTokens = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 };

const noAnswer: Awaited<ReturnType<WrappedModel['doGenerate']>> = {
  content: [{ type: 'text', text: '-' }],
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: { inputTokens: noTokens, outputTokens: { total: 0, text: 0, reasoning: 0 } },
  warnings: [],
};

/** Whether messages are in the form a middleware sees already. */
function isPrompt(messages: Conversation): messages is readonly Message[] {
  return messages.every(({ role, content }) => {
    if (role === 'system') return true;
    return typeof content !== 'string' && content.every(isPromptPart);
  });
}

function isPromptPart(part: Exclude<Conversation[number]['content'], string>[number]): boolean {
  if (part.type === 'image' || part.type === 'tool-approval-request') return false;
  if (part.type !== 'file') return true;
  return typeof part.data === 'object' && part.data !== null && 'type' in part.data;
}

/**
 * Checks the shape of messages as far as the package reads it; the SDK checks the rest.
 *
 * @param name - What the caller calls the list.
 * @throws {SummarizationOptionError} naming the message that is wrong.
 */
export function checkMessages(
  messages: unknown,
  name: string,
): asserts messages is readonly ModelMessage[] | readonly Message[] {
  const allowed = name === 'prompt' ? 'a string or a list of messages' : 'a list of messages';
  checkThat(Array.isArray(messages), name, messages, allowed);
  for (const [index, message] of messages.entries()) {
    const path = `${name}[${index}]`;
    try {
      if (isMessage(message)) continue;
      const isFromUI = isObject(message) && 'parts' in message;
      const how = isFromUI ? '; convertToModelMessages makes them of UI messages' : '';
      checkThat(false, path, isFromUI ? 'a UI message' : message, shape + how);
    } catch (error) {
      refuse(path, message, error);
    }
  }
}

/**
 * Checks that everything in messages can be read, with those that read it.
 *
 * @throws {SummarizationOptionError} naming the message that holds itself, throws or lacks something.
 */
function checkReadable(prompt: readonly Message[], name: string): void {
  for (const [index, message] of prompt.entries()) {
    try {
      scanPrompt({ prompt: [message] }, 'other');
      canonicalMessage(message);
    } catch (error) {
      refuse(`${name}[${index}]`, message, error);
    }
  }
}

const roles: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool']);

const shape = `an object with a role (${[...roles].join(', ')}) and a content: a string, or a list of parts that have a type`;

function isMessage(message: unknown): boolean {
  if (!isObject(message)) return false;
  const { role, content } = message;
  if (!roles.has(role)) return false;
  if (typeof content === 'string') return true;
  return (
    role !== 'system' &&
    Array.isArray(content) &&
    content.every((part) => isObject(part) && typeof part['type'] === 'string')
  );
}

function refuse(path: string, message: unknown, error: unknown): never {
  if (SummarizationOptionError.isInstance(error)) throw error;
  const allowed = `a message of which every part can be read (${messageOf(error)})`;
  throw new SummarizationOptionError({ option: path, value: message, allowed });
}

/**
 * Tools in place of those of a conversation. The AI SDK runs the calls that the last message approves before
 * it asks the model; where nothing is asked no tool may run, and its result counts as empty.
 */
export function standInTools(messages: readonly (ModelMessage | Message)[]): ToolSet {
  const standIn = { inputSchema: z.unknown(), execute: () => '' };
  const tools: [name: string, tool: ToolSet[string]][] = [];
  for (const { role, content } of messages) {
    if (role !== 'assistant' || typeof content === 'string') continue;
    for (const part of content)
      if (part.type === 'tool-call' && typeof part.toolName === 'string')
        tools.push([part.toolName, standIn]);
  }
  return Object.fromEntries(tools);
}

/**
 * The model that a caller means, who may have no types: ids are resolved as the SDK does it, models of
 * older specifications are taken as the SDK takes them.
 *
 * @throws {SummarizationOptionError} for what is no model; what the provider throws for an id it does not know.
 */
export async function readModel(model: LanguageModel): Promise<WrappedModel> {
  checkModel(model);
  const resolved = await resolveModel(model);
  if (resolved.specificationVersion === 'v4') return resolved;
  const { wrapLanguageModel } = await import('ai');
  return wrapLanguageModel({ model: resolved, middleware: [] });
}

/** @throws {SummarizationOptionError} unless something is a model or the id of one. */
export function checkModel(model: unknown): void {
  checkThat(isModel(model), 'model', model, 'a language model or the id of one');
}
