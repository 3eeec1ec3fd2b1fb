import { redactionDoor, withheldText } from '../../cleaning/redaction-door.ts';
import { SummarizationError } from '../../errors/summarization-error.ts';
import { sha256Hex } from '../../util/digest.ts';
import { escapeJson } from '../../util/json.ts';
import type { ModelIdentity } from '../../prompt/prompt-types.ts';
import { fillTemplate } from '../../prompts/template.ts';
import type { ResolvedPrompts } from '../../prompts/summarization-prompts.ts';
import { cutMiddle } from '../../tokens/cut-middle.ts';
import { countText } from '../../tokens/text-counter.ts';
import type { BoundedMap } from '../../util/maps/bounded-map.ts';
import type { MessageFilter } from '../messages/message-filter.ts';
import {
  errorMark,
  messagePositions,
  transcriptParts,
  type TranscriptPart,
} from '../messages/read-messages.ts';
import type { ModelPanel } from '../models/ask-models.ts';
import { readableForSummary } from '../models/readable-tokens.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { cutAtWord, wordEnd } from '../texts.ts';

/** How {@link readTranscript} reads. */
export interface ReadTranscriptOptions {
  readonly filter: MessageFilter;
  /** What messages are condensed with. */
  readonly panel: ModelPanel;
  readonly prompts: ResolvedPrompts;
  readonly cache: Pick<BoundedMap<string>, 'get' | 'set'>;
}

/** Characters of a tool's input or output that the summariser reads, half of them from the end. */
const toolTextCharacters = 2000;

/** Failures after which no more messages are condensed. The budget of a summary is three: the last is for itself. */
const maxCondenseFailures = 2;

/**
 * Turns an input's messages into what a summarising model reads of them. The messages that the filter
 * names are condensed, or left out but for a marker; one that cannot be condensed is cut. Inputs and outputs of tools
 * have 2,000 characters, head and tail. Parts are numbered by the position of their message in the conversation.
 *
 * @throws The reason of an abort.
 */
export async function readTranscript(
  input: SummaryInput,
  { filter, panel, prompts, cache }: ReadTranscriptOptions,
): Promise<readonly TranscriptPart[]> {
  const { maxSummaryChars } = prompts;
  const { namespace = '', redact, transcript = input.messages } = input;
  const parts = await transcriptParts(transcript, redact);
  const inputs = new Map(
    parts.flatMap((part) => (part.kind === 'call' ? [[part.toolCallId, part.text]] : [])),
  );

  /** Asks a model once. What it wrote is kept by namespace, text, template and limit, and never paid for twice. */
  const condense = async (
    { role, name, text, toolCallId }: TranscriptPart,
    type: keyof MessageFilter,
  ): Promise<string | undefined> => {
    const { [type]: template } = prompts;
    const toolInput = inputs.get(toolCallId);
    const asked = [namespace, type, name, text, toolInput, template, maxSummaryChars];
    const key = await sha256Hex(JSON.stringify(asked));
    // What comes out of the cache may have been put there with another `redact`.
    const kept = redactionDoor(redact)(cache.get(key) ?? withheldText);
    if (kept !== withheldText) return kept;
    if (panel.soFar.failures >= maxCondenseFailures) return undefined;
    const shown = toolInput && cutMiddle(toolInput, toolTextCharacters).text;
    const context = type === 'toolResults' ? { tool: name, input: shown } : { role };
    const promptFor = (model: ModelIdentity): string =>
      fillTemplate(template, {
        // A token has at least one character in nearly every text, so this never needs to be counted.
        content: escapeJson(cutMiddle(text, readableForSummary(input, model)).text),
        context: escapeJson(context),
        max_chars: String(maxSummaryChars),
      });
    const condensed = await panel.write(promptFor, true).catch((error: unknown) => {
      // What a failure costs is a shorter way of saying the same.
      if (SummarizationError.isInstance(error)) return undefined;
      throw error;
    });
    if (condensed !== undefined) cache.set(key, condensed);
    return condensed;
  };

  const filtered = async (part: TranscriptPart): Promise<string> => {
    const { kind, role, text } = part;
    if (kind !== 'text' && kind !== 'result') return text;
    const ofPeople = role === 'user' || role === 'document' ? 'userMessages' : 'agentMessages';
    const type = kind === 'result' ? 'toolResults' : ofPeople;
    const mark = kind === 'result' && text.startsWith(errorMark) ? errorMark : '';
    if (filter[type] === 'omit') return `${mark}[${text.length - mark.length} characters omitted]`;
    if (filter[type] !== 'summary' || text.length <= maxSummaryChars) return text;
    return mark + cutAtWord((await condense(part, type)) ?? text, maxSummaryChars);
  };

  const { positionOf } = messagePositions(input);
  const read: TranscriptPart[] = [];
  for (const part of parts) {
    const isTool = part.kind === 'call' || part.kind === 'result';
    const cap = isTool ? toolTextCharacters : Infinity;
    const { text } = cutMiddle(await filtered(part), cap, halves);
    read.push({ ...part, index: positionOf(part.index), text });
  }
  return read;
}

const halves = { headFraction: 0.5, tailFraction: 0.5 };

interface TranscriptEntry {
  readonly i: number;
  readonly role: string;
  readonly name?: string | undefined;
  text?: string;
  calls?: { readonly name: string | undefined; readonly input: string }[];
}

/**
 * Writes parts as one JSON array: `{"i":0,"role":"user","text":"..."}`, an assistant's tool calls as
 * `"calls":[{"name":"...","input":"..."}]`, a tool's result with its `"name"`.
 */
export function renderTranscript(parts: readonly TranscriptPart[]): string {
  const entries: TranscriptEntry[] = [];
  for (const { index, role, kind, name, text } of parts) {
    const last = entries.at(-1);
    // A tool's result never shares an entry: its text must not be taken for the assistant's own.
    const isApart = kind === 'result' || last?.name !== undefined;
    const joined = last?.i === index && last.role === role && !isApart ? last : undefined;
    const entry: TranscriptEntry =
      joined ?? (kind === 'result' ? { i: index, role, name } : { i: index, role });
    if (joined === undefined) entries.push(entry);
    if (kind === 'call') (entry.calls ??= []).push({ name, input: text });
    else entry.text = entry.text === undefined ? text : `${entry.text}\n${text}`;
  }
  return escapeJson(entries);
}

/** A part and the tokens of it in a transcript, or a few more of what was cut. */
export interface SizedPart {
  readonly part: TranscriptPart;
  readonly tokens: number;
}

/** The least that is cut off a part, as a share of the piece and in tokens: it is not torn for a few words. */
const leastCutShare = 0.1;
const leastCutTokens = 64;

/** Of what is too long, what is tried next of the length that would do by its average. */
const usedShare = 0.95;

/** Characters of the shortest cut: both halves of a pair. */
const leastCut = 2;

/** Counts each part. */
export async function sizeParts(parts: readonly TranscriptPart[]): Promise<readonly SizedPart[]> {
  const sized: SizedPart[] = [];
  for (const part of parts) sized.push({ part, tokens: await countText(renderTranscript([part])) });
  return sized;
}

/** Tokens of all parts together. */
export function tokensIn(parts: readonly SizedPart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

/**
 * Splits off so many tokens from the beginning. A part that does not fit is cut where much of the piece would stay
 * empty without it, at the end of a line or word where there is one; nothing is dropped.
 *
 * @param maxTokens - Never treated as less than 64.
 * @returns The piece, never empty unless `parts` is, and what remains.
 */
export async function splitTranscript(
  parts: readonly SizedPart[],
  maxTokens: number,
): Promise<{ readonly piece: readonly SizedPart[]; readonly rest: readonly SizedPart[] }> {
  const budget = Math.max(maxTokens, leastCutTokens);
  let [left, fitting] = [budget, 0];
  for (let next = parts[0]; next !== undefined && next.tokens <= left; next = parts[fitting]) {
    left -= next.tokens;
    fitting += 1;
  }
  const whole = parts.slice(0, fitting);
  const [next, ...others] = parts.slice(fitting);
  const isTorn = fitting === 0 || left >= Math.max(leastCutShare * budget, leastCutTokens);
  if (next === undefined || !isTorn) return { piece: whole, rest: parts.slice(fitting) };
  const { part, tokens } = next;
  const withText = (text: string): TranscriptPart => ({ ...part, text });
  let [end, size] = [part.text.length, tokens];
  while (size > left && end > leastCut) {
    end = Math.max(leastCut, Math.floor(((end * left) / size) * usedShare));
    size = await countText(renderTranscript([withText(part.text.slice(0, end))]));
  }
  end = wordEnd(part.text, 0, end);
  const head = { part: withText(part.text.slice(0, end)), tokens: size };
  const tail = part.text.slice(end);
  const behind = await sizeParts(tail === '' ? [] : [withText(tail)]);
  return { piece: [...whole, head], rest: [...behind, ...others] };
}
