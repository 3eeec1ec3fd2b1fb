import type { LanguageModelV4FilePart, LanguageModelV4ToolCallPart } from '@ai-sdk/provider';
import { unknownContent, type MessagePart, type ToolOutput } from '../messages/message-parts.ts';
import type { Message } from '../messages/prompt-types.ts';
import { isSliceOver, yieldToEventLoop } from '../../foundations/util/async/waiting.ts';
import { sha256Hex } from '../../foundations/util/digest.ts';
import { digestOnce, digestTexts } from '../../foundations/util/async/digest-texts.ts';
import { parseJson } from '../../foundations/util/json.ts';
import { toBase64 } from '../../foundations/util/strings.ts';
import { type FileIdentity, unsignedAddress } from './file-address.ts';

/**
 * Recognizes a conversation by its content. Counts are of *significant* messages, those with content that identifies
 * them: a message of nothing but reasoning does not survive the way through a client, so it must not shift the others.
 */
export interface ConversationIdentity {
  /** Number of significant messages before an index. */
  readonly significantBefore: (index: number) => number;
  /** Index of the message that follows the first `count` significant ones; `undefined` if there are fewer. */
  readonly indexAfter: (count: number) => number | undefined;
  /** SHA-256 of the content of the first `count` significant messages, in hexadecimal digits. */
  readonly prefixDigest: (count: number) => Promise<string>;
  /**
   * Digest of each significant message in a range, 32 hexadecimal digits each: of the message alone, wherever it is in
   * a conversation.
   */
  readonly messageDigests: (start: number, end: number) => Promise<string[]>;
}

/**
 * Identifies a conversation. Messages are read only as far as needed, and each once.
 *
 * @param fileIdentity - Names files by their URLs. Default: the URL without its signature.
 */
export function identifyConversation(
  conversation: readonly Message[],
  fileIdentity?: FileIdentity,
): ConversationIdentity {
  const ends: number[] = [];
  const countBefore = [0];
  for (const [index, message] of conversation.entries()) {
    if (isSignificant(message)) ends.push(index + 1);
    countBefore.push(ends.length);
  }
  let errors: ReadonlyMap<string, string> | undefined;
  const around: CallsAround = {
    ids: new Map<string, number>(),
    errorOf: (toolCallId) => {
      errors ??= new Map(conversation.flatMap(toolErrors));
      return errors.get(toolCallId);
    },
    fileIdentity,
  };
  const read: CanonicalMessage[] = [];
  const readFirst = async (count: number): Promise<void> => {
    while (read.length < count) {
      const message = conversation[(ends[read.length] ?? 0) - 1];
      if (message === undefined) return;
      read.push(canonicalMessage(message, around));
      // A concurrent read continues from here.
      if (isSliceOver()) await yieldToEventLoop();
    }
  };
  const prefixes = new Map<number, Promise<string>>();
  const digests: Promise<string>[] = [];
  const digestOfFirst = async (count: number): Promise<string> => {
    await readFirst(count);
    const texts: string[] = [];
    for (const { content, calls } of read.slice(0, count)) {
      addCanonical(content, texts);
      texts.push(`${calls}\n`);
      if (isSliceOver()) await yieldToEventLoop();
    }
    return digestOnce(texts);
  };
  return {
    significantBefore: (index) => countBefore[Math.max(0, index)] ?? ends.length,
    indexAfter: (count) => (count === 0 ? 0 : ends[count - 1]),
    prefixDigest: (count) => {
      const digest = prefixes.get(count) ?? digestOfFirst(count);
      prefixes.set(count, digest);
      return digest;
    },
    messageDigests: async (start, end) => {
      await readFirst(end);
      const asked = read.slice(start, end);
      return Promise.all(
        asked.map((message, place) => (digests[start + place] ??= digestOfMessage(message))),
      );
    },
  };
}

async function digestOfMessage({ content }: CanonicalMessage): Promise<string> {
  const texts: string[] = [];
  addCanonical(content, texts);
  return (await digestTexts(texts)).slice(0, 32);
}

/** Content of a message: texts as they are, so that they are digested without a copy. */
type Canonical = string | number | boolean | undefined | readonly Canonical[];

/** Encodes a value unambiguously: the length precedes texts and lists. */
function addCanonical(value: Canonical, texts: string[]): void {
  if (typeof value === 'string') {
    // A lone surrogate has no bytes of its own.
    const text = value.isWellFormed() ? value : JSON.stringify(value);
    texts.push(text === value ? `${text.length}:` : `${text.length}!`, text);
  } else if (Array.isArray(value)) {
    texts.push(`${value.length}[`);
    for (const each of value) addCanonical(each, texts);
    // Without types, the value may be anything.
  } else texts.push(`${JSON.stringify(value)};`);
}

/** Reads the error texts of failed tool calls, by the ids of the calls. */
function toolErrors({ role, content }: Message): readonly (readonly [string, string])[] {
  if (role !== 'tool') return [];
  return content.flatMap((part) => {
    if (part.type !== 'tool-result' || part.output.type !== 'error-text') return [];
    // Without types, the value may be anything.
    const said: unknown = part.output.value;
    return typeof said === 'string' ? [[part.toolCallId, said] as const] : [];
  });
}

/** A prefix of a conversation: the messages that a client no longer sends, and the first ones that it does send. */
export interface ContinuedPrefix {
  /** Number of its messages, from the beginning of the conversation. */
  readonly count: number;
  /** Digest of its messages. */
  readonly digest: string;
}

/**
 * Identifies a conversation of which only the end is sent: messages count from its beginning, which `prefix` knows. The
 * digest of the prefix is chained with the digests of the messages after it, which do not depend on where a window
 * begins.
 *
 * @param window - Identity of the messages that are sent.
 * @param known - How many messages of the window the prefix includes.
 */
export function continuedIdentity(
  window: ConversationIdentity,
  known: number,
  prefix: ContinuedPrefix,
): ConversationIdentity {
  const missing = prefix.count - known;
  return {
    significantBefore: (index) => missing + window.significantBefore(index),
    indexAfter: (count) => window.indexAfter(Math.max(0, count - missing)),
    prefixDigest: async (count) => {
      if (count === prefix.count) return prefix.digest;
      const ids = await window.messageDigests(known, count - missing);
      return sha256Hex(JSON.stringify([prefix.digest, count, ids]));
    },
    messageDigests: (start, end) => window.messageDigests(start - missing, end - missing),
  };
}

/** Whether anything of a message identifies it: text, a file, a call, a result or an approval. */
export function isSignificant(message: Message): boolean {
  if (message.role === 'system') return true;
  for (const part of message.content)
    if (part.type === 'text' ? /\S/.test(part.text) : !volatileTypes.has(part.type)) return true;
  return false;
}

const volatileTypes: ReadonlySet<string> = new Set(['reasoning', 'reasoning-file', 'custom']);

/** Facts about the calls in a message, from the conversation around it. */
interface CallsAround {
  /** Numbers of tool-call and approval ids in the order in which a conversation first names them. */
  readonly ids: Map<string, number>;
  /** Returns the error text of a failed call. */
  readonly errorOf: (toolCallId: string) => string | undefined;
  readonly fileIdentity?: FileIdentity | undefined;
}

/** The same facts, and numbers of the ids in the order in which the message itself names them. */
interface CallsWithin extends CallsAround {
  readonly own: Map<string, number>;
}

/** Content that identifies a message. */
interface CanonicalMessage {
  /** Its role and content, in which calls are numbered as it names them. */
  readonly content: readonly Canonical[];
  /** The numbers of these calls in the conversation. */
  readonly calls: string;
}

/**
 * Extracts the content that identifies a message. It leaves out `providerOptions`, signatures, reasoning, `custom` and
 * empty parts, and blanks after a text, which change or vanish when a history goes to a client and comes back.
 * Tool-call ids count by order of appearance, so a history whose ids were renamed is still the same history.
 *
 * @param around - Receives the ids of the message. Without it, the message is read by itself.
 * @throws RangeError for a value that contains itself.
 */
export function canonicalMessage(
  message: Message,
  around: CallsAround = { ids: new Map<string, number>(), errorOf: () => undefined },
): CanonicalMessage {
  const { role, content } = message;
  if (role === 'system') return { content: [role, content], calls: '' };
  const [first] = content;
  // Most messages of a chat are one text.
  if (content.length === 1 && first?.type === 'text' && typeof first.text === 'string') {
    const text = first.text.trimEnd();
    return { content: text === '' ? [role] : [role, text], calls: '' };
  }
  const within = { ...around, own: new Map<string, number>() };
  // An approved call ends after the calls beside it, but a client sends its result back in the order of the calls.
  const placeOf = (part: MessagePart): number =>
    part.type === 'tool-result' ? (around.ids.get(part.toolCallId) ?? around.ids.size) : -1;
  const given: readonly MessagePart[] =
    role === 'tool' ? content.toSorted((one, other) => placeOf(one) - placeOf(other)) : content;
  const parts: Canonical[] = [role];
  let text = '';
  for (const part of given) {
    const canonical = canonicalPart(part, within);
    // Adjacent texts are one.
    if (typeof canonical === 'string') text += canonical;
    else if (canonical !== undefined) {
      parts.push(text.trimEnd(), canonical);
      text = '';
    }
  }
  parts.push(text.trimEnd());
  const calls = Array.from(within.own.keys(), (id) => around.ids.get(id)).join(' ');
  return { content: parts.filter((part) => part !== ''), calls };
}

/** Returns `undefined` for a part that does not identify a message. */
function canonicalPart(part: MessagePart, within: CallsWithin): Canonical[] | string | undefined {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'file':
      return canonicalFile(part, within);
    case 'reasoning':
    case 'reasoning-file':
    case 'custom':
      return undefined;
    case 'tool-call': {
      const input = isUnread(part, within) ? '{}' : jsonInOrder(part.input);
      return ['call', numberFor(part.toolCallId, within), part.toolName, input];
    }
    case 'tool-result': {
      const number = numberFor(part.toolCallId, within);
      return ['result', number, part.toolName, canonicalOutput(part.output, within)];
    }
    case 'tool-approval-response':
      return ['approval', numberFor(part.approvalId, within), part.approved, part.reason];
    default:
      return ['unknown', jsonInOrder(unknownContent(part satisfies never))];
  }
}

function canonicalOutput(output: ToolOutput, within: CallsWithin): Canonical[] {
  switch (output.type) {
    // The error of a provider-run tool is an object within the loop, and its text once it was with a client.
    case 'error-json': {
      const { value } = output;
      const said = typeof value === 'string' ? (parseJson(value) ?? value) : value;
      return [output.type, jsonInOrder(said)];
    }
    // A client sends a denial back as an error text; providers are told the default if there is no reason.
    case 'execution-denied':
      return ['error-text', output.reason ?? 'Tool call execution denied.'];
    // An object within the loop comes back from a client as its text.
    case 'text': {
      const json = writtenJson(output.value);
      return json === undefined ? [output.type, output.value] : ['json', json];
    }
    case 'error-text': {
      const json = writtenJson(output.value);
      return json === undefined ? [output.type, output.value] : ['error-json', json];
    }
    case 'content':
      return [output.type, ...output.value.map((part) => canonicalPart(part, within) ?? part.type)];
    // Includes types that only a newer SDK knows.
    default:
      return [output.type, jsonInOrder(output.value)];
  }
}

/** The most characters of a text that is checked for being JSON. */
const maxJsonText = 200_000;

/** Returns the JSON of an object or list that `JSON.stringify` wrote exactly, with names in order; else `undefined`. */
function writtenJson(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > maxJsonText || !/^[[{]/.test(text))
    return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (JSON.stringify(value) !== text) return undefined;
    const ordered = inOrder(value);
    return ordered === value ? text : JSON.stringify(ordered);
  } catch {
    // Not JSON, or nested so deeply that it can be parsed but not written.
    return undefined;
  }
}

function numberFor(id: string, { ids, own }: CallsWithin): number {
  for (const numbers of [ids, own]) if (!numbers.has(id)) numbers.set(id, numbers.size);
  return own.get(id) ?? 0;
}

/** The most names of one object that are sorted: more would block the event loop for too long. */
const mostSorted = 20_000;

/** Levels of a value in which names are sorted: far more would overflow the stack. */
const maxSortedDepth = 500;

/** Writes JSON of a value with the names of each object in order, so that their order changes no identity. */
function jsonInOrder(value: unknown): string | undefined {
  return JSON.stringify(inOrder(value));
}

/**
 * Sorts the names of all objects in a value; returns the value itself if they are in order.
 *
 * @param around - The objects that contain the value.
 * @throws RangeError for a value that contains itself.
 */
function inOrder(given: unknown, around: Set<unknown> = new Set()): unknown {
  if (typeof given !== 'object' || given === null || around.size > maxSortedDepth) return given;
  if (around.has(given)) throw new RangeError('A value of a message holds itself.');
  around.add(given);
  const ordered = orderedFields(given, (value) => inOrder(value, around));
  around.delete(given);
  return ordered;
}

function orderedFields(given: object, order: (value: unknown) => unknown): unknown {
  if ('toJSON' in given && typeof given.toJSON === 'function') return order(given.toJSON());
  if (Array.isArray(given)) {
    const values = given.map(order);
    return values.every((value, index) => value === given[index]) ? given : values;
  }
  const names = Object.keys(given);
  if (names.length > mostSorted) return given;
  let isInOrder = true;
  const fields = names.toSorted().map((name, index) => {
    const value: unknown = Reflect.get(given, name);
    const ordered = order(value);
    isInOrder &&= ordered === value && name === names[index];
    return [name, ordered] as const;
  });
  // Assignment would lose `__proto__`.
  return isInOrder ? given : Object.fromEntries(fields);
}

/**
 * Identifies a file by its media type and its bytes, address or text. Raw bytes and their base64 form are the same
 * file: a history that went through JSON carries the latter. The signature of an address is left out.
 */
function canonicalFile(
  { data, mediaType }: Pick<LanguageModelV4FilePart, 'data' | 'mediaType'>,
  { fileIdentity }: CallsAround,
): Canonical[] {
  const file = ['file', mediaType, data.type];
  switch (data.type) {
    case 'data':
      return [...file, typeof data.data === 'string' ? data.data : toBase64(data.data)];
    case 'url':
      return [...file, fileIdentity?.(String(data.url)) ?? unsignedAddress(String(data.url))];
    case 'reference':
      return [...file, jsonInOrder(data.reference)];
    case 'text':
      return [...file, data.text];
  }
}

/**
 * Whether the SDK reported that it could not read the input of a call: such an input is sent as `{}` within the loop,
 * and as the text that the model wrote once it has come back from a client.
 */
function isUnread(
  { toolCallId, input }: LanguageModelV4ToolCallPart,
  { errorOf }: CallsAround,
): boolean {
  if (typeof input !== 'string') return false;
  const quoted = [`failed: Text: ${input}.`, `failed: Value: ${JSON.stringify(input)}.`];
  return quoted.some((words) => errorOf(toolCallId)?.includes(words));
}
