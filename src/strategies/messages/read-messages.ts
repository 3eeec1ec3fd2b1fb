import { redactionDoor, type Redact, type RedactionDoor } from '../../cleaning/redaction-door.ts';
import { boundJson } from '../../json/bound-json.ts';
import { stringifySteps } from '../../json/stringify-json.ts';
import { isDocument } from '../../prompt/document-mark.ts';
import type { Message } from '../../prompt/prompt-types.ts';
import {
  readMessagePart,
  readToolOutput,
  type MessagePart,
  type OutputReader,
  type PartReader,
} from '../../prompt/read-message-part.ts';
import { runInSlices } from '../../util/async/run-steps.ts';
import { timeSlices, type TimeSlices } from '../../util/async/time-slices.ts';
import { splitsSurrogatePair } from '../../util/strings/splits-surrogate-pair.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { asOneLine } from '../texts.ts';
import { isUnfiltered, type ResolvedMessageFilter } from './message-filter.ts';

/** What a message says, or one result in it, redacted. */
export interface MessageText {
  readonly type: keyof ResolvedMessageFilter;
  /** Of a tool's result: its name, and the call that it answers. */
  readonly name?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly text: string;
}

/** How {@link filterMessages} filters. */
export interface FilterMessagesOptions {
  readonly filter: ResolvedMessageFilter;
  /** UTF-16 characters a text to condense may have; shorter texts stay as they are. */
  readonly maxSummaryChars: number;
  /**
   * Says a text in fewer words; `undefined` where it cannot.
   * @default texts are cut
   */
  readonly condense?: (said: MessageText) => Promise<string | undefined>;
}

/**
 * Applies a filter to messages: texts to condense are said in fewer words or cut, those to omit give way to a marker.
 * Tool calls, files and reasoning stay as they are. A filter that lets everything through returns the same array.
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is how texts are read and said
export async function filterMessages(
  messages: readonly Message[],
  { redact, log, abortSignal }: Pick<SummaryInput, 'redact' | 'log' | 'abortSignal'>,
  { filter, maxSummaryChars, condense }: FilterMessagesOptions,
): Promise<{ readonly messages: readonly Message[]; readonly omittedCharacters: number }> {
  let omittedCharacters = 0;
  if (isUnfiltered(filter)) return { messages, omittedCharacters };
  const clean = redactionDoor(redact);
  const slices = timeSlices({ abortSignal });
  const say = async (said: MessageText): Promise<string> => {
    const { type, text } = said;
    const isLong = filter[type] === 'summary' && text.length > maxSummaryChars;
    if (text === '' || (filter[type] !== 'omit' && !isLong)) return text;
    let short = `[${text.length} characters omitted]`;
    if (isLong) {
      const condensed = (await condense?.(said))?.trim();
      short = hardCut(condensed || text.trim(), maxSummaryChars);
      log?.(reductionLine(said, short));
    }
    omittedCharacters += Math.max(0, text.length - short.length);
    return short;
  };

  /** The texts of a message are said as one, in the place of the first; those of documents apart. */
  const partsAs = async <Part extends { readonly type: string }>(
    parts: readonly Part[],
    type: MessageText['type'],
  ): Promise<Part[]> => {
    const replaced = new Map<object, Part | undefined>();
    for (const isMarked of [false, true]) {
      const texts = parts.filter(isText).filter((part) => isDocument(part) === isMarked);
      const [first] = texts;
      const whole = clean(texts.map((part) => part.text).join('\n'));
      const text = await say({ type, text: whole });
      if (first === undefined || text === whole) continue;
      for (const part of texts) replaced.set(part, undefined);
      replaced.set(first, { ...first, text });
    }
    for (const part of parts.filter(isResult)) {
      const [whole] = await transcriptParts([{ role: 'tool', content: [part] }], slices, clean);
      const { name, toolCallId, text = '' } = whole ?? {};
      const value = await say({ type: 'toolResults', name, toolCallId, text });
      const kind = part.output.type.startsWith('error') ? 'error-text' : 'text';
      if (value !== text) replaced.set(part, { ...part, output: { type: kind, value } });
    }
    return parts.flatMap((part) => (replaced.has(part) ? (replaced.get(part) ?? []) : [part]));
  };

  const filtered: Message[] = [];
  for (const message of messages) {
    await slices.pause();
    const { role } = message;
    if (role === 'system') filtered.push(message);
    else if (role === 'user')
      filtered.push({ ...message, content: await partsAs(message.content, 'userMessages') });
    else if (role === 'assistant')
      filtered.push({ ...message, content: await partsAs(message.content, 'agentMessages') });
    else filtered.push({ ...message, content: await partsAs(message.content, 'agentMessages') });
  }
  return { messages: filtered, omittedCharacters };
}

type PartOf<Type extends MessagePart['type']> = Extract<MessagePart, { type: Type }>;

function isText<Part extends { readonly type: string }>(part: Part): part is Part & PartOf<'text'> {
  return part.type === 'text';
}

function isResult<Part extends { readonly type: string }>(
  part: Part,
): part is Part & PartOf<'tool-result'> {
  return part.type === 'tool-result';
}

/**
 * Cuts a text to at most `maxChars` UTF-16 characters, ending in `...`; a text within the limit comes
 * back unchanged. A surrogate pair is never split.
 */
export function hardCut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = Math.max(maxChars - 3, 0);
  return `${text.slice(0, splitsSurrogatePair(text, end) ? end - 1 : end)}...`.slice(0, maxChars);
}

/** What is said of a type of messages. */
export const labels = {
  toolResults: 'tool',
  userMessages: 'user',
  agentMessages: 'agent',
} as const;

/** Longest tool name that a log line repeats. */
const nameCharacters = 64;

/** The debug line of a condensed message: `tool: Read: 5120 chars → 430 chars (91.6% reduction)`. */
function reductionLine({ type, name = '', text }: MessageText, condensed: string): string {
  // A tool's name may come from a model or a server: one line, and not a long one.
  const label = name === '' ? '' : `${asOneLine(name).slice(0, nameCharacters)}: `;
  const reduction = (100 * (1 - condensed.length / text.length)).toFixed(1);
  return `${labels[type]}: ${label}${text.length} chars → ${condensed.length} chars (${reduction}% reduction)`;
}

/** One text of a message, as a summariser reads it. The smallest unit a transcript is split at. */
export interface TranscriptPart {
  /** Position of the message among those to summarise. */
  readonly index: number;
  /** `document`: of a user's message, what the application says is not the user's. */
  readonly role: Message['role'] | 'document';
  /** `call` is a tool call's input, `result` a tool's output. */
  readonly kind: 'text' | 'call' | 'result';
  /** Tool name of a call or result. */
  readonly name?: string | undefined;
  /** Joins a tool's result to its call. */
  readonly toolCallId?: string | undefined;
  readonly text: string;
  /** Characters of the original that are not in `text`: the middle of a tool output, a file. */
  readonly omittedCharacters?: number | undefined;
}

/** What a file counts as: about the 1,000 tokens that providers bill for an image. */
const fileCharacters = 4000;

/** How texts are read. */
interface PartReading {
  readonly clean: RedactionDoor;
  readonly slices: TimeSlices;
}

/**
 * Turns messages into the parts a summariser reads, whole. Every text goes through the door of `redact`.
 * Files stand as placeholders; blank texts, reasoning and provider-specific parts are left out.
 */
export async function transcriptParts(
  messages: readonly Message[],
  slices: TimeSlices,
  redact?: Redact,
): Promise<readonly TranscriptPart[]> {
  const reading = { clean: redactionDoor(redact), slices };
  const parts: TranscriptPart[] = [];
  for (const [index, message] of messages.entries()) {
    const { role, content } = message;
    const given =
      typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
    for (const part of given) {
      const isMarked = role === 'user' && (isDocument(message) || isDocument(part));
      const said = await readMessagePart(part, saying, reading);
      if (said !== undefined && (said.kind !== 'text' || /\S/.test(said.text)))
        parts.push({ index, role: isMarked ? 'document' : role, ...said });
      await slices.pause();
    }
  }
  return parts;
}

type Said = Omit<TranscriptPart, 'index' | 'role'>;

const nothing = (): undefined => undefined;
const saidText = (text: string): Said => ({ kind: 'text', text });

const saying: PartReader<PartReading, Said | undefined | Promise<Said>> = {
  text: ({ text }, { clean }) => saidText(clean(text)),
  file: ({ mediaType, filename = '', data }, { clean }) => {
    const label = clean(`[${mediaType} file${filename === '' ? '' : ` ${filename}`}]`);
    const text = data.type === 'text' ? `${label}\n${clean(data.text)}` : label;
    return { ...saidText(text), omittedCharacters: fileCharacters };
  },
  reasoning: nothing,
  reasoningFile: nothing,
  call: async (part, reading) => ofTool('call', part, await toolText(part.input, reading), reading),
  result: async (part, reading) =>
    ofTool('result', part, await readToolOutput(part.output, resultText, reading), reading),
  approval: ({ approved, reason }, { clean }) =>
    saidText(verdict(approved ? 'approved' : 'denied', reason, clean)),
  custom: nothing,
  unknown: ({ type }, { clean }) => saidText(clean(`[part of an unknown type: ${String(type)}]`)),
};

function ofTool(
  kind: 'call' | 'result',
  { toolName, toolCallId }: { readonly toolName: string; readonly toolCallId: string },
  text: string,
  { clean }: PartReading,
): Said {
  return { kind, name: clean(toolName), toolCallId: clean(toolCallId), text };
}

function verdict(word: string, reason: string | undefined, clean: RedactionDoor): string {
  return `[the user ${word} the tool call${reason === undefined ? '' : `: ${clean(reason)}`}]`;
}

const resultText: OutputReader<PartReading, string | Promise<string>> = {
  text: valueText,
  json: valueText,
  denied: ({ reason }, { clean }) => verdict('denied', reason, clean),
  content: async ({ value }, reading) => {
    const said: string[] = [];
    for (const part of value) said.push((await readMessagePart(part, saying, reading))?.text ?? '');
    return said.join('\n');
  },
  unknown: ({ type }, { clean }) => clean(`[output of an unknown type: ${String(type)}]`),
};

async function valueText(
  { type, value }: { readonly type: string; readonly value: unknown },
  reading: PartReading,
): Promise<string> {
  return `${type.startsWith('error') ? '[error] ' : ''}${await toolText(value, reading)}`;
}

async function toolText(value: unknown, { clean, slices }: PartReading): Promise<string> {
  if (typeof value === 'string') return clean(value);
  // A call without input: JSON has no text for undefined.
  if (value === undefined) return '';
  // The whole as well: a secret may be told by the key it stands under, or be a number.
  const bounded = await boundJson(value, clean, slices);
  return clean(await runInSlices(stringifySteps(bounded), slices));
}
