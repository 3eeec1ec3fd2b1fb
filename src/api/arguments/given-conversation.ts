import type { ModelMessage, ToolSet } from 'ai';
import { checkThat } from '../../checks/check-object.ts';
import type { CallOptions, Message, WrappedModel } from '../../prompt/prompt-types.ts';
import { currentPrompt, isOlderSDK } from '../../sdk/older-sdk.ts';
import { isObject } from '../../util/is-object.ts';
import { checkMessages, checkReadable } from './check-messages.ts';
import { standInTools } from './stand-in-tools.ts';
import { messageOf } from '../../util/errors.ts';

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
  await checkReadable(prompt, name);
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
