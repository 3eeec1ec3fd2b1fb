import { redactionDoor, type Redact, type RedactionDoor } from '../../cleaning/redaction-door.ts';
import type { AssistantMessage, Message, ToolMessage } from '../../prompt/prompt-types.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import { transcriptParts } from './transcript-parts.ts';
import {
  isUnfiltered,
  type MessageFilterMode,
  type ResolvedMessageFilter,
} from './message-filter.ts';
import { hardCut, omittedText, reductionLine, type MessageToCondense } from './shorten-message.ts';

/** How {@link filterMessages} filters. */
export interface FilterMessagesOptions {
  readonly filter: ResolvedMessageFilter;
  /** UTF-16 characters a text to condense may have; shorter texts stay as they are. */
  readonly maxSummaryChars: number;
  /** Its door takes every text before it is cut. */
  readonly redact?: Redact | undefined;
  /** Given one line for each text that is cut, without it. */
  readonly log?: ((line: string) => void) | undefined;
}

/** How messages are filtered and read. */
interface Filtering extends FilterMessagesOptions {
  readonly clean: RedactionDoor;
  readonly slices: TimeSlices;
}

/**
 * Applies a filter to messages, for strategies that read them without a model: texts to condense are
 * cut, those to omit give way to a marker. Tool calls, files and reasoning stay as they are. A filter
 * that lets everything through returns the same array.
 */
export async function filterMessages(
  messages: readonly Message[],
  options: FilterMessagesOptions,
  slices: TimeSlices,
): Promise<readonly Message[]> {
  if (isUnfiltered(options.filter)) return messages;
  const filtering = { ...options, clean: redactionDoor(options.redact), slices };
  const filtered: Message[] = [];
  for (const message of messages) {
    await slices.pause();
    filtered.push(await filterMessage(message, filtering));
  }
  return filtered;
}

async function filterMessage(message: Message, filtering: Filtering): Promise<Message> {
  const { userMessages, agentMessages } = filtering.filter;
  switch (message.role) {
    case 'user':
      return { ...message, content: withTexts(message.content, 'user', userMessages, filtering) };
    case 'assistant': {
      const content = withTexts(message.content, 'agent', agentMessages, filtering);
      return { ...message, content: await withOutputs(content, filtering) };
    }
    case 'tool':
      return { ...message, content: await withOutputs(message.content, filtering) };
    case 'system':
    default:
      return message;
  }
}

type ContentPart = (AssistantMessage | ToolMessage)['content'][number];
type ResultPart = Extract<ContentPart, { type: 'tool-result' }>;
interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

function isResult<Part extends ContentPart>(part: Part): part is Part & ResultPart {
  return part.type === 'tool-result';
}

function isTextPart<Part extends { readonly type: string }>(part: Part): part is Part & TextPart {
  return part.type === 'text';
}

/** The texts of a message are condensed as one, in the place of the first. */
function withTexts<Part extends { readonly type: string }>(
  parts: readonly Part[],
  type: 'user' | 'agent',
  mode: MessageFilterMode,
  filtering: Filtering,
): Part[] {
  if (mode === 'full') return [...parts];
  const texts = parts.filter(isTextPart);
  const whole = filtering.clean(texts.map(({ text }) => text).join('\n'));
  const short = shortenedText({ type, text: whole }, mode, filtering);
  if (short === whole) return [...parts];
  return parts.flatMap((part): Part[] => {
    if (!isTextPart(part)) return [part];
    return part === texts[0] ? [{ ...part, text: short }] : [];
  });
}

async function withOutputs<Part extends ContentPart>(
  parts: readonly Part[],
  filtering: Filtering,
): Promise<Part[]> {
  const { filter, clean, slices } = filtering;
  if (filter.toolResults === 'full') return [...parts];
  const filtered: Part[] = [];
  for (const part of parts) {
    if (!isResult(part)) {
      filtered.push(part);
      continue;
    }
    const [whole] = await transcriptParts([{ role: 'tool', content: [part] }], slices, clean);
    const { name, text = '' } = whole ?? {};
    const short = shortenedText({ type: 'tool', name, text }, filter.toolResults, filtering);
    const isError = part.output.type === 'error-text' || part.output.type === 'error-json';
    const output = { type: isError ? ('error-text' as const) : ('text' as const), value: short };
    filtered.push(short === text ? part : { ...part, output });
  }
  return filtered;
}

function shortenedText(
  message: MessageToCondense,
  mode: MessageFilterMode,
  { maxSummaryChars, log }: Filtering,
): string {
  const { text } = message;
  if (text === '') return text;
  if (mode === 'omit') return omittedText(text);
  if (text.length <= maxSummaryChars) return text;
  const short = hardCut(text.trim(), maxSummaryChars);
  log?.(reductionLine(message, short));
  return short;
}
