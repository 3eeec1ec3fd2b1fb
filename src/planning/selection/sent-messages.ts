import type { ToolOutput } from '../../prompt/messages/message-parts.ts';
import type {
  Message,
  ModelIdentity,
  ToolMessage,
  UserMessage,
} from '../../prompt/messages/prompt-types.ts';
import { base64Length } from '../../sizes/tokens/scan-prompt.ts';
import { sendingRulesOf } from '../../sizes/tokens/model-family.ts';
import { changeFiles, type FileChange, type ValueFile } from '../../foundations/util/binary.ts';
import { toBase64 } from '../../foundations/util/strings.ts';

/** Gives a message as it is sent; the same object where nothing in it changes. */
export type MessageTransform = (message: Message) => Message;

type Content = Extract<ToolOutput, { type: 'content' }>['value'];
export type FilePart = Extract<UserMessage['content'][number], { type: 'file' }>;
export type NotePart = Extract<UserMessage['content'][number], { type: 'text' }>;

/** Models for which Google's package writes one response for all texts of a tool result: Gemini from 3 on. */
const joinsResponses = /(?:^|[/.])gemini-(?!(?:[12](?:[.-]|$)|pro$|pro-vision$|robotics-er-1\.5))/;

/**
 * Mends what a provider's package would make worse of a message than it has to:
 *
 * - bytes that it writes as a number each become base64, in JSON that tools answered with any provider;
 * - texts of one tool result that it sends as several responses become one text;
 * - a user message without parts, which APIs refuse, says that it is empty.
 */
export function adaptForProvider(model: ModelIdentity): MessageTransform {
  const provider = model.provider.toLowerCase();
  const { writesJson } = sendingRulesOf(model);
  const joinsTexts =
    /^google|vertex/.test(provider) && !joinsResponses.test(model.modelId.toLowerCase());
  const writesNumbers = provider.startsWith('huggingface.');
  return (message) => {
    if (message.role === 'user') {
      if (message.content.length === 0) return { ...message, content: [emptyMessage] };
      return writesNumbers ? withFiles(message, encoded) : message;
    }
    const result = withValues(message, encodedBytes);
    if (writesJson) return withFiles(result, encoded);
    return joinsTexts ? withResults(result, joinedTexts) : result;
  };
}

const emptyMessage: NotePart = { type: 'text', text: '(empty message)' };

function encoded(file: FilePart): FilePart {
  const { data } = file;
  return data.type === 'data' && typeof data.data !== 'string'
    ? { ...file, data: { type: 'data', data: toBase64(data.data) } }
    : file;
}

/** Base64 of bytes: the SDK writes an object with a name for each. */
const encodedBytes: FileChange = ({ data }) =>
  typeof data === 'string' ? undefined : toBase64(data);

/** The texts of a result as one, where the first of them stands. */
function joinedTexts(parts: Content): Content {
  const texts = parts.filter((part) => part.type === 'text');
  const [first] = texts;
  if (first === undefined || texts.length === 1) return parts;
  const joined = { ...first, text: texts.map(({ text }) => text).join('\n') };
  return parts.flatMap((part) => (part === first ? joined : part.type === 'text' ? [] : part));
}

/** Lets the files of tool results that are sent as text give way to notes: those whose bytes the prompt holds. */
export function withoutResultFiles(model: ModelIdentity): MessageTransform {
  const sendAs = adaptForProvider(model);
  const { writesJson } = sendingRulesOf(model);
  return (message) => {
    const rest = withValues(message, notedFile);
    return sendAs(writesJson && rest.role === 'tool' ? withFiles(rest, notedPart) : rest);
  };
}

function notedPart(file: FilePart): FilePart | NotePart {
  if (base64Length(file.data) === undefined) return file;
  return fileNote(file, 'this provider is sent files of tools as text only');
}

/** Characters of base64 from which a file in a value gives way: 3 kB. */
const leastNoted = 4096;

function notedFile({ mediaType, data }: ValueFile): string | undefined {
  const file = { type: 'file', mediaType, data: { type: 'data', data } } as const;
  if ((base64Length(file.data) ?? 0) < leastNoted) return undefined;
  return fileNote(file, 'values of tools are sent as text').text;
}

/** Characters of base64 that messages take for files in values that tools answered with. */
export function base64OfValues(messages: readonly Message[]): number {
  let characters = 0;
  const add: FileChange = ({ data }) => {
    const length = base64Length({ type: 'data', data }) ?? 0;
    if (length >= leastNoted) characters += length;
    return undefined;
  };
  for (const message of messages) withValues(message, add);
  return characters;
}

/** Whether a message holds a file that a tool answered with. */
export function holdsResultFile(message: Message): boolean {
  return (
    message.role === 'tool' &&
    message.content.some(
      (part) =>
        part.type === 'tool-result' &&
        part.output.type === 'content' &&
        part.output.value.some(({ type }) => type === 'file'),
    )
  );
}

/** A message with something else where its files, and those that its tools answered, stand. */
export function withFiles(
  message: Message,
  change: (file: FilePart) => FilePart | NotePart,
): Message {
  if (message.role === 'user') {
    const content = message.content.map((part) => (part.type === 'file' ? change(part) : part));
    return isSame(content, message.content) ? message : { ...message, content };
  }
  return withResults(message, (parts) =>
    parts.map((part) => (part.type === 'file' ? change(part) : part)),
  );
}

/** A message with other parts in the results of its tools. */
function withResults(message: Message, change: (parts: Content) => Content): Message {
  return withOutputs(message, (output) => {
    if (output.type !== 'content') return output;
    const value = change(output.value);
    return isSame(value, output.value) ? output : { ...output, value };
  });
}

type ResultPart = Extract<ToolMessage['content'][number], { type: 'tool-result' }>;

/** A message with other outputs of its tools; the same one if none changes. */
export function withOutputs(
  message: Message,
  change: (output: ToolOutput, part: ResultPart) => ToolOutput,
): Message {
  if (message.role !== 'tool') return message;
  const content = message.content.map((part) => {
    if (part.type !== 'tool-result') return part;
    const output = change(part.output, part);
    return output === part.output ? part : { ...part, output };
  });
  return isSame(content, message.content) ? message : { ...message, content };
}

/** A message with texts in place of files in the values of its tools. */
function withValues(message: Message, change: FileChange): Message {
  return withOutputs(message, (output) => {
    if (!('value' in output) || output.type === 'content') return output;
    const value = changeFiles(output.value, change);
    if (Object.is(value, output.value)) return output;
    if (output.type === 'json' || output.type === 'error-json') return { ...output, value };
    return typeof value === 'string' ? { ...output, value } : output;
  });
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

/** Text in place of a file; the same for the same file, whatever else is in the prompt. */
export function fileNote({ mediaType, filename, data }: FilePart, reason: string): NotePart {
  const kilobytes = Math.ceil(((base64Length(data) ?? 0) * 3) / 4 / 1024);
  const what = [filename, mediaType, kilobytes > 0 ? `${kilobytes} kB` : undefined];
  const kind = /^image/i.test(mediaType) ? 'A picture' : 'A file';
  const text = `[${kind} (${what.filter(Boolean).join(', ')}) stood here; it was left out because ${reason}.]`;
  return { type: 'text', text };
}
