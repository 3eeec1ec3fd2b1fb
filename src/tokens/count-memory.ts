import type { Hash64 } from '../hash/value-hash.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { TimeSlices } from '../util/async/time-slices.ts';
import type { CountCache } from './count-cache.ts';
import { messageHash, messageHashInSlices } from './message-hash.ts';

/** Tokens of messages that were counted. */
export interface CountMemory {
  /**
   * Tokens of a message if it has been counted, by this object or another with the same content. Reads
   * large JSON in the slices.
   */
  readonly known: (
    message: Message,
    slices: TimeSlices,
  ) => number | undefined | Promise<number | undefined>;
  readonly knownNow: (message: Message) => number | undefined;
  /** Notes the tokens of an object, and returns them. */
  readonly note: (message: Message, tokens: number) => number;
  /** The same, for all messages of the same content too. */
  readonly remember: (message: Message, tokens: number) => number;
}

/** Remembers counts by object, and in a cache that others share by content. */
export function countMemory(cache: CountCache): CountMemory {
  // Filled where counts are asked for, not where one is looked up: a prompt is looked up on every call.
  const byObject = new WeakMap<Message, number>();
  // Of messages that are not known, so that those that are counted are read once: one may have megabytes.
  const hashes = new WeakMap<Message, Hash64>();
  const lookUp = (message: Message, key: Hash64): number | undefined => {
    const tokens = cache.get(key);
    if (tokens === undefined) hashes.set(message, key);
    return tokens;
  };
  const keyOf = (message: Message): Hash64 => hashes.get(message) ?? messageHash(message);
  const note = (message: Message, tokens: number): number => {
    byObject.set(message, tokens);
    return tokens;
  };
  return {
    known: (message, slices) => {
      const own = byObject.get(message);
      if (own !== undefined) return own;
      const key = hashes.get(message) ?? messageHashInSlices(message, slices);
      return key instanceof Promise
        ? key.then((late) => lookUp(message, late))
        : lookUp(message, key);
    },
    knownNow: (message) => {
      const tokens = byObject.get(message) ?? lookUp(message, keyOf(message));
      return tokens === undefined ? undefined : note(message, tokens);
    },
    note,
    remember: (message, tokens) => {
      cache.set(keyOf(message), tokens);
      return note(message, tokens);
    },
  };
}
