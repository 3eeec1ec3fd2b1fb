import type {
  LanguageModelV4FilePart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import {
  type FileData,
  readMessagePart,
  readToolOutput,
  unknownContent,
  type OutputReader,
  type PartReader,
} from '../prompt/message-parts.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { toBase64 } from '../util/strings.ts';
import { canonicalJson } from '../json/write-json.ts';
import { parseJson } from '../json/parse-json.ts';
import type { Steps } from '../util/async/run-steps.ts';

/** Numbers tool-call and approval ids in the order in which a conversation first names them. */
export type IdNumbers = Map<string, number>;

/** Whether anything of a message identifies it: text, a file, a call, a result or an approval. */
export function isSignificant(message: Message): boolean {
  if (message.role === 'system') return true;
  return message.content.some((part) =>
    part.type === 'text' ? part.text !== '' : !volatileTypes.has(part.type),
  );
}

const volatileTypes: ReadonlySet<string> = new Set(['reasoning', 'reasoning-file', 'custom']);

/**
 * The content of a message that identifies it, as one line of text. Left out: `providerOptions`,
 * signatures, reasoning, `custom` and empty parts, which change or vanish when a history goes to a
 * client and comes back. Tool-call ids count by order of appearance, so a history whose ids were
 * renamed is still the same history. Written in steps between which others may work.
 *
 * @param textInputs - Those of the messages before it; without them, the message is read by itself.
 */
export function* canonicalMessage(
  message: Message,
  ids: IdNumbers,
  textInputs?: TextInputs,
): Steps<string> {
  const filesOfBytes: FileOfBytes[] = [];
  const content = canonicalContent(message, { ids, textInputs, filesOfBytes });
  for (const { file, bytes } of filesOfBytes) file.push(toBase64(bytes));
  return yield* canonicalJson(content);
}

/** What is handed on to the parts of a message. */
interface Given {
  readonly ids: IdNumbers;
  readonly textInputs: TextInputs | undefined;
  readonly filesOfBytes: FileOfBytes[];
}

function canonicalContent(message: Message, given: Given): readonly unknown[] {
  if (message.role === 'system') return ['system', message.content];
  const parts: unknown[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') parts.push(text);
    text = '';
  };
  for (const part of message.content) {
    const canonical = readMessagePart(part, canonicalPart, given);
    if (canonical === undefined) continue;
    if (typeof canonical === 'string') text += canonical;
    else {
      flush();
      parts.push(canonical);
    }
  }
  flush();
  return [message.role, ...(message.role === 'tool' ? inOrderOfCalls(parts) : parts)];
}

/**
 * Results in the order of their calls: what was approved ends after the calls beside it, and comes back from a client
 * in its place among them.
 */
function inOrderOfCalls(parts: readonly unknown[]): readonly unknown[] {
  return parts.toSorted((a, b) => callOf(a) - callOf(b));
}

/** The number of the call that a result answers; what is none goes first. */
function callOf(part: unknown): number {
  return Array.isArray(part) && part[0] === 'result' ? Number(part[1]) : -1;
}

const canonicalPart: PartReader<Given, unknown[] | string | undefined> = {
  text: ({ text }) => text,
  file: (part, { filesOfBytes }) => canonicalFile(part, filesOfBytes),
  reasoning: () => undefined,
  reasoningFile: () => undefined,
  call: (part, { ids, textInputs }) => [
    'call',
    numberFor(part.toolCallId, ids),
    part.toolName,
    isLeftToResult(part, textInputs) ? {} : part.input,
  ],
  result: (part, given) => {
    const input = unreadInput(part, given.textInputs);
    return [
      'result',
      numberFor(part.toolCallId, given.ids),
      part.toolName,
      readToolOutput(part.output, canonicalOutput, given),
      ...(input === undefined ? [] : [input]),
    ];
  },
  approval: ({ approvalId, approved, reason }, { ids }) => [
    'approval',
    numberFor(approvalId, ids),
    approved,
    reason,
  ],
  custom: () => undefined,
  unknown: (part) => ['unknown', unknownContent(part)],
};

const canonicalOutput: OutputReader<Given, unknown[]> = {
  text: ({ type, value }) => [type, value],
  json: ({ type, value }) => [type, type === 'error-json' ? errorOf(value) : value],
  // What a client sends back, and what providers are told where no reason was given.
  denied: ({ reason = 'Tool call execution denied.' }) => ['error-text', reason],
  content: ({ type, value }, given) => [
    type,
    ...value.map((part) => readMessagePart(part, canonicalPart, given) ?? part.type),
  ],
  unknown: ({ type, value }) => [type, value],
};

/** Characters of an error that are read as JSON: the parser cannot pause. */
const maxErrorCharacters = 16_384;

/** The error of a tool that a provider runs: an object within the loop, the same as text once it was with a client. */
function errorOf(value: unknown): unknown {
  const isText = typeof value === 'string' && value.length <= maxErrorCharacters;
  return isText ? (parseJson(value) ?? value) : value;
}

function numberFor(id: string, ids: IdNumbers): number {
  const known = ids.get(id);
  if (known !== undefined) return known;
  ids.set(id, ids.size);
  return ids.size - 1;
}

/** A file whose content is still to be added, as base64. */
interface FileOfBytes {
  readonly file: unknown[];
  readonly bytes: Uint8Array;
}

/**
 * What identifies a file: its media type and its bytes, address or text. Raw bytes and their base64
 * form are the same file: a history that went through JSON carries the latter.
 *
 * @param filesOfBytes - Where a file of raw bytes is put: base64 takes steps.
 */
function canonicalFile(
  { data, mediaType }: Pick<LanguageModelV4FilePart, 'data' | 'mediaType'>,
  filesOfBytes: FileOfBytes[],
): unknown[] {
  const file: unknown[] = ['file', mediaType, data.type];
  if (data.type === 'data' && typeof data.data !== 'string')
    filesOfBytes.push({ file, bytes: data.data });
  else file.push(fileContent(data));
  return file;
}

function fileContent(data: FileData): unknown {
  switch (data.type) {
    case 'data':
      return data.data;
    case 'url':
      return String(data.url);
    case 'reference':
      return data.reference;
    case 'text':
      return data.text;
  }
}

/** Inputs of calls that are texts, by the ids of the calls until their results have come. */
export type TextInputs = Map<string, string>;

/**
 * Whether the result of a call is to say what its input was. What a model wrote that no tool can read is sent as `{}`
 * within the loop, and as the text it is once it has come back from a client.
 *
 * @param textInputs - Those of the messages before it; without them, a call says so itself.
 */
function isLeftToResult(
  { toolCallId, input, providerExecuted }: LanguageModelV4ToolCallPart,
  textInputs: TextInputs | undefined,
): boolean {
  const isLeft =
    typeof input === 'string' && providerExecuted !== true && textInputs?.has(toolCallId) === false;
  if (isLeft) textInputs?.set(toolCallId, input);
  return isLeft;
}

/** The input that was left to a result, unless the result is the word of the SDK that nobody could read it. */
function unreadInput(
  { toolCallId, output }: LanguageModelV4ToolResultPart,
  textInputs: TextInputs | undefined,
): string | undefined {
  const input = textInputs?.get(toolCallId);
  textInputs?.delete(toolCallId);
  if (input === undefined || output.type !== 'error-text') return input;
  // Without types, it may be anything.
  const said: unknown = output.value;
  if (typeof said !== 'string') return input;
  const words = [`failed: Text: ${input}.`, `failed: Value: ${JSON.stringify(input)}.`];
  return words.some((quoted) => said.includes(quoted)) ? undefined : input;
}
