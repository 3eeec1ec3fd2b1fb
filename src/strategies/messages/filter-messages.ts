import { redactionDoor } from '../../cleaning/redaction-door.ts';
import { isDocument } from '../../prompt/document-mark.ts';
import type { AssistantMessage, Message, ToolMessage } from '../../prompt/prompt-types.ts';
import { timeSlices } from '../../util/async/time-slices.ts';
import { splitsSurrogatePair } from '../../util/strings/splits-surrogate-pair.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { asOneLine } from '../texts.ts';
import { isUnfiltered, type ResolvedMessageFilter } from './message-filter.ts';
import { transcriptParts } from './transcript-parts.ts';

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

type AnyPart = (AssistantMessage | ToolMessage)['content'][number];
type PartOf<Type extends AnyPart['type']> = Extract<AnyPart, { type: Type }>;

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
