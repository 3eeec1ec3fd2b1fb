import type { TranscriptPart } from '../messages/transcript-parts.ts';
import { capPart } from './render-transcript.ts';
import type { MessageFilterMode, ResolvedMessageFilter } from '../messages/message-filter.ts';
import {
  hardCut,
  omittedText,
  reductionLine,
  type MessageToCondense,
} from '../messages/shorten-message.ts';

/** Says messages in fewer words, one text for each; `undefined` where it could not. */
export type Condenser = (
  messages: readonly MessageToCondense[],
) => Promise<readonly (string | undefined)[]>;

/** How a transcript is condensed. */
export interface CondensePartsOptions {
  readonly filter: ResolvedMessageFilter;
  /** UTF-16 characters a condensed message may have; shorter messages stay as they are. */
  readonly maxSummaryChars: number;
  readonly condense: Condenser;
  /** Given one line for each condensed message, without its text. */
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * Makes a transcript of parts in which the messages that a filter names are condensed, or left out but
 * for a marker. A message that cannot be condensed is cut. Everything else is capped as usual.
 *
 * @throws What `condense` throws: the reason of an abort.
 */
export async function condenseParts(
  parts: readonly TranscriptPart[],
  { filter, maxSummaryChars, condense, log }: CondensePartsOptions,
): Promise<readonly TranscriptPart[]> {
  const inputs = new Map(
    parts.flatMap(({ kind, toolCallId, text }) =>
      kind === 'call' && toolCallId !== undefined ? [[toolCallId, text]] : [],
    ),
  );
  const joined = joinTexts(parts, filter);
  const isLong = (part: TranscriptPart): boolean =>
    modeOf(part, filter) === 'summary' && part.text.length > maxSummaryChars;
  const long = joined.filter(isLong);
  const messages = long.map((part) => toCondense(part, inputs));
  const texts = messages.length === 0 ? [] : await condense(messages);
  const condensed = new Map<TranscriptPart, string>();
  for (const [position, part] of long.entries()) {
    const text = texts[position]?.trim();
    const short = hardCut(text === undefined || text === '' ? part.text : text, maxSummaryChars);
    condensed.set(part, short);
    const message = messages[position];
    if (message !== undefined) log?.(reductionLine(message, short));
  }
  return joined.map((part) => {
    const text = modeOf(part, filter) === 'omit' ? omittedText(part.text) : condensed.get(part);
    return text === undefined ? capPart(part) : withText(part, text);
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
    if (!joins) joined.push(part);
    else {
      const omittedCharacters = (last.omittedCharacters ?? 0) + (part.omittedCharacters ?? 0);
      joined[joined.length - 1] = {
        ...last,
        text: `${last.text}\n${part.text}`,
        omittedCharacters,
      };
    }
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
