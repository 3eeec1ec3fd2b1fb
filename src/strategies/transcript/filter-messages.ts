import { textDoor, type Redact, type TextDoor } from '../../cleaning/text-door.ts';
import type { AssistantMessage, Message, ToolMessage } from '../../prompt/prompt-types.ts';
import type { TimeSlices } from '../../util/time-slices.ts';
import { wholeParts } from './build-transcript.ts';
import { hardCut } from './hard-cut.ts';
import { isFull, type MessageFilterMode, type ResolvedMessageFilter } from './message-filter.ts';
import type { MessageToCondense } from './message-to-condense.ts';
import { reductionLine } from './reduction-line.ts';

/** How {@link filterMessages} filters. */
export interface FilterMessagesOptions {
  readonly filter: ResolvedMessageFilter;
  /** UTF-16 characters a condensed message may have; shorter messages stay as they are. */
  readonly maxSummaryChars: number;
  /** Says a message in fewer words. A message for which it throws is cut. */
  readonly condense: (message: MessageToCondense) => string;
  /** Its door takes every text before it is cut. */
  readonly redact?: Redact | undefined;
  /** Given one line for each condensed message, without its text. */
  readonly log?: ((line: string) => void) | undefined;
}

interface Shortener {
  readonly shorten: (message: MessageToCondense, mode: MessageFilterMode) => string;
  readonly clean: TextDoor;
  readonly slices: TimeSlices;
}

/**
 * Applies a filter to messages, for strategies that read them without a model: texts are condensed by
 * code or give way to a marker. Tool calls, files and reasoning stay as they are. A filter that lets
 * everything through returns the same array.
 */
export async function filterMessages(
  messages: readonly Message[],
  options: FilterMessagesOptions,
  slices: TimeSlices,
): Promise<readonly Message[]> {
  const { filter, redact } = options;
  if (isFull(filter)) return messages;
  const inputs = new Map(
    (await wholeParts(messages, slices, redact)).flatMap(({ kind, toolCallId, text }) =>
      kind === 'call' && toolCallId !== undefined ? [[toolCallId, text]] : [],
    ),
  );
  const shortener: Shortener = {
    shorten: (message, mode) => shortText(message, mode, options),
    clean: textDoor(redact),
    slices,
  };
  const filterResults = async <Part extends ContentPart>(
    parts: readonly Part[],
  ): Promise<Part[]> => {
    const filtered: Part[] = [];
    for (const part of parts)
      filtered.push(
        isResult(part)
          ? await withOutput(part, inputs.get(part.toolCallId), filter, shortener)
          : part,
      );
    return filtered;
  };
  const filtered: Message[] = [];
  for (const message of messages) {
    const pause = slices.pause();
    if (pause !== undefined) await pause;
    switch (message.role) {
      case 'user': {
        const content = withTexts(message.content, 'user', filter.userMessages, shortener);
        filtered.push({ ...message, content });
        break;
      }
      case 'assistant': {
        const content = withTexts(message.content, 'agent', filter.agentMessages, shortener);
        filtered.push({ ...message, content: await filterResults(content) });
        break;
      }
      case 'tool':
        filtered.push({ ...message, content: await filterResults(message.content) });
        break;
      case 'system':
      default:
        filtered.push(message);
    }
  }
  return filtered;
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

function isText<Part extends { readonly type: string }>(part: Part): part is Part & TextPart {
  return part.type === 'text';
}

/** The texts of a message are condensed as one, in the place of the first. */
function withTexts<Part extends { readonly type: string }>(
  parts: readonly Part[],
  type: 'user' | 'agent',
  mode: MessageFilterMode,
  { shorten, clean }: Shortener,
): Part[] {
  if (mode === 'full') return [...parts];
  const texts = parts.filter(isText);
  const whole = clean(texts.map(({ text }) => text).join('\n'));
  const short = shorten({ type, text: whole }, mode);
  if (short === whole) return [...parts];
  return parts.flatMap((part): Part[] => {
    if (!isText(part)) return [part];
    return part === texts[0] ? [{ ...part, text: short }] : [];
  });
}

async function withOutput<Part extends ResultPart>(
  part: Part,
  input: string | undefined,
  { toolResults }: ResolvedMessageFilter,
  { shorten, clean, slices }: Shortener,
): Promise<Part> {
  if (toolResults === 'full') return part;
  const [whole] = await wholeParts([{ role: 'tool', content: [part] }], slices, clean);
  const text = whole?.text ?? '';
  const short = shorten({ type: 'tool', name: clean(part.toolName), input, text }, toolResults);
  if (short === text) return part;
  const isError = part.output.type === 'error-text' || part.output.type === 'error-json';
  return { ...part, output: { type: isError ? 'error-text' : 'text', value: short } };
}

function shortText(
  message: MessageToCondense,
  mode: MessageFilterMode,
  { condense, maxSummaryChars, log }: FilterMessagesOptions,
): string {
  const { text } = message;
  if (mode === 'full' || text === '') return text;
  if (mode === 'omit') return `[${text.length} characters omitted]`;
  if (text.length <= maxSummaryChars) return text;
  let condensed = '';
  try {
    condensed = condense(message).trim();
  } catch {
    // Cut below, like a message condensed to nothing.
  }
  const short = hardCut(condensed === '' ? text : condensed, maxSummaryChars);
  log?.(reductionLine(message, short));
  return short;
}
