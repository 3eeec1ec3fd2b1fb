import { makeRedactor, type Redact, type Redactor } from '../../prompt/cleaning/redactor.ts';
import { maxReadableDepth, parseJson, readableCopy } from '../../foundations/util/json.ts';
import { isSignificant } from '../../prompt/identity/conversation-identity.ts';
import { isQuotedText } from '../../prompt/messages/own-options.ts';
import type { Message } from '../../prompt/messages/prompt-types.ts';
import {
  modelOrigin,
  type ItemOrigin,
  type SummaryRecord,
} from '../../foundations/record/summary-record.ts';
import type { MessagePart, ToolOutput, UnknownPart } from '../../prompt/messages/message-parts.ts';
import { fileOf, sizeOfFile } from '../../foundations/util/binary.ts';
import { yieldToEventLoop } from '../../foundations/util/async/waiting.ts';

/** One text of a message, as a summarizer reads it. The smallest unit a transcript is split at. */
export interface TranscriptPart {
  /** Position of the message among those to summarize. */
  readonly index: number;
  /** `document`: quoted text in a user message, which the application marks as not the user's. */
  readonly role: Message['role'] | 'document';
  /** `call` is a tool call's input, `result` a tool's output, `note` a placeholder for content other than text. */
  readonly kind: 'text' | 'call' | 'result' | 'note';
  /** Tool name of a call or result. */
  readonly name?: string | undefined;
  /** Joins a tool's result to its call. */
  readonly toolCallId?: string | undefined;
  readonly text: string;
}

/** How texts are read. */
export interface PartReading {
  readonly clean: Redactor;
  /** Whether JSON, also in a string, is read without its punctuation. */
  readonly isPlain: boolean;
}

/**
 * Turns messages into the parts a summarizer reads, whole. Every text is redacted. Files become placeholders; blank
 * texts, reasoning and provider-specific parts are left out.
 */
export async function transcriptParts(
  messages: readonly Message[],
  redact?: Redact,
  isPlain = false,
): Promise<readonly TranscriptPart[]> {
  const reading = { clean: makeRedactor(redact), isPlain };
  const parts: TranscriptPart[] = [];
  for (const [index, message] of messages.entries()) {
    const { role, content } = message;
    const given =
      typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
    for (const part of given) {
      const isMarked = role === 'user' && (isQuotedText(message) || isQuotedText(part));
      const said = saidIn(part, reading);
      if (said !== undefined && (said.kind !== 'text' || /\S/.test(said.text)))
        parts.push({ index, role: isMarked ? 'document' : role, ...said });
      await yieldToEventLoop();
    }
  }
  return parts;
}

/** Where in their conversation the messages of an input stand. */
export interface MessagePositions {
  /** The position of a message of the input, as origins and models name it. */
  readonly positionOf: (index: number) => number;
  /** The origin of a statement from a position: the model's if no message has that position. */
  readonly originAt: (position: number | undefined) => ItemOrigin;
}

/** Numbers the messages of an input after those of the record that they continue. */
export function messagePositions({
  messages,
  previous,
}: {
  readonly messages: readonly Message[];
  readonly previous?: Pick<SummaryRecord, 'coveredMessages'> | undefined;
}): MessagePositions {
  const positions: number[] = [];
  const origins = new Map<number | undefined, ItemOrigin>();
  let next = previous?.coveredMessages ?? 0;
  for (const message of messages) {
    positions.push(next);
    if (!isSignificant(message)) continue;
    origins.set(next, { role: message.role, message: next });
    next += 1;
  }
  return {
    positionOf: (index) => positions[index] ?? next,
    originAt: (position) => origins.get(position) ?? modelOrigin,
  };
}

/** Prefix of an error that a tool answered with. */
export const errorMark = '[error] ';

type Said = Omit<TranscriptPart, 'index' | 'role'>;

const note = (text: string): Said => ({ kind: 'note', text });

/** Reads a part; `undefined` if it has nothing that a summarizer could read. */
function saidIn(part: MessagePart, reading: PartReading): Said | undefined {
  const { clean } = reading;
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: clean(part.text) };
    case 'file': {
      const { mediaType, filename = '', data } = part;
      const label = clean(`[${mediaType} file${filename === '' ? '' : ` ${filename}`}]`);
      return note(data.type === 'text' ? `${label}\n${clean(data.text)}` : label);
    }
    case 'reasoning':
    case 'reasoning-file':
    case 'custom':
      return undefined;
    case 'tool-call':
      return ofTool('call', part, valueText(part.input, reading), reading);
    case 'tool-result': {
      const mark = part.output.type.startsWith('error') ? errorMark : '';
      return ofTool('result', part, mark + outputText(part.output, reading), reading);
    }
    case 'tool-approval-response':
      return note(verdict(part.approved ? 'approved' : 'denied', part.reason, clean));
    default: {
      const { type }: UnknownPart = part satisfies never;
      return note(clean(`[part of an unknown type: ${String(type)}]`));
    }
  }
}

function ofTool(
  kind: 'call' | 'result',
  { toolName, toolCallId }: { readonly toolName: string; readonly toolCallId: string },
  text: string,
  { clean }: PartReading,
): Said {
  return { kind, name: clean(toolName), toolCallId: clean(toolCallId), text };
}

function verdict(word: string, reason: string | undefined, clean: Redactor): string {
  return `[the user ${word} the tool call${reason === undefined ? '' : `: ${clean(reason)}`}]`;
}

/** Writes the output of a tool as text. */
export function outputText(output: ToolOutput, reading: PartReading): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
    case 'json':
    case 'error-json':
      return valueText(output.value, reading);
    case 'execution-denied':
      return verdict('denied', output.reason, reading.clean);
    case 'content':
      return output.value.map((part) => saidIn(part, reading)?.text ?? '').join('\n');
    default: {
      const { type }: UnknownPart = output satisfies never;
      return reading.clean(`[output of an unknown type: ${String(type)}]`);
    }
  }
}

/** Writes a JSON value of unknown origin, or JSON in a string, as text. */
export function valueText(given: unknown, { clean, isPlain }: PartReading): string {
  const value = (isPlain ? parsedJson(given) : undefined) ?? given;
  if (typeof value === 'string' && fileOf(value) === undefined) return clean(value);
  // A call without input: JSON has no text for undefined.
  if (value === undefined) return '';
  if (isPlain) return clean(plainText(value));
  // The whole is redacted as well: a secret may be recognized by its key, or be a number.
  return clean(JSON.stringify(readableCopy(value, clean)) ?? 'null');
}

/** Most characters of a text that is parsed: `JSON.parse` of a longer one would block the event loop for too long. */
const maxParsedCharacters = 400_000;

/** Parses a text that is the JSON of an object or array. */
export function parsedJson(text: unknown): object | undefined {
  if (typeof text !== 'string' || text.length > maxParsedCharacters) return undefined;
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? value : undefined;
}

/**
 * Characters after which the rest is left out: it would take too long, and shared references could grow without end.
 */
const maxCharacters = 400_000;

/**
 * Writes a JSON value of unknown origin as plain text, `key: value, key: value`, each object and list in it on a line
 * of its own. Cycles and nesting beyond 64 levels are left out.
 */
function plainText(root: unknown): string {
  const around = new Set<object>();
  let text = '';
  let endsLine = false;
  const write = (value: unknown): void => {
    const file = fileOf(value);
    if (file !== undefined) text += sizeOfFile(file);
    else if (typeof value !== 'object' || value === null) text += String(value);
    else if (around.size < maxReadableDepth && !around.has(value)) {
      around.add(value);
      let isFirst = true;
      const isList = Array.isArray(value);
      // Not the entries: a million pairs take longer than others may wait.
      for (const name of isList ? value.keys() : Object.keys(value)) {
        if (text.length > maxCharacters) break;
        const element: unknown = Reflect.get(value, name);
        if (element === undefined && !isList) continue;
        const isNested = typeof element === 'object' && element !== null;
        if (!isFirst) text += endsLine || isNested ? '\n' : ', ';
        isFirst = false;
        endsLine = false;
        if (!isList) text += `${name}: `;
        write(element);
      }
      around.delete(value);
      endsLine = true;
    }
  };
  write(root);
  return text;
}
