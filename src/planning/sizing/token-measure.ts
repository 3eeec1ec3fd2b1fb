import type { Message, ModelIdentity } from '../../prompt/messages/prompt-types.ts';
import { sendingRulesOf } from '../../sizes/tokens/model-family.ts';
import { sampleTexts } from '../../sizes/tokens/sample-texts.ts';
import {
  messageTexts,
  overheadTexts,
  type OverheadParams,
  type SentTexts,
} from '../../sizes/tokens/scan-prompt.ts';
import {
  availableTextCounter,
  countText,
  inVocabularyOf,
  type TextCounter,
} from '../../sizes/tokens/text-counter.ts';
import { vocabularyOf } from '../../sizes/tokens/vocabularies.ts';
import { isSliceOver, yieldToEventLoop } from '../../foundations/util/async/waiting.ts';
import { boundedMap } from '../../foundations/util/maps/bounded-map.ts';
import { oncePerTexts } from '../../foundations/util/async/digest-texts.ts';
import { sumOf } from '../../foundations/util/numbers.ts';
import { promptTokens, spareFrameTokens, type SizeRates } from './calibration.ts';

/** Counts what one call sends, under o200k. */
export interface CallCounter extends Pick<TextCounter, 'isExact'> {
  /** Tokens of the counter for one of o200k, by a sample of some messages. */
  readonly perO200k: (messages: readonly Message[]) => Promise<number>;
  /** Tokens of tools, response schema and the opening of the answer, which no summary reduces. */
  readonly overhead: number;
  /** Tokens that a message adds to the call, as it is really sent. An unknown message is counted at once. */
  readonly message: (message: Message) => number;
  /** Tokens of a prompt, `overhead` included. */
  readonly prompt: (messages: readonly Message[]) => number;
  /**
   * Counts messages in slices that yield to the event loop; their tokens are known from then on. Rejects with the
   * signal's reason when it aborts.
   */
  readonly count: (messages: readonly Message[], abortSignal?: AbortSignal) => Promise<void>;
}

/** Counts what one call would send, in tokens of its model. */
export interface TokenMeasure extends Pick<CallCounter, 'message' | 'prompt' | 'count'> {
  /** Counts under o200k, which no learned figure changes. */
  readonly counter: CallCounter;
  /** Tokens of a prompt under o200k; `undefined` if they are estimated. */
  readonly o200kTokens: (messages: readonly Message[]) => number | undefined;
  /** Tokens of the model for one of o200k. */
  readonly multiplier: number;
  /** The same for texts like some messages, which are counted under o200k whatever the model. */
  readonly perO200k: (messages: readonly Message[]) => Promise<number>;
  /** Tokens of several messages. */
  readonly messages: (messages: readonly Message[]) => number;
  /** The least tokens that a prompt can take; `prompt` returns the most. */
  readonly leastPrompt: (messages: readonly Message[]) => number;
  /** Tokens that a prompt may take by {@link plainRates} so that it takes at most `tokens` of the model. */
  readonly room: (tokens: number) => number;
}

/** Scales the counts of a call to the tokens of its model. */
export function measureWith(counter: CallCounter, rates: SizeRates): TokenMeasure {
  const { multiplier, least, hidden } = rates;
  // Rounded only here: a rounding for each message would add up to a token for each.
  const messages = (list: readonly Message[]): number =>
    Math.ceil(sumOf(list, counter.message) * multiplier) + list.length * spareFrameTokens;
  return {
    counter,
    o200kTokens: (list) => (counter.isExact ? counter.prompt(list) : undefined),
    multiplier,
    perO200k: async (list) => multiplier * (await counter.perO200k(list)),
    message: (entry) => messages([entry]),
    messages,
    prompt: (list) => Math.ceil(promptTokens(counter.prompt(list), list.length, rates)),
    leastPrompt: (list) => Math.ceil(counter.prompt(list) * least),
    room: (tokens) => Math.min(tokens / multiplier, (tokens - hidden) / least),
    count: counter.count,
  };
}

/**
 * Creates the counter of one call: by the vocabulary of its model if known, unless the options set the factor to o200k.
 *
 * @param tokenizer - Default: the available one, or estimates.
 */
export async function callCounter(
  params: OverheadParams,
  model: ModelIdentity,
  { isGiven = false }: { readonly isGiven?: boolean } = {},
  tokenizer?: TextCounter,
): Promise<CallCounter> {
  const plain = tokenizer ?? (await availableTextCounter());
  const counter = isGiven ? plain : inVocabularyOf(model, plain);
  const rules = sendingRulesOf(model);
  const known = new Map<Message, number>();
  const around = overheadTexts(params, rules);
  const [overhead = 0] = await countRun([around], counter);
  const message = (given: Message): number => {
    const before = known.get(given);
    if (before !== undefined) return before;
    const { frames, files, texts } = messageTexts(given, rules);
    const tokens = frames + files + sumOf(texts, counter.count);
    known.set(given, tokens);
    return tokens;
  };
  return {
    isExact: counter.isExact,
    perO200k: async (messages) => {
      if (counter.vocabulary === undefined) return 1;
      const texts = messages.map((each) => messageTexts(each, rules).texts);
      const characters = sumOf(texts.flat(), ({ length }) => length);
      const { tokens } = await sampleTexts(texts, characters, vocabularyOf(model));
      return tokens / (await sampleTexts(texts, characters, undefined)).tokens || 1;
    },
    overhead,
    message,
    prompt: (messages) => overhead + sumOf(messages, message),
    count: async (messages, abortSignal) => {
      const run = new Map<Message, SentTexts>();
      let characters = 0;
      const end = async (): Promise<void> => {
        const counts = await countRun([...run.values()], counter);
        for (const [place, each] of [...run.keys()].entries()) known.set(each, counts[place] ?? 0);
        run.clear();
        characters = 0;
      };
      for (const each of messages) {
        if (known.has(each) || run.has(each)) continue;
        abortSignal?.throwIfAborted();
        if (isSliceOver()) await yieldToEventLoop();
        const sent = messageTexts(each, rules);
        run.set(each, sent);
        characters += sent.characters;
        if (characters >= runCharacters) await end();
      }
      await end();
    },
  };
}

/** Lists of counts remembered in a process, about 300 bytes each, by the texts of a run. */
const maxCounts = 8192;
const remembered = boundedMap<readonly number[]>(maxCounts);

/** Characters at which a run of messages ends. */
const runCharacters = 8000;

/** Counts the texts of a run, once in a process, and yields to the event loop in between. */
async function countRun(
  run: readonly SentTexts[],
  counter: TextCounter,
): Promise<readonly number[]> {
  const about = `${counter.isExact} ${counter.vocabulary}`;
  const texts = run.map((each) => each.texts);
  const tokensOfRun = await oncePerTexts(remembered, about, texts, async () => {
    const counts: number[] = [];
    for (const list of texts) {
      let tokens = 0;
      for (const text of list) tokens += await countText(text, Infinity, counter);
      counts.push(tokens);
    }
    return counts;
  });
  return run.map(({ frames, files }, place) => frames + files + (tokensOfRun[place] ?? 0));
}
