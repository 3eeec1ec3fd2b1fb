import type { LanguageModelV4FilePart, LanguageModelV4ToolCallPart } from '@ai-sdk/provider';
import type { Message } from '../prompt/prompt-types.ts';
import { unknownContent, type MessagePart, type ToolOutput } from '../prompt/message-parts.ts';
import { canonicalJson, parseJson } from '../util/json.ts';
import { toBase64 } from '../util/strings.ts';

/** Whether anything of a message identifies it: text, a file, a call, a result or an approval. */
export function isSignificant(message: Message): boolean {
  if (message.role === 'system') return true;
  return message.content.some((part) =>
    part.type === 'text' ? part.text !== '' : !volatileTypes.has(part.type),
  );
}

const volatileTypes: ReadonlySet<string> = new Set(['reasoning', 'reasoning-file', 'custom']);

/** What the conversation around a message says of the calls in it. */
export interface CallsAround {
  /** Numbers of tool-call and approval ids in the order in which a conversation first names them. */
  readonly ids: Map<string, number>;
  /** What a tool said of a call that failed. */
  readonly errorOf: (toolCallId: string) => string | undefined;
}

/** What is known of the calls in a message: by the ids, numbers in the order in which it names them itself. */
interface CallsWithin extends CallsAround {
  readonly own: Map<string, number>;
}

/** What identifies a message. */
export interface CanonicalMessage {
  /** Its content as one line of text, in which calls are numbered as it names them. */
  readonly line: string;
  /** The numbers of these calls in the conversation. */
  readonly calls: string;
}

/**
 * The content of a message that identifies it. Left out: `providerOptions`,
 * signatures, reasoning, `custom` and empty parts, which change or vanish when a history goes to a
 * client and comes back. Tool-call ids count by order of appearance, so a history whose ids were
 * renamed is still the same history.
 *
 * @param around - Its ids are added to. Without it, the message is read by itself.
 * @throws TypeError or RangeError for what JSON has no text for.
 */
export function canonicalMessage(
  message: Message,
  around: CallsAround = { ids: new Map<string, number>(), errorOf: () => undefined },
): CanonicalMessage {
  const { role, content } = message;
  if (role === 'system') return { line: canonicalJson([role, content]), calls: '' };
  const within = { ...around, own: new Map<string, number>() };
  // What was approved ends after the calls beside it, and comes back from a client in its place among them.
  const placeOf = (part: MessagePart): number =>
    part.type === 'tool-result' ? (around.ids.get(part.toolCallId) ?? around.ids.size) : -1;
  const inOrder: readonly MessagePart[] =
    role === 'tool' ? content.toSorted((one, other) => placeOf(one) - placeOf(other)) : content;
  const parts: unknown[] = [];
  for (const part of inOrder) {
    const canonical = canonicalPart(part, within);
    const last = parts.at(-1);
    if (canonical === undefined || canonical === '') continue;
    // Texts that follow each other are one.
    const isText = typeof canonical === 'string' && typeof last === 'string';
    if (isText) parts[parts.length - 1] = last + canonical;
    else parts.push(canonical);
  }
  const calls = [...within.own.keys()].map((id) => around.ids.get(id)).join(' ');
  return { line: canonicalJson([role, ...parts]), calls };
}

/** `undefined` for what does not identify a message. */
function canonicalPart(part: MessagePart, within: CallsWithin): unknown[] | string | undefined {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'file':
      return canonicalFile(part);
    case 'reasoning':
    case 'reasoning-file':
    case 'custom':
      return undefined;
    case 'tool-call': {
      const input = isUnread(part, within) ? {} : part.input;
      return ['call', numberFor(part.toolCallId, within), part.toolName, input];
    }
    case 'tool-result': {
      const number = numberFor(part.toolCallId, within);
      return ['result', number, part.toolName, canonicalOutput(part.output, within)];
    }
    case 'tool-approval-response':
      return ['approval', numberFor(part.approvalId, within), part.approved, part.reason];
    default:
      return ['unknown', unknownContent(part satisfies never)];
  }
}

function canonicalOutput(output: ToolOutput, within: CallsWithin): unknown[] {
  switch (output.type) {
    // Of a tool that a provider runs: an object within the loop, the same as text once it was with a client.
    case 'error-json': {
      const { value } = output;
      return [output.type, typeof value === 'string' ? (parseJson(value) ?? value) : value];
    }
    // What a client sends back, and what providers are told where no reason was given.
    case 'execution-denied':
      return ['error-text', output.reason ?? 'Tool call execution denied.'];
    case 'content':
      return [output.type, ...output.value.map((part) => canonicalPart(part, within) ?? part.type)];
    // Also of a type that only a newer SDK knows.
    default:
      return [output.type, output.value];
  }
}

function numberFor(id: string, { ids, own }: CallsWithin): number {
  for (const numbers of [ids, own]) if (!numbers.has(id)) numbers.set(id, numbers.size);
  return own.get(id) ?? 0;
}

/**
 * What identifies a file: its media type and its bytes, address or text. Raw bytes and their base64
 * form are the same file: a history that went through JSON carries the latter.
 */
function canonicalFile({
  data,
  mediaType,
}: Pick<LanguageModelV4FilePart, 'data' | 'mediaType'>): unknown[] {
  const file = ['file', mediaType, data.type];
  switch (data.type) {
    case 'data':
      return [...file, typeof data.data === 'string' ? data.data : toBase64(data.data)];
    case 'url':
      return [...file, String(data.url)];
    case 'reference':
      return [...file, data.reference];
    case 'text':
      return [...file, data.text];
  }
}

/**
 * Whether the SDK could not read the input of a call, and said so: what a model wrote that no tool can read is sent as `{}`
 * within the loop, and as the text it is once it has come back from a client.
 */
function isUnread(
  { toolCallId, input }: LanguageModelV4ToolCallPart,
  { errorOf }: CallsAround,
): boolean {
  if (typeof input !== 'string') return false;
  const quoted = [`failed: Text: ${input}.`, `failed: Value: ${JSON.stringify(input)}.`];
  return quoted.some((words) => errorOf(toolCallId)?.includes(words));
}
