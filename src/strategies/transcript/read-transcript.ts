import type { TimeSlices } from '../../util/async/time-slices.ts';
import type { MessageFilterMode, ResolvedMessageFilter } from '../messages/message-filter.ts';
import {
  hardCut,
  omittedText,
  reductionLine,
  type MessageToCondense,
} from '../messages/shorten-message.ts';
import { messagePositions } from '../message-positions.ts';
import { transcriptParts, type TranscriptPart } from '../messages/transcript-parts.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { condenseMessages, type CondenseMessagesOptions } from './condense-messages.ts';
import { capPart } from './render-transcript.ts';

/** How {@link readTranscript} reads. */
export interface ReadTranscriptOptions extends CondenseMessagesOptions {
  readonly filter: ResolvedMessageFilter;
  readonly slices: TimeSlices;
}

/**
 * Turns an input's messages into what a summarising model reads of them. The messages that the filter
 * names are condensed, or left out but for a marker. A message that cannot be condensed is cut. Everything
 * else is capped as usual. Parts are numbered by the position of their message in the conversation.
 *
 * @throws The reason of an abort.
 */
export async function readTranscript(
  input: SummaryInput,
  options: ReadTranscriptOptions,
): Promise<readonly TranscriptPart[]> {
  const { filter, slices } = options;
  const { maxSummaryChars } = options.prompts;
  const parts = await transcriptParts(input.transcript ?? input.messages, slices, input.redact);
  const inputs = new Map(
    parts.flatMap(({ kind, toolCallId, text }) =>
      kind === 'call' && toolCallId !== undefined ? [[toolCallId, text]] : [],
    ),
  );
  const joined = joinTexts(parts, filter);
  const long = joined
    .filter((part) => modeOf(part, filter) === 'summary' && part.text.length > maxSummaryChars)
    .map((part) => ({ part, message: toCondense(part, inputs) }));
  const messages = long.map(({ message }) => message);
  const texts = await condenseMessages(messages, input, options);
  const condensed = new Map<TranscriptPart, string>();
  for (const [position, { part, message }] of long.entries()) {
    const short = hardCut(texts[position]?.trim() || part.text, maxSummaryChars);
    condensed.set(part, short);
    input.log?.(reductionLine(message, short));
  }
  const { positionOf } = messagePositions(input);
  return joined.map((part) => {
    const text = modeOf(part, filter) === 'omit' ? omittedText(part.text) : condensed.get(part);
    const read = text === undefined ? capPart(part) : withText(part, text);
    return { ...read, index: positionOf(part.index) };
  });
}

/** The texts of a message are condensed as one. */
function joinTexts(
  parts: readonly TranscriptPart[],
  filter: ResolvedMessageFilter,
): readonly TranscriptPart[] {
  const joined: TranscriptPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const joins =
      last?.index === part.index &&
      last.kind === 'text' &&
      part.kind === 'text' &&
      modeOf(part, filter) !== 'full';
    if (!joins) {
      joined.push(part);
      continue;
    }
    const text = `${last.text}\n${part.text}`;
    const omittedCharacters = (last.omittedCharacters ?? 0) + (part.omittedCharacters ?? 0);
    joined[joined.length - 1] = { ...last, text, omittedCharacters };
  }
  return joined;
}

function modeOf({ kind, role }: TranscriptPart, filter: ResolvedMessageFilter): MessageFilterMode {
  if (kind === 'result') return filter.toolResults;
  if (kind === 'call') return 'full';
  if (role === 'user') return filter.userMessages;
  return role === 'assistant' ? filter.agentMessages : 'full';
}

function toCondense(part: TranscriptPart, inputs: ReadonlyMap<string, string>): MessageToCondense {
  const { kind, role, name, text, toolCallId } = part;
  if (kind !== 'result') return { type: role === 'user' ? 'user' : 'agent', text };
  return { type: 'tool', name, text, input: inputs.get(toolCallId ?? '') };
}

/** What is missing counts as read: a summary is measured against the messages it replaces. */
function withText(part: TranscriptPart, text: string): TranscriptPart {
  const missing = Math.max(part.text.length - text.length, 0);
  return { ...part, text, omittedCharacters: (part.omittedCharacters ?? 0) + missing };
}
