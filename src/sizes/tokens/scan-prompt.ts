import type { LanguageModelV4FilePart } from '@ai-sdk/provider';
import type { CallOptions, Message } from '../../prompt/messages/prompt-types.ts';
import type { MessagePart, ToolOutput, UnknownPart } from '../../prompt/messages/message-parts.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import { utf8Length } from '../../foundations/util/strings.ts';
import type { MediaFamily, SendingRules } from './model-family.ts';

/** Estimates of texts and files without a tokenizer. Tokens are of o200k. */
export interface TextSize {
  /** Most tokens of the texts: a token takes a byte of UTF-8 at the least. English has about a quarter of them. */
  readonly bound: number;
  readonly characters: number;
  /** Tokens that are assumed around the texts, and for content that only the provider can read. */
  readonly frames: number;
  /** Tokens of files, by the published rule of a family. */
  readonly files: number;
  /** All tokens, at four characters a token. */
  readonly estimate: number;
}

/** Estimate of a prompt without a tokenizer, with its tools and response schema. */
export interface PromptScan extends TextSize {
  readonly prompt: CallOptions['prompt'];
  /** Tools and the response schema. */
  readonly overhead: TextSize;
  /** Number of leading system messages, and their length in characters. */
  readonly start: number;
  readonly systemCharacters: number;
  /** Sizes of the messages after these. */
  readonly sizes: readonly TextSize[];
}

/**
 * Sizes a prompt, its tools and response schema by the lengths of the texts that are sent.
 *
 * @throws TypeError for a text that is none, or a value that JSON has no text for.
 */
export function scanPrompt(
  params: Pick<CallOptions, 'prompt'> & OverheadParams,
  rules: SendingRules,
): PromptScan {
  const { prompt } = params;
  const overhead = sizeOf(overheadTexts(params, rules));
  const systems: TextSize[] = [];
  const sizes: TextSize[] = [];
  for (const message of prompt) {
    const isLeading = message.role === 'system' && sizes.length === 0;
    (isLeading ? systems : sizes).push(sizeOf(messageTexts(message, rules)));
  }
  const { characters: systemCharacters } = totalOf(systems);
  const whole = totalOf([overhead, ...systems, ...sizes]);
  return { ...whole, prompt, overhead, start: systems.length, systemCharacters, sizes };
}

function sizeOf({ texts, characters, frames, files }: SentTexts): TextSize {
  let bytes = 0;
  for (const text of texts) bytes += utf8Length(text);
  const estimate = characters / charactersPerToken + frames + files;
  return { bound: bytes + frames + files, characters, frames, files, estimate };
}

/** Adds sizes. */
export function totalOf(sizes: readonly TextSize[]): TextSize {
  const total = { bound: 0, characters: 0, frames: 0, files: 0, estimate: 0 };
  for (const { bound, characters, frames, files, estimate } of sizes) {
    total.bound += bound;
    total.characters += characters;
    total.frames += frames;
    total.files += files;
    total.estimate += estimate;
  }
  return total;
}

/** Parts of a request that cost tokens, defined in this one place. */
export interface SentTexts extends Pick<TextSize, 'characters' | 'frames' | 'files'> {
  /** Text for the tokenizer, with JSON written out. */
  readonly texts: readonly string[];
}

/** Parts of a call beside its messages. */
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
export const charactersPerToken = 4;

/**
 * Reads the texts that are sent for one message: its texts and reasoning, names and JSON of tool calls, tool output the
 * same way. Encrypted reasoning and compacted history, which only the provider can read, are estimated from their size.
 * Ids and other provider options cost nothing.
 *
 * @throws TypeError for a text that is none, or a value that JSON has no text for.
 */
export function messageTexts(message: Message, rules: SendingRules): SentTexts {
  const read = { rules, texts: [], characters: 0, frames: messageFrameTokens, files: 0 };
  if (message.role === 'system') addText(read, message.content);
  else for (const part of message.content) addPart(part, read);
  return read;
}

/**
 * Reads the texts that are sent for the tools and the response schema: names, descriptions and schemas as JSON, a frame
 * for each, the preamble of tool use, and the opening of the answer.
 */
export function overheadTexts(
  { tools = [], toolChoice, responseFormat }: OverheadParams,
  rules: SendingRules,
): SentTexts {
  const frames = answerOpeningTokens + (tools.length > 0 ? toolPreambleTokens[rules.family] : 0);
  const read = { rules, texts: [], characters: 0, frames, files: 0 };
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
  return read;
}

/** Texts as they are read. */
interface Reading extends SentTexts {
  readonly rules: SendingRules;
  readonly texts: string[];
  characters: number;
  frames: number;
  files: number;
}

function addText(read: Reading, text: string): void {
  // A message of a caller without types: anything else may have a length, and would read as nothing.
  if (typeof text !== 'string') throw new TypeError('A text is not a string.');
  read.texts.push(text);
  read.characters += text.length;
}

function addJson(read: Reading, value: unknown): void {
  addText(read, JSON.stringify(value) ?? '');
}

function addFile(file: PromptFile, read: Reading): void {
  if (file.data.type === 'text') addText(read, file.data.text);
  else read.files += fileTokens(file, read.rules.family);
}

function addPart(part: MessagePart, read: Reading): void {
  switch (part.type) {
    case 'text':
      addText(read, part.text);
      break;
    case 'file':
    case 'reasoning-file':
      addFile(part, read);
      break;
    case 'reasoning': {
      // The text of encrypted reasoning is a summary of it.
      const opaque = opaqueTokens(part.providerOptions);
      if (opaque * charactersPerToken > part.text.length) read.frames += opaque;
      else addText(read, part.text);
      break;
    }
    case 'tool-call':
      read.frames += toolPartTokens;
      addText(read, part.toolName);
      addJson(read, part.input);
      break;
    case 'tool-result':
      read.frames += toolPartTokens;
      addText(read, part.toolName);
      addOutput(part.output, read);
      break;
    case 'tool-approval-response':
      read.frames += toolPartTokens;
      addText(read, part.reason ?? '');
      break;
    case 'custom':
      read.frames += opaqueTokens(part.providerOptions);
      break;
    default: {
      const { text }: UnknownPart = part satisfies never;
      // An unknown part may hold files: characters taken for text must not refuse a prompt that fits.
      addText(read, typeof text === 'string' ? text : '');
    }
  }
}

function addOutput(output: ToolOutput, read: Reading): void {
  switch (output.type) {
    case 'text':
    case 'error-text':
      addText(read, output.value);
      break;
    case 'json':
    case 'error-json':
      addJson(read, output.value);
      break;
    case 'execution-denied':
      addText(read, output.reason ?? 'Tool call execution denied.');
      break;
    case 'content':
      if (read.rules.writesJson) addJsonParts(output.value, read);
      else for (const part of output.value) addPart(part, read);
      break;
    default: {
      const { value }: UnknownPart = output satisfies never;
      addText(read, typeof value === 'string' ? value : '');
    }
  }
}

/** Characters of base64 that a token of o200k holds: 1.46 of bytes drawn by chance, 2.0 of one byte repeated. */
const base64PerToken = 1.46;

/** Adds the parts of a tool result as JSON text; base64 is estimated from its length. */
function addJsonParts(
  parts: Extract<ToolOutput, { type: 'content' }>['value'],
  read: Reading,
): void {
  const written = parts.map((part) => {
    const base64 = part.type === 'file' ? (base64Length(part.data) ?? 0) : 0;
    read.files += Math.ceil(base64 / base64PerToken);
    return base64 === 0 ? part : { ...part, data: '' };
  });
  addJson(read, written);
}

/**
 * Providers whose options may hold content that only they can read. Only these are read: options may have any number of
 * names.
 */
const opaqueProviders = ['openai', 'azure', 'xai', 'anthropic', 'bedrock', 'amazonBedrock'];
const opaqueOptions = ['reasoningEncryptedContent', 'encryptedContent', 'redactedData'];

/** Base64 of encrypted text: 3 bytes in 4 characters, about 4 bytes a token. */
function opaqueTokens(providerOptions: Message['providerOptions']): number {
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

/** A file in a prompt: of a message, of reasoning or of a tool result. */
interface PromptFile {
  readonly data: LanguageModelV4FilePart['data'];
  readonly mediaType: string;
}

/**
 * Published prices of an image of 1024 x 1024 pixels, a page of a document (Anthropic states 1,500 to 3,000 for the
 * text and an image of it, Google 560), and a second of sound (OpenAI states 10, Google 32, Mistral 12.5).
 */
const fileRates: Readonly<Record<MediaFamily, { image: number; page: number; second: number }>> = {
  openai: { image: 1024, page: 2000, second: 10 },
  anthropic: { image: 1399, page: 3000, second: 32 },
  google: { image: 1120, page: 560, second: 32 },
  other: { image: 1399, page: 2000, second: 13 },
};

/**
 * Prices a file by kind and size, never by its bytes as text:
 * - images: a token per 40 bytes, which a screenshot of text comes to, at most what one of 1024 x 1024 pixels costs, as
 *   unknown ones do;
 * - documents: a page per 100 kB, 1 to 50 (5 if unknown);
 * - sound: a second per 16 kB (64 kB for WAV; a minute if unknown);
 * - video: a second per 250 kB (a minute if unknown), at 300 tokens (Google's rate);
 * - text: a token per 4 bytes (2,000 if unknown).
 *
 * These are estimates on purpose on the low side: the model's answer corrects too low a figure,
 * while too high a figure would refuse a prompt that fits.
 */
function fileTokens({ data, mediaType }: PromptFile, family: MediaFamily): number {
  const bytes = bytesOf(data);
  const type = mediaType.toLowerCase();
  const { image, page, second } = fileRates[family];
  const of = (size: number, unknown: number): number =>
    bytes === undefined ? unknown : Math.ceil(bytes / size);
  switch (type.replace(/\/.*/s, '')) {
    case 'image':
      return Math.min(image, of(40, image));
    case 'audio':
      return of(/wav|pcm|l16/.test(type) ? 64_000 : 16_000, 60) * second;
    case 'video':
      return of(250_000, 60) * 300;
    case 'text':
      return of(4, 2000);
    default:
      return Math.min(50, Math.max(1, of(100_000, 5))) * page;
  }
}

/**
 * Counts the bytes of a file that the prompt holds, of base64 up to a few too many; `undefined` for references and
 * URLs.
 */
function bytesOf(data: PromptFile['data']): number | undefined {
  if (data.type === 'data' && typeof data.data !== 'string') return data.data.length;
  const length = base64Length(data);
  return length === undefined ? undefined : Math.floor((length * 3) / 4);
}

/** Counts the characters of a file's bytes in base64; `undefined` if the prompt does not hold them. */
export function base64Length(data: PromptFile['data']): number | undefined {
  if (data.type === 'url') return /^data:[^,]*,(.*)/s.exec(data.url.href)?.[1]?.length;
  if (data.type !== 'data') return undefined;
  return typeof data.data === 'string' ? data.data.length : Math.ceil(data.data.length / 3) * 4;
}
