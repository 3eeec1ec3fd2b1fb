import type { Message } from '../prompt/prompt-types.ts';
import type { PromptFile } from './files/file-tokens.ts';
import {
  readMessagePart,
  readToolOutput,
  type OutputReader,
  type PartReader,
} from '../prompt/read-message-part.ts';
import { stringifyJson, stringifySteps } from '../json/stringify-json.ts';
import { isLargeJson } from '../json/walk-json.ts';
import { isObject } from '../util/is-object.ts';
import type { Steps } from '../util/async/run-steps.ts';

/** How large texts and files are: exact counts or bounds. The walk over a prompt is the same. */
export interface PromptMeasure {
  readonly text: (text: string) => number;
  readonly file: (file: PromptFile) => number;
  /**
   * Size of a JSON value.
   * @default the size of its text, which has to be written first
   */
  readonly json?: ((value: unknown) => number) | undefined;
}

/** Size of a JSON value under a measure. */
export function measureJson(value: unknown, { json, text }: Omit<PromptMeasure, 'file'>): number {
  return json === undefined ? text(stringifyJson(value)) : json(value);
}

/** Tokens for the frame of a message: OpenAI states 3 and the role. */
const messageFrameTokens = 4;
/** Tokens for the frame of a tool call, a tool result or an approval: type, id and separators. */
const toolPartTokens = 8;

/**
 * Adds up what a provider is sent for one message: 4 tokens for the message, its texts and reasoning,
 * names and JSON of tool calls with 8 tokens each, tool output the same way, files by their own rule.
 * Encrypted reasoning and compacted history, which only the provider can read, are estimated from
 * their size. Ids and other provider options cost nothing.
 */
export function measureMessage(message: Message, measure: PromptMeasure): number {
  if (message.role === 'system') return messageFrameTokens + measure.text(message.content);
  let total = messageFrameTokens;
  for (const part of message.content) total += readMessagePart(part, partTokens, measure);
  return total;
}

/** Messages between two steps: under 1 ms, but for megabytes in one of them. */
const measuredAtOnce = 256;

/** Adds up the texts of messages, in steps between which others may work. */
export function* measureSteps(
  messages: readonly Message[],
  { text, file }: Pick<PromptMeasure, 'text' | 'file'>,
): Steps<number> {
  const large: object[] = [];
  const json = (value: unknown): number => {
    if (!isLargeJson(value)) return text(stringifyJson(value));
    large.push(value);
    return 0;
  };
  let total = 0;
  for (let start = 0; start < messages.length; start += measuredAtOnce) {
    if (start > 0) yield;
    total += measureMessages(messages.slice(start, start + measuredAtOnce), { text, file, json });
    for (let value = large.pop(); value !== undefined; value = large.pop())
      total += text(yield* stringifySteps(value));
  }
  return total;
}

/** In a generator itself, the loop is slower. */
function measureMessages(messages: readonly Message[], measure: PromptMeasure): number {
  return messages.reduce((total, message) => total + measureMessage(message, measure), 0);
}

const partTokens: PartReader<PromptMeasure, number> = {
  text: ({ text }, measure) => measure.text(text),
  file: measureFile,
  reasoning: ({ text, providerOptions }, measure) =>
    Math.max(measure.text(text), opaqueTokens(providerOptions)),
  reasoningFile: measureFile,
  call: ({ toolName, input }, measure) =>
    toolPartTokens + measure.text(toolName) + measureJson(input, measure),
  result: ({ toolName, output }, measure) =>
    toolPartTokens + measure.text(toolName) + readToolOutput(output, outputTokens, measure),
  approval: ({ reason }, measure) => toolPartTokens + measure.text(reason ?? ''),
  custom: ({ providerOptions }) => opaqueTokens(providerOptions),
  // Files may be in there: what is taken for text must not refuse a prompt that fits.
  unknown: ({ text }, measure) => measure.text(typeof text === 'string' ? text : ''),
};

const outputTokens: OutputReader<PromptMeasure, number> = {
  text: ({ value }, measure) => measure.text(value),
  json: ({ value }, measure) => measureJson(value, measure),
  denied: ({ reason }, measure) => measure.text(reason ?? 'Tool call execution denied.'),
  content: ({ value }, measure) => {
    let total = 0;
    for (const part of value) total += readMessagePart(part, partTokens, measure);
    return total;
  },
  unknown: ({ value }, measure) => measure.text(typeof value === 'string' ? value : ''),
};

function measureFile(file: PromptFile, measure: PromptMeasure): number {
  return file.data.type === 'text' ? measure.text(file.data.text) : measure.file(file);
}

/** Where providers put what only they can read. Looked up, not looked for: options may have any number of names. */
const opaqueProviders = ['openai', 'azure', 'xai', 'anthropic', 'bedrock', 'amazonBedrock'];
const opaqueOptions = ['reasoningEncryptedContent', 'encryptedContent', 'redactedData'];

/** Base64 of encrypted text: 3 bytes in 4 characters, about 4 bytes a token. */
export function opaqueTokens(providerOptions: PromptFile['providerOptions']): number {
  let characters = 0;
  for (const provider of opaqueProviders) {
    const options = providerOptions?.[provider];
    if (!isObject(options)) continue;
    for (const name of opaqueOptions) {
      const value = options[name];
      if (typeof value === 'string') characters += value.length;
    }
  }
  return Math.ceil((characters * 3) / 16);
}
