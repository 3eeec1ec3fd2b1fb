import type { LanguageModelV4, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import type { ModelMessage } from 'ai';
import type { Message } from '../prompt/prompt-types.ts';
import { checkMessages, checkReadable } from './check-messages.ts';

/** A conversation as `generateText` takes it, or as a middleware sees it. */
export type Conversation = readonly ModelMessage[] | readonly Message[];

/**
 * Messages as `generateText` takes them or as a middleware sees them, in the latter form. The SDK itself
 * converts: only so does a conversation get the same identity here as in a call.
 *
 * @param name - What the caller calls the messages.
 * @throws {SummarizationOptionError} naming the message that cannot be read.
 */
export async function toPrompt(messages: Conversation, name: string): Promise<readonly Message[]> {
  checkMessages(messages, name);
  const prompt = isPrompt(messages) ? messages : await converted(messages);
  checkReadable(prompt, name);
  return prompt;
}

async function converted(messages: Conversation): Promise<readonly Message[]> {
  const { generateText } = await import('ai');
  let prompt: readonly Message[] = [];
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'ai-sdk-summarization',
    modelId: 'prompt-reader',
    // Every address is supported, so that no file is downloaded.
    supportedUrls: { '*/*': [/^/] },
    doGenerate: (options) => {
      prompt = options.prompt;
      return Promise.resolve(noAnswer);
    },
    doStream: () => Promise.reject(new Error('The prompt reader does not stream.')),
  };
  // Only the conversion is wanted of this call; what the SDK makes of the answer does not matter.
  await generateText({
    model,
    messages: [...messages],
    allowSystemInMessages: true,
    telemetry: { isEnabled: false },
  });
  return prompt;
}

const noTokens = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 };

const noAnswer: LanguageModelV4GenerateResult = {
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
  const data: unknown = part.data;
  return typeof data === 'object' && data !== null && 'type' in data;
}
