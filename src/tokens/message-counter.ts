import type { Message } from '../prompt/prompt-types.ts';
import { runAtOnce, runInSlices, type Steps } from '../util/async/run-steps.ts';
import { timeSlices, type TimeSlices } from '../util/async/time-slices.ts';
import { boundedMap, type BoundedMap } from '../util/maps/bounded-map.ts';
import { listCache, lookedUp } from '../util/maps/cache-figures.ts';
import type { MediaFamily } from './files/media-family-of.ts';
import { lastSizeOf, sizeOfTexts } from './scan-prompt.ts';
import { messageTexts, overheadTexts, type OverheadParams, type SentTexts } from './sent-texts.ts';
import type { TextSize } from './text-size.ts';
import type { TextCounter } from './text/create-text-counter.ts';
import { textPieces } from './text/text-pieces.ts';

/** Counts messages under o200k, each content once in a process. */
export interface MessageCounter {
  /** Tokens of a message that was counted before, by this object or another with the same content. */
  readonly known: (message: Message) => number | undefined;
  /** Tokens that one message adds to a call, as it is really sent. Counted at once where they are not known. */
  readonly count: (message: Message) => number;
  /** The same in slices that leave the event loop to others. */
  readonly countOne: (message: Message, slices: TimeSlices) => Promise<number>;
  /**
   * Counts messages in such slices; their tokens are known from then on. Rejects as soon as the signal aborts.
   */
  readonly countAll: (
    messages: readonly Message[],
    options?: Parameters<typeof timeSlices>[0],
  ) => Promise<void>;
  /** Tokens of tool definitions, response schema and the opening of the answer, which no summary makes fewer. */
  readonly countOverhead: (params: OverheadParams, slices: TimeSlices) => Promise<number>;
}

/** Counts remembered in a process, about 60 bytes each. */
const maxCounts = 65_536;

let counts: BoundedMap<number> | undefined;

/** What texts are counted with, and where that is remembered. */
interface CountSource {
  readonly counter: TextCounter;
  readonly family: MediaFamily;
  readonly shared: BoundedMap<number>;
}

/** Opens a counter over a given tokenizer. Counts are shared by all counters of a family and a vocabulary. */
export function messageCounterOf(
  counter: TextCounter,
  family: MediaFamily,
  shared: BoundedMap<number> = sharedCounts(),
): MessageCounter {
  const byObject = new WeakMap<Message, number>();
  const source = { counter, family, shared };
  const known = (message: Message): number | undefined => {
    const size = lastSizeOf(message, family);
    return byObject.get(message) ?? (size && lookedUp('counts', shared.get(keyIn(source, size))));
  };
  const noted = (message: Message, tokens: number): number => {
    byObject.set(message, tokens);
    return tokens;
  };
  const countOne: MessageCounter['countOne'] = async (message, slices) =>
    noted(message, known(message) ?? (await runInSlices(countMessage(source, message), slices)));
  return {
    known,
    count: (message) => noted(message, known(message) ?? runAtOnce(countMessage(source, message))),
    countOne,
    countAll: async (messages, options) => {
      const release = counter.hold();
      try {
        const slices = timeSlices(options);
        for (const message of messages) {
          await countOne(message, slices);
          const pause = slices.pause();
          if (pause !== undefined) await pause;
        }
      } finally {
        release();
      }
    },
    countOverhead: (params, slices) => runInSlices(countOverhead(source, params), slices),
  };
}

function keyIn({ counter: { isExact, vocabulary }, family }: CountSource, size: TextSize): string {
  return `${family} ${isExact} ${vocabulary} ${size.key}`;
}

function* countMessage(source: CountSource, message: Message): Steps<number> {
  return yield* countTexts(source, yield* messageTexts(message, source.family), message.role);
}

function* countOverhead(source: CountSource, params: OverheadParams): Steps<number> {
  return yield* countTexts(source, yield* overheadTexts(params, source.family), '');
}

function* countTexts(source: CountSource, sent: SentTexts, name: string): Steps<number> {
  const { counter, shared } = source;
  const key = keyIn(source, sizeOfTexts(sent, name));
  const known = lookedUp('counts', shared.get(key));
  if (known !== undefined) return known;
  let tokens = sent.frames + sent.files;
  for (const text of sent.texts)
    for (const piece of textPieces(text)) {
      // One message may hold megabytes.
      yield;
      tokens += counter.count(piece);
    }
  shared.set(key, tokens);
  return tokens;
}

function sharedCounts(): BoundedMap<number> {
  if (counts !== undefined) return counts;
  counts = boundedMap<number>(maxCounts);
  listCache('counts', counts.size);
  return counts;
}
