import type { Message } from '../prompt/prompt-types.ts';
import { countCache, type CountCache } from './count-cache.ts';
import { countMemory, type CountMemory } from './count-memory.ts';
import { countMessage, messageTexts } from './count-message.ts';
import { countText } from './text/count-text.ts';
import type { TextCounter } from './text/create-text-counter.ts';
import type { MediaFamily } from './files/media-family-of.ts';
import { runInSlices } from '../util/async/run-steps.ts';
import { timeSlices, type TimeSlices } from '../util/async/time-slices.ts';

/** Counts messages under o200k, each content once in a process. */
export interface MessageCounter extends Pick<CountMemory, 'known'> {
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
  const { known, knownNow, note, remember } = countMemory(cache);
  const source = { counter, family };
  const countNow = async (message: Message, slices: TimeSlices): Promise<number> =>
    remember(message, await countInParts(message, source, slices));

  return {
    known,
    count: (message) =>
      knownNow(message) ?? remember(message, countMessage(counter, message, family)),
    countInSlices: async (messages, options) => {
      const release = counter.hold();
      try {
        const slices = timeSlices(options);
        for (const message of messages) {
          const found = known(message, slices);
          const counted = found instanceof Promise ? await found : found;
          if (counted === undefined) await countNow(message, slices);
          else note(message, counted);
          const pause = slices.pause();
          if (pause !== undefined) await pause;
        }
      } finally {
        release();
      }
    },
    counts: (messages, options) => {
      const slices = timeSlices(options);
      const countOne = async (message: Message): Promise<number> =>
        (await known(message, slices)) ?? (await countNow(message, slices));
      return messageCounts(messages, counter, countOne, slices);
    },
  };
}

/** What messages are counted with. */
interface CountSource {
  readonly counter: TextCounter;
  readonly family: MediaFamily;
}

async function countInParts(
  message: Message,
  { counter, family }: CountSource,
  slices: TimeSlices,
): Promise<number> {
  // One message may hold megabytes: looking it up and writing its JSON are two steps.
  await slices.pause();
  const { texts, tokens } = await runInSlices(messageTexts(message, family), slices);
  const textTokens: number[] = [];
  for (const text of texts) textTokens.push(await countText(text, counter.count, slices));
  return tokens(textTokens);
}

async function* messageCounts(
  messages: readonly Message[],
  counter: TextCounter,
  countOne: (message: Message) => Promise<number>,
  slices: TimeSlices,
): AsyncGenerator<number, void, void> {
  const release = counter.hold();
  try {
    for (const message of messages) {
      yield await countOne(message);
      await slices.pause();
    }
  } finally {
    release();
  }
}

function sharedCache({ isExact, vocabulary }: TextCounter, family: MediaFamily): CountCache {
  const name = `${family} ${isExact} ${vocabulary}`;
  const cache = caches.get(name) ?? countCache(messagePlaces);
  caches.set(name, cache);
  return cache;
}
