import type { Hash64 } from '../hash/value-hash.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { countCache, type CountCache } from './count-cache.ts';
import { countMessage, messageTexts } from './count-message.ts';
import { countText } from './text/count-text.ts';
import type { TextCounter } from './text/create-text-counter.ts';
import type { MediaFamily } from './files/media-family-of.ts';
import { messageHash, messageHashInSlices } from './message-hash.ts';
import { sampleTokens, type SampledTokens } from './sample-tokens.ts';
import { runInSlices } from '../util/async/run-steps.ts';
import { timeSlices, type TimeSlices } from '../util/async/time-slices.ts';

/** Counts messages under o200k, each content once in a process. */
export interface MessageCounter {
  /**
   * Tokens of a message if it has been counted, by this object or another with the same content. Reads
   * large JSON in the slices.
   */
  readonly known: (
    message: Message,
    slices: TimeSlices,
  ) => number | undefined | Promise<number | undefined>;
  /** Counts a message at once. */
  readonly count: (message: Message) => number;
  /**
   * Counts messages in slices that leave the event loop to others. Rejects as soon as the signal aborts.
   */
  readonly countInSlices: (messages: readonly Message[], options: CountingOptions) => Promise<void>;
  /** As `countInSlices`, one message after another for as long as somebody asks: the tokens of each. */
  readonly counts: (
    messages: readonly Message[],
    options: CountingOptions,
  ) => AsyncGenerator<number, void, void>;
  /** Estimates the tokens of long messages from ever more samples. Nothing of it is remembered. */
  readonly samples: (
    messages: readonly Message[],
    options: CountingOptions,
  ) => AsyncGenerator<SampledTokens, void, void>;
}

/** How counting may be interrupted. */
export interface CountingOptions {
  readonly abortSignal?: AbortSignal | undefined;
  /** Lets others work. */
  readonly rest?: (() => Promise<void>) | undefined;
}

/** Messages remembered in a process: 4 MB. */
const messagePlaces = 2 ** 18;

const caches = new Map<string, CountCache>();

/** Opens a counter over a given tokenizer. Counts are shared by all counters of a family. */
export function messageCounterOf(
  counter: TextCounter,
  family: MediaFamily,
  cache: CountCache = sharedCache(counter, family),
): MessageCounter {
  // Filled where counts are asked for, not where one is looked up: a prompt is looked up on every call.
  const byObject = new WeakMap<Message, number>();
  // Of messages that are not known, so that those that are counted are read once: one may have megabytes.
  const hashes = new WeakMap<Message, Hash64>();
  const lookUp = (message: Message, key: Hash64): number | undefined => {
    const tokens = cache.get(key);
    if (tokens === undefined) hashes.set(message, key);
    return tokens;
  };
  const known: MessageCounter['known'] = (message, slices) => {
    const own = byObject.get(message);
    if (own !== undefined) return own;
    const key = hashes.get(message) ?? messageHashInSlices(message, slices);
    return key instanceof Promise
      ? key.then((late) => lookUp(message, late))
      : lookUp(message, key);
  };
  const keyOf = (message: Message): Hash64 => hashes.get(message) ?? messageHash(message);
  const remember = (message: Message, tokens: number): number => {
    cache.set(keyOf(message), tokens);
    byObject.set(message, tokens);
    return tokens;
  };
  const countNow = async (message: Message, slices: TimeSlices): Promise<number> => {
    // One message may hold megabytes: looking it up and writing its JSON are two steps.
    const pause = slices.pause();
    if (pause !== undefined) await pause;
    const { texts, tokens } = await runInSlices(messageTexts(message, family), slices);
    const textTokens: number[] = [];
    for (const text of texts) textTokens.push(await countText(text, counter.count, slices));
    return remember(message, tokens(textTokens));
  };

  return {
    known,
    count: (message) => {
      const tokens = byObject.get(message) ?? lookUp(message, keyOf(message));
      if (tokens === undefined) return remember(message, countMessage(counter, message, family));
      byObject.set(message, tokens);
      return tokens;
    },
    countInSlices: async (messages, options) => {
      const release = counter.hold();
      try {
        const slices = timeSlices(options);
        for (const message of messages) {
          const found = known(message, slices);
          const counted = found instanceof Promise ? await found : found;
          if (counted === undefined) await countNow(message, slices);
          else byObject.set(message, counted);
          const pause = slices.pause();
          if (pause !== undefined) await pause;
        }
      } finally {
        release();
      }
    },
    counts: async function* (messages, options) {
      const release = counter.hold();
      try {
        const slices = timeSlices(options);
        for (const message of messages) {
          yield (await known(message, slices)) ?? (await countNow(message, slices));
          const pause = slices.pause();
          if (pause !== undefined) await pause;
        }
      } finally {
        release();
      }
    },
    samples: async function* (messages, options) {
      const texts: string[] = [];
      let fixed = 0;
      const slices = timeSlices(options);
      for (const message of messages) {
        const pause = slices.pause();
        if (pause !== undefined) await pause;
        const entry = await runInSlices(messageTexts(message, family), slices);
        for (const text of entry.texts) texts.push(text);
        fixed += entry.tokens([]);
      }
      const release = counter.hold();
      try {
        for await (const { tokens, error } of sampleTokens(texts, counter.count, slices))
          yield { tokens: fixed + tokens, error };
      } finally {
        release();
      }
    },
  };
}

function sharedCache({ isExact }: TextCounter, family: MediaFamily): CountCache {
  const name = `${family} ${isExact}`;
  const cache = caches.get(name) ?? countCache(messagePlaces);
  caches.set(name, cache);
  return cache;
}
