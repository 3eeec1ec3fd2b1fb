import { makeRedactor, withheldText } from '../../prompt/cleaning/redactor.ts';
import { SummarizationError } from '../../foundations/errors/summarization-error.ts';
import { sha256Hex } from '../../foundations/util/digest.ts';
import { escapeJson } from '../../foundations/util/json.ts';
import type { ModelIdentity } from '../../prompt/messages/prompt-types.ts';
import { fillTemplate } from '../templates/template.ts';
import type { ResolvedPrompts } from '../templates/summarization-prompts.ts';
import { cutMiddle } from '../../sizes/tokens/cut-middle.ts';
import { countText } from '../../sizes/tokens/text-counter.ts';
import type { BoundedMap } from '../../foundations/util/maps/bounded-map.ts';
import { shareOfEach, sumOf } from '../../foundations/util/numbers.ts';
import type { MessageFilter } from '../messages/message-filter.ts';
import {
  errorMark,
  messagePositions,
  transcriptParts,
  type TranscriptPart,
} from '../messages/read-messages.ts';
import type { ModelChain } from '../models/model-chain.ts';
import { readableForSummary } from '../models/readable-tokens.ts';
import type { SummaryInput } from '../strategies/summary-strategy.ts';
import { cutAtWord, wordEnd } from '../strategies/texts.ts';
import { cutOutput } from '../strategies/failure-line.ts';

/** How {@link readTranscript} reads. */
export interface ReadTranscriptOptions {
  readonly filter: MessageFilter;
  /** Models that condense messages. */
  readonly chain: ModelChain;
  /** Most calls of models for condensing. */
  readonly mostCalls: number;
  /** Tokens of messages that one call can read. */
  readonly room: number;
  readonly prompts: ResolvedPrompts;
  readonly cache: Pick<BoundedMap<string>, 'get' | 'set'>;
}

/** Characters of a tool's input or output that the summarizer reads in any case, half of them from the end. */
const leastToolCharacters = 2000;

/** Characters of the longest token that texts are made of. */
const tokenCharacters = 8;

/** Trials to share the room: each counts what was cut. */
const mostTrials = 4;

/**
 * Failures after which no more messages are condensed. A summary may have three: the last is for the summary itself.
 */
const maxCondenseFailures = 2;

/** Messages that are condensed at once, while the model answers. */
const mostAtOnce = 4;

/**
 * Turns an input's messages into what a summarizing model reads of them. The messages that the filter names are
 * condensed, the longest first as far as calls may be made, or replaced by a marker; a message that is not condensed is
 * cut. Inputs and outputs of tools share the room that one call leaves beside the other texts. Parts are numbered by
 * the position of their message in the conversation.
 *
 * @throws The reason of an abort.
 */
export async function readTranscript(
  input: SummaryInput,
  options: ReadTranscriptOptions,
): Promise<readonly SizedPart[]> {
  const { filter, prompts, room } = options;
  const { redact, transcript = input.messages } = input;
  const parts = await transcriptParts(transcript, redact);
  const condensed = await condenseParts(input, parts, options);
  const filtered = (part: TranscriptPart): string => {
    const { kind, text } = part;
    const type = typeOf(part);
    if (type === undefined) return text;
    const mark = kind === 'result' && text.startsWith(errorMark) ? errorMark : '';
    if (filter[type] === 'omit') return `${mark}[${text.length - mark.length} characters omitted]`;
    const short = condensed.get(part);
    return short === undefined ? text : mark + cutAtWord(short, prompts.maxSummaryChars);
  };
  const { positionOf } = messagePositions(input);
  const read = parts.map((part) => {
    const index = positionOf(part.index);
    return { ...part, index, text: filtered(part) };
  });
  return shareRoom(read, room);
}

/** Returns the filter's type of a part; `undefined` for a part that is always read. */
function typeOf({ kind, role }: TranscriptPart): keyof MessageFilter | undefined {
  if (kind === 'result') return 'toolResults';
  if (kind !== 'text') return undefined;
  return role === 'user' || role === 'document' ? 'userMessages' : 'agentMessages';
}

/** A part that is to be condensed, its type, and the key of its answer in the cache. */
interface LongPart {
  readonly part: TranscriptPart;
  readonly type: keyof MessageFilter;
  readonly key: string;
}

/**
 * Asks a model for a shorter text of each part that is to be condensed, the longest first. The cache keeps answers by
 * namespace, text, template and limit, so that none is paid for twice. A part without an answer keeps its text.
 */
async function condenseParts(
  input: SummaryInput,
  parts: readonly TranscriptPart[],
  options: ReadTranscriptOptions,
): Promise<ReadonlyMap<TranscriptPart, string>> {
  const { chain, prompts, cache, filter, mostCalls } = options;
  const { namespace = '', redact } = input;
  const inputs = new Map(
    parts.flatMap((part) => (part.kind === 'call' ? [[part.toolCallId, part.text]] : [])),
  );
  let hasAnswered = false;
  const condense = async ({ part, type, key }: LongPart): Promise<void> => {
    const { role, name, text, toolCallId } = part;
    const toolInput = inputs.get(toolCallId);
    const shown = toolInput && cutMiddle(toolInput, leastToolCharacters).text;
    const context = type === 'toolResults' ? { tool: name, input: shown } : { role };
    const promptFor = (model: ModelIdentity): string =>
      fillTemplate(prompts[type], {
        // A token has at least one character in nearly every text, so this never needs to be counted.
        content: escapeJson(cutMiddle(text, readableForSummary(input, model)).text),
        context: escapeJson(context),
        max_chars: String(prompts.maxSummaryChars),
      });
    try {
      cache.set(key, await chain.write(promptFor, true));
      hasAnswered = true;
    } catch (error) {
      // A failure only costs a shorter wording.
      if (!SummarizationError.isInstance(error)) throw error;
      input.onCondenseFailure?.(error);
    }
  };
  const all: LongPart[] = [];
  for (const part of parts) {
    const type = typeOf(part);
    const { name, text, toolCallId } = part;
    const isLong = text.length > prompts.maxSummaryChars;
    if (type === undefined || filter[type] !== 'summary' || !isLong) continue;
    const asked = [namespace, type, name, text, inputs.get(toolCallId), prompts[type]];
    const key = await sha256Hex(JSON.stringify([...asked, prompts.maxSummaryChars]));
    all.push({ part, type, key });
  }
  const unknown = all.filter(({ key }) => cache.get(key) === undefined);
  const wanted = [...new Map(unknown.map((each) => [each.key, each])).values()].toSorted(
    (one, other) => other.part.text.length - one.part.text.length,
  );
  const running = new Set<Promise<void>>();
  // The first call alone shows whether the model answers.
  const atOnce = (): number => (hasAnswered && chain.soFar.failures === 0 ? mostAtOnce : 1);
  for (const each of wanted.slice(0, Math.max(0, mostCalls))) {
    while (running.size >= atOnce()) await Promise.race(running);
    if (chain.soFar.failures >= maxCondenseFailures) break;
    const call = condense(each).finally(() => running.delete(call));
    running.add(call);
  }
  await Promise.all(running);
  const clean = makeRedactor(redact);
  const condensed = new Map<TranscriptPart, string>();
  let [charactersBefore, charactersAfter] = [0, 0];
  for (const { part, key } of all) {
    // A cached text may be from another `redact`.
    const text = clean(cache.get(key) ?? withheldText);
    condensed.set(part, text === withheldText ? part.text : text);
    if (text === withheldText) continue;
    charactersBefore += part.text.length;
    charactersAfter += Math.min(text.length, prompts.maxSummaryChars);
  }
  const misses = wanted.length;
  const hits = all.length - misses;
  if (all.length > 0) input.onCondensed?.({ hits, misses, charactersBefore, charactersAfter });
  return condensed;
}

function cutTo(part: TranscriptPart, characters: number): TranscriptPart {
  const most = Math.max(leastToolCharacters, Math.floor(characters));
  return isOfTool(part) && part.text.length > most
    ? { ...part, text: cutOutput(part.text, most) }
    : part;
}

const isOfTool = ({ kind }: TranscriptPart): boolean => kind === 'call' || kind === 'result';

/**
 * Cuts inputs and outputs of tools to what one call can read beside the other texts: short ones stay whole, long ones
 * have an equal share of the rest, and each 2,000 characters at least.
 */
async function shareRoom(
  parts: readonly TranscriptPart[],
  room: number,
): Promise<readonly SizedPart[]> {
  const whole: SizedPart[] = [];
  // No single part is ever shown with more than the room of all.
  for (const part of parts) whole.push(await sizePart(cutTo(part, tokenCharacters * room)));
  const ofTools = whole.filter(isOfTool);
  let left = room - tokensIn(whole) + tokensIn(ofTools);
  let shared = whole;
  for (let trial = 1; tokensIn(shared) > room && trial <= mostTrials; trial += 1) {
    // A transcript that is too long for one call in any case is read in several.
    const tokensOfTools = ofTools.map(({ tokens }) => tokens);
    const share = trial === mostTrials ? 0 : shareOfEach(tokensOfTools, left);
    shared = [];
    for (const [index, sized] of whole.entries()) {
      const part = parts[index] ?? sized;
      const cut = cutTo(part, (sized.text.length * share) / sized.tokens);
      shared.push(cut === part ? sized : await sizePart(cut));
    }
    left *= usedShare * Math.min(1, room / tokensIn(shared));
  }
  return shared;
}

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

/** A part with its tokens in a transcript, or a few more if it was cut. */
export interface SizedPart extends TranscriptPart {
  readonly tokens: number;
}

/** Least that is cut off a part, as a share of the piece and in tokens: a part is not split for a few words. */
const leastCutShare = 0.1;
const leastCutTokens = 64;

/** Share of the length that should fit by the average, which is tried next with a text that is too long. */
const usedShare = 0.95;

/** Characters of the shortest cut: both halves of a surrogate pair. */
const leastCut = 2;

async function sizePart(part: TranscriptPart): Promise<SizedPart> {
  return { ...part, tokens: await countText(renderTranscript([part])) };
}

/** Tokens of all parts together. */
export function tokensIn(parts: readonly SizedPart[]): number {
  return sumOf(parts, ({ tokens }) => tokens);
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
  const [next, ...others] = parts.slice(fitting);
  const isTorn = fitting === 0 || left >= Math.max(leastCutShare * budget, leastCutTokens);
  if (next === undefined || !isTorn)
    return { piece: parts.slice(0, fitting), rest: parts.slice(fitting) };
  const { text } = next;
  let [end, size] = [text.length, next.tokens];
  while (size > left && end > leastCut) {
    end = Math.max(leastCut, Math.floor(((end * left) / size) * usedShare));
    size = (await sizePart({ ...next, text: text.slice(0, end) })).tokens;
  }
  end = wordEnd(text, 0, end);
  const head = { ...next, text: text.slice(0, end), tokens: size };
  const tail = end < text.length ? [await sizePart({ ...next, text: text.slice(end) })] : [];
  return { piece: [...parts.slice(0, fitting), head], rest: [...tail, ...others] };
}
