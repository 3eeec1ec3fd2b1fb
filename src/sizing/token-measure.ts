import type { CallOptions, Message, ModelIdentity } from '../prompt/prompt-types.ts';
import { mediaFamilyOf } from '../tokens/model-family.ts';
import {
  messageTexts,
  overheadTexts,
  type OverheadParams,
  type SentTexts,
} from '../tokens/scan-prompt.ts';
import {
  availableTextCounter,
  countText,
  inVocabularyOf,
  type TextCounter,
} from '../tokens/text-counter.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import { hasWebCrypto, sha256Hex } from '../util/digest.ts';
import { boundedMap } from '../util/maps/bounded-map.ts';
import { sumOf } from '../util/numbers.ts';
import { promptTokens, spareFrameTokens, type SizeRates } from './calibration.ts';

/** Counts what one call sends, under o200k. */
export interface CallCounter extends Pick<TextCounter, 'isExact'> {
  /** Tokens of tools, response schema and the opening of the answer, which no summary makes fewer. */
  readonly overhead: number;
  /** Tokens that a message adds to the call, as it is really sent. Counted at once where they are not known. */
  readonly message: (message: Message) => number;
  /** Tokens of a prompt, `overhead` included. */
  readonly prompt: (messages: readonly Message[]) => number;
  /**
   * Counts messages in slices that leave the event loop to others; their tokens are known from then on.
   * Rejects with the signal's reason when it aborts.
   */
  readonly count: (messages: readonly Message[], abortSignal?: AbortSignal) => Promise<void>;
}

/** Counts what one call would send, in tokens of its model. */
export interface TokenMeasure extends Pick<CallCounter, 'message' | 'prompt' | 'count'> {
  /** Tokens of the model for one of o200k. */
  readonly multiplier: number;
  /** Tokens of a prompt under o200k; `undefined` where they are only estimated. */
  readonly counted: (messages: readonly Message[]) => number | undefined;
  /** Sizes under o200k, frames included, which no learned figure changes. */
  readonly unscaled: {
    readonly message: (message: Message) => number;
    readonly prompt: (messages: readonly Message[]) => number;
    /** What a prompt may take so that it takes no more than so many tokens of the model. */
    readonly room: (tokens: number) => number;
  };
  /** Tokens of each of several messages. */
  readonly each: (messages: readonly Message[]) => readonly number[];
  /** Tokens of several messages. */
  readonly messages: (messages: readonly Message[]) => number;
  /** The least that a prompt can take, of which `prompt` is the most. */
  readonly leastPrompt: (messages: readonly Message[]) => number;
}

/** Opens a measure for one call. What has not been counted before is counted at once. */
export async function tokenMeasure(
  params: CounterParams,
  model: ModelIdentity,
  rates: SizeRates,
): Promise<TokenMeasure> {
  return measureWith(await callCounter(params, model), rates);
}

/** Scales the counts of a call to the tokens of its model. */
export function measureWith(counter: CallCounter, rates: SizeRates): TokenMeasure {
  const { multiplier, least, hidden } = rates;
  // Rounded only here: a rounding for each message would add up to a token for each.
  const message = (entry: Message): number =>
    Math.ceil(counter.message(entry) * multiplier) + spareFrameTokens;
  return {
    multiplier,
    counted: (list) => (counter.isExact ? counter.prompt(list) : undefined),
    message,
    each: (list) => list.map(message),
    messages: (list) =>
      Math.ceil(sumOf(list, counter.message) * multiplier) + list.length * spareFrameTokens,
    prompt: (list) => Math.ceil(promptTokens(counter.prompt(list), list.length, rates)),
    leastPrompt: (list) => Math.ceil(counter.prompt(list) * least),
    unscaled: {
      message: (entry) => counter.message(entry) + spareFrameTokens,
      prompt: (list) => counter.prompt(list) + list.length * spareFrameTokens,
      room: (tokens) => Math.min(tokens / multiplier, (tokens - hidden) / least),
    },
    count: counter.count,
  };
}

/** What a counter has to know of its call. */
type CounterParams = OverheadParams & Partial<Pick<CallOptions, 'abortSignal' | 'prompt'>>;

/**
 * Opens the counter of one call.
 *
 * @param tokenizer - Default: the one there is, or estimates.
 */
export async function callCounter(
  params: CounterParams,
  model: ModelIdentity,
  tokenizer?: TextCounter,
): Promise<CallCounter> {
  const counter = inVocabularyOf(model, tokenizer ?? (await availableTextCounter()));
  const family = mediaFamilyOf(model);
  const known = new WeakMap<Message, number>();
  const [overhead = 0] = await countAll(
    [overheadTexts(params, family)],
    counter,
    params.abortSignal,
  );
  const message = (given: Message): number => {
    const before = known.get(given);
    if (before !== undefined) return before;
    const { frames, files, texts } = messageTexts(given, family);
    const tokens = frames + files + sumOf(texts, counter.count);
    known.set(given, tokens);
    return tokens;
  };
  return {
    isExact: counter.isExact,
    overhead,
    message,
    prompt: (messages) => overhead + sumOf(messages, message),
    count: async (messages, abortSignal) => {
      const unknown = [...new Set(messages)].filter((each) => !known.has(each));
      const texts = unknown.map((each) => messageTexts(each, family));
      const counts = await countAll(texts, counter, abortSignal);
      for (const [index, each] of unknown.entries()) known.set(each, counts[index] ?? 0);
    },
  };
}

/** Lists of counts remembered in a process, about 250 bytes each. */
const maxCounts = 32_768;

/** Counts by the digest of what was counted: a message, or a run of them, which one digest finds again. */
const remembered = boundedMap<readonly number[]>(maxCounts);

/** Messages of a run: a digest of little text takes longer to ask for than to make. */
const runLength = 16;
type Run = readonly SentTexts[];

/** Characters from which on a digest takes less time than counting again. */
const leastRemembered = 64;

/** Counts each of several texts, once in a process, in slices that leave the event loop to others. */
async function countAll(
  sent: readonly SentTexts[],
  counter: TextCounter,
  abortSignal: AbortSignal | undefined,
): Promise<readonly number[]> {
  const slices = timeSlices(abortSignal);
  const countOnce = async (
    runs: readonly Run[],
    count: (run: Run) => Promise<readonly number[]>,
  ): Promise<readonly number[]> => {
    const keys = await Promise.all(runs.map((run) => keyOf(run, counter)));
    const counts: number[] = [];
    for (const [index, run] of runs.entries()) {
      const key = keys[index];
      const known = key === undefined ? undefined : remembered.get(key);
      const made = known ?? (await count(run));
      if (key !== undefined) remembered.set(key, made);
      counts.push(...made);
    }
    return counts;
  };
  const countOne = async ([each]: Run): Promise<readonly number[]> => {
    let tokens = (each?.frames ?? 0) + (each?.files ?? 0);
    for (const text of each?.texts ?? []) tokens += await countText(text, counter.count, slices);
    return [tokens];
  };
  const countEach = (run: Run): Promise<readonly number[]> =>
    countOnce(
      run.map((each) => [each]),
      countOne,
    );
  const runs = Array.from({ length: Math.floor(sent.length / runLength) }, (_, index) =>
    sent.slice(index * runLength, (index + 1) * runLength),
  );
  // Of the last ones, to which the next call adds, each is found by itself.
  const last = sent.slice(runs.length * runLength);
  return [...(await countOnce(runs, countEach)), ...(await countEach(last))];
}

async function keyOf(run: Run, { isExact, vocabulary }: TextCounter): Promise<string | undefined> {
  const all = run.flatMap(({ texts }) => texts);
  if (!hasWebCrypto() || sumOf(all, ({ length }) => length) < leastRemembered) return undefined;
  const what = run.map(({ texts, frames, files }) => [
    frames,
    files,
    ...texts.map(({ length }) => length),
  ]);
  return sha256Hex(`${JSON.stringify([isExact, vocabulary, what])}\n${all.join('')}`);
}
