import type { ModelMessage, ToolSet } from 'ai';
import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import type { CallOptions, Message, WrappedModel } from '../prompt/prompt-types.ts';
import { checkReadable } from './check-messages.ts';

/** A conversation as `generateText` takes it, or as a middleware sees it. */
export type Conversation = readonly ModelMessage[] | readonly Message[];

/** What a model is sent, as `generateText` takes it or as a middleware sees it. */
export interface GivenCall {
  readonly messages: Conversation;
  readonly tools?: CallOptions['tools'] | ToolSet | undefined;
  /**
   * What the caller calls the messages.
   * @default 'messages'
   */
  readonly name?: string | undefined;
}

/** The same as a middleware sees it. */
export interface ReadCall {
  readonly prompt: readonly Message[];
  readonly tools: CallOptions['tools'] | undefined;
}

/**
 * Reads messages and tools in either form. The SDK itself converts: only so does a conversation get the
 * same identity here as in a call.
 *
 * @throws {SummarizationOptionError} naming the message that cannot be read.
 */
export async function readCall({
  messages,
  tools,
  name = 'messages',
}: GivenCall): Promise<ReadCall> {
  const read = await inForm(messages, tools);
  await checkReadable(read.prompt, name);
  return read;
}

async function inForm(messages: Conversation, tools: GivenCall['tools']): Promise<ReadCall> {
  const isList = tools === undefined || Array.isArray(tools);
  return {
    prompt: isPrompt(messages) ? messages : (await convert(messages)).prompt,
    tools: isList ? tools : await readTools(tools),
  };
}

async function readTools(tools: ToolSet): Promise<ReadCall['tools']> {
  try {
    return (await convert([{ role: 'user', content: '-' }], tools)).tools;
  } catch (error) {
    // What the SDK throws for a schema that is none names neither the tools nor what is allowed.
    const reason = error instanceof Error ? error.message : String(error);
    const allowed = `tools as generateText takes them, whose inputSchema a schema library or jsonSchema() makes (${reason})`;
    throw new SummarizationOptionError({ option: 'tools', value: tools, allowed });
  }
}

async function convert(messages: Conversation, tools?: ToolSet): Promise<ReadCall> {
  const { generateText } = await import('ai');
  let read: ReadCall = { prompt: [], tools: undefined };
  const model: WrappedModel = {
    specificationVersion: 'v4',
    provider: 'ai-sdk-summarization',
    modelId: 'prompt-reader',
    // Every address is supported, so that no file is downloaded.
    supportedUrls: { '*/*': [/^/] },
    doGenerate: (options) => {
      read = { prompt: options.prompt, tools: options.tools };
      return Promise.resolve(noAnswer);
    },
    doStream: () => Promise.reject(new Error('The prompt reader does not stream.')),
  };
  // Only the conversion is wanted of this call; what the SDK makes of the answer does not matter.
  await generateText({
    model,
    messages: [...messages],
    ...(tools === undefined ? {} : { tools }),
    allowSystemInMessages: true,
    telemetry: { isEnabled: false },
  });
  return read;
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

type Part = Exclude<Conversation[number]['content'], string>[number];

function isPromptPart(part: Part): boolean {
  if (part.type === 'image' || part.type === 'tool-approval-request') return false;
  if (part.type !== 'file') return true;
  return typeof part.data === 'object' && part.data !== null && 'type' in part.data;
}
