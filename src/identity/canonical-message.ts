import type {
  LanguageModelV4FilePart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
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

/** What the messages before one have said of the calls in them. */
export interface CallsBefore {
  /** Numbers of tool-call and approval ids in the order in which a conversation first names them. */
  readonly ids: Map<string, number>;
  /** Inputs of calls that are texts, by the ids of the calls until their results have come. */
  readonly textInputs: Map<string, string>;
}

/**
 * The content of a message that identifies it, as one line of text. Left out: `providerOptions`,
 * signatures, reasoning, `custom` and empty parts, which change or vanish when a history goes to a
 * client and comes back. Tool-call ids count by order of appearance, so a history whose ids were
 * renamed is still the same history.
 *
 * @param before - Added to. Without it, the message is read by itself: a call says itself what its input was.
 * @throws TypeError or RangeError for what JSON has no text for.
 */
export function canonicalMessage(message: Message, before?: CallsBefore): string {
  const { role, content } = message;
  if (role === 'system') return canonicalJson([role, content]);
  const given = { ids: before?.ids ?? new Map<string, number>(), textInputs: before?.textInputs };
  const parts: unknown[] = [];
  for (const part of content) {
    const canonical = canonicalPart(part, given);
    const last = parts.at(-1);
    if (canonical === undefined || canonical === '') continue;
    // Texts that follow each other are one.
    if (typeof canonical === 'string' && typeof last === 'string') parts.pop();
    parts.push(
      typeof canonical === 'string' && typeof last === 'string' ? last + canonical : canonical,
    );
  }
  // What was approved ends after the calls beside it, and comes back from a client in its place among them.
  if (role === 'tool') parts.sort((one, other) => callOf(one) - callOf(other));
  return canonicalJson([role, ...parts]);
}

/** The number of the call that a result answers; what is none goes first. */
function callOf(part: unknown): number {
  return Array.isArray(part) && part[0] === 'result' ? Number(part[1]) : -1;
}

/** What is handed on to the parts of a message. */
interface Given extends Pick<CallsBefore, 'ids'> {
  readonly textInputs: CallsBefore['textInputs'] | undefined;
}

/** `undefined` for what does not identify a message. */
function canonicalPart(part: MessagePart, given: Given): unknown[] | string | undefined {
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
      const input = isLeftToResult(part, given.textInputs) ? {} : part.input;
      return ['call', numberFor(part.toolCallId, given.ids), part.toolName, input];
    }
    case 'tool-result': {
      const input = unreadInput(part, given.textInputs);
      const number = numberFor(part.toolCallId, given.ids);
      const result = ['result', number, part.toolName, canonicalOutput(part.output, given)];
      return input === undefined ? result : [...result, input];
    }
    case 'tool-approval-response':
      return ['approval', numberFor(part.approvalId, given.ids), part.approved, part.reason];
    default:
      return ['unknown', unknownContent(part satisfies never)];
  }
}

function canonicalOutput(output: ToolOutput, given: Given): unknown[] {
  switch (output.type) {
    case 'error-json':
      return [output.type, errorOf(output.value)];
    // What a client sends back, and what providers are told where no reason was given.
    case 'execution-denied':
      return ['error-text', output.reason ?? 'Tool call execution denied.'];
    case 'content':
      return [output.type, ...output.value.map((part) => canonicalPart(part, given) ?? part.type)];
    // Also of a type that only a newer SDK knows.
    default:
      return [output.type, output.value];
  }
}

function numberFor(id: string, ids: CallsBefore['ids']): number {
  const known = ids.get(id) ?? ids.size;
  ids.set(id, known);
  return known;
}

/** The error of a tool that a provider runs: an object within the loop, the same as text once it was with a client. */
function errorOf(value: unknown): unknown {
  return typeof value === 'string' ? (parseJson(value) ?? value) : value;
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
 * Whether the result of a call is to say what its input was. What a model wrote that no tool can read is sent as `{}`
 * within the loop, and as the text it is once it has come back from a client.
 */
function isLeftToResult(
  { toolCallId, input, providerExecuted }: LanguageModelV4ToolCallPart,
  textInputs: Given['textInputs'],
): boolean {
  const isLeft =
    typeof input === 'string' && providerExecuted !== true && textInputs?.has(toolCallId) === false;
  if (isLeft) textInputs?.set(toolCallId, input);
  return isLeft;
}

/** The input that was left to a result, unless the result is the word of the SDK that nobody could read it. */
function unreadInput(
  { toolCallId, output }: LanguageModelV4ToolResultPart,
  textInputs: Given['textInputs'],
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
