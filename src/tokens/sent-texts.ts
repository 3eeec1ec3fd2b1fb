import { jsonText } from '../json/write-json.ts';
import type { CallOptions, Message } from '../prompt/prompt-types.ts';
import {
  readMessagePart,
  readToolOutput,
  type OutputReader,
  type PartReader,
} from '../prompt/message-parts.ts';
import type { Steps } from '../util/async/run-steps.ts';
import { isObject } from '../util/is-object.ts';
import { fileTokens, type PromptFile } from './files/file-tokens.ts';
import type { MediaFamily } from './files/media-family-of.ts';

/** What a provider is sent, as far as it costs tokens: the one place that says what does. */
export interface SentTexts {
  /** What the tokenizer reads, JSON written out. */
  readonly texts: readonly string[];
  /** Tokens that are assumed around them, and those of what only the provider can read. */
  readonly frames: number;
  /** Tokens of files, by the published rule of a family. */
  readonly files: number;
}

/** What a call carries besides its messages. */
export type OverheadParams = Pick<CallOptions, 'tools' | 'toolChoice' | 'responseFormat'>;

/** Tokens for the frame of a message: OpenAI states 3 and the role. */
const messageFrameTokens = 4;
/** Tokens for the frame of a tool call, a tool result or an approval: type, id and separators. */
const toolPartTokens = 8;
/** Tokens that open the answer: OpenAI states 3. */
const answerOpeningTokens = 3;
/** Tokens for the frame of a tool definition; OpenAI's own format is a little shorter than JSON. */
const toolTokens = 8;
/** Tokens for the definition of a tool that the provider keeps itself, such as a web search. */
const providerToolTokens = 500;
/** Tokens that tell the model how to call tools: Anthropic states 346, templates of Qwen take 130. */
const toolPreambleTokens: Readonly<Record<MediaFamily, number>> = {
  openai: 16,
  anthropic: 346,
  google: 16,
  other: 130,
};
/** Tokens for the frame of a response schema. */
const responseFormatTokens = 16;
/** Characters of common text that a token holds. */
const charactersPerToken = 4;

/**
 * Reads what is sent for one message: its texts and reasoning, names and JSON of tool calls, tool output the same
 * way, in steps between which others may work. Encrypted reasoning and compacted history, which only the provider can
 * read, are estimated from their size. Ids and other provider options cost nothing.
 *
 * @throws TypeError for a text that is none, or JSON that holds itself; RangeError for JSON too deep or long for any
 * provider.
 */
export function messageTexts(message: Message, family: MediaFamily): Steps<SentTexts> {
  const read = reading(family, messageFrameTokens);
  if (message.role === 'system') addText(read, message.content);
  else for (const part of message.content) readMessagePart(part, partTexts, read);
  return written(read);
}

/**
 * Reads what is sent for the tools and the response schema: names, descriptions and schemas as JSON, a frame for
 * each, the preamble of tool use, and the opening of the answer.
 */
export function overheadTexts(
  { tools = [], toolChoice, responseFormat }: OverheadParams,
  family: MediaFamily,
): Steps<SentTexts> {
  const preamble = tools.length > 0 ? toolPreambleTokens[family] : 0;
  const read = reading(family, answerOpeningTokens + preamble);
  for (const tool of tools) {
    if (tool.type === 'provider') {
      read.frames += providerToolTokens;
      addText(read, tool.name);
      addJson(read, tool.args);
    } else {
      const { name, description, inputSchema: parameters, inputExamples } = tool;
      read.frames += toolTokens;
      addJson(read, { name, description, parameters, inputExamples });
    }
  }
  if (toolChoice?.type === 'tool') addText(read, toolChoice.toolName);
  if (responseFormat?.type === 'json') {
    const { name, description, schema } = responseFormat;
    read.frames += responseFormatTokens;
    addJson(read, { name, description, schema });
  }
  return written(read);
}

/** Texts as they are read. */
interface Reading {
  readonly family: MediaFamily;
  readonly texts: string[];
  /** JSON that is to be written, and its places among the texts. */
  readonly values: (readonly [place: number, value: unknown])[];
  frames: number;
  files: number;
}

function reading(family: MediaFamily, frames: number): Reading {
  return { family, texts: [], values: [], frames, files: 0 };
}

function addText({ texts }: Reading, text: string): void {
  // A message of a caller without types: anything else may have a length, and would read as nothing.
  if (typeof text !== 'string') throw new TypeError('A text is not a string.');
  texts.push(text);
}

function addJson({ texts, values }: Reading, value: unknown): void {
  values.push([texts.length, value]);
  texts.push('');
}

function addFile(file: PromptFile, read: Reading): void {
  if (file.data.type === 'text') addText(read, file.data.text);
  else read.files += fileTokens(file, read.family);
}

function* written({ texts, values, frames, files }: Reading): Steps<SentTexts> {
  for (const [place, value] of values) texts[place] = yield* jsonText(value);
  return { texts, frames, files };
}

const partTexts: PartReader<Reading, void> = {
  text: ({ text }, read) => addText(read, text),
  file: addFile,
  reasoning: ({ text, providerOptions }, read) => {
    // The text of encrypted reasoning is a summary of it.
    const opaque = opaqueTokens(providerOptions);
    if (opaque * charactersPerToken > text.length) read.frames += opaque;
    else addText(read, text);
  },
  reasoningFile: addFile,
  call: ({ toolName, input }, read) => {
    read.frames += toolPartTokens;
    addText(read, toolName);
    addJson(read, input);
  },
  result: ({ toolName, output }, read) => {
    read.frames += toolPartTokens;
    addText(read, toolName);
    readToolOutput(output, outputTexts, read);
  },
  approval: ({ reason }, read) => {
    read.frames += toolPartTokens;
    addText(read, reason ?? '');
  },
  custom: ({ providerOptions }, read) => {
    read.frames += opaqueTokens(providerOptions);
  },
  // Files may be in there: what is taken for text must not refuse a prompt that fits.
  unknown: ({ text }, read) => addText(read, typeof text === 'string' ? text : ''),
};

const outputTexts: OutputReader<Reading, void> = {
  text: ({ value }, read) => addText(read, value),
  json: ({ value }, read) => addJson(read, value),
  denied: ({ reason }, read) => addText(read, reason ?? 'Tool call execution denied.'),
  content: ({ value }, read) => {
    for (const part of value) readMessagePart(part, partTexts, read);
  },
  unknown: ({ value }, read) => addText(read, typeof value === 'string' ? value : ''),
};

/** Where providers put what only they can read. Looked up, not looked for: options may have any number of names. */
const opaqueProviders = ['openai', 'azure', 'xai', 'anthropic', 'bedrock', 'amazonBedrock'];
const opaqueOptions = ['reasoningEncryptedContent', 'encryptedContent', 'redactedData'];

/** Base64 of encrypted text: 3 bytes in 4 characters, about 4 bytes a token. */
function opaqueTokens(providerOptions: PromptFile['providerOptions']): number {
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
