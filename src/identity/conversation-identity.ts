import type { Message } from '../prompt/prompt-types.ts';
import { runInSlices, type Steps } from '../util/async/run-steps.ts';
import { timeSlices, type TimeSlices } from '../util/async/time-slices.ts';
import {
  canonicalMessage,
  isSignificant,
  type IdNumbers,
  type TextInputs,
} from './canonical-message.ts';
import { countUpTo } from '../util/numbers.ts';
import { sha256Hex } from '../hash/sha256-hex.ts';
import { utf8Encoder } from '../util/strings.ts';

/**
 * Recognises a conversation by what it says. Counts are of *significant* messages, those with content
 * that identifies them: a message of nothing but reasoning does not survive the way through a client,
 * so it must not shift the others.
 */
export interface ConversationIdentity {
  /** Number of significant messages before an index. */
  readonly significantBefore: SignificantMessages['before'];
  /** Index of the message that follows the first `count` significant ones; `undefined` if there are fewer. */
  readonly indexAfter: SignificantMessages['indexAfter'];
  /**
   * Digest of all bytes of the first `count` significant messages, chained from that of the first 16, 32,
   * 64 and so on: the digests of all lengths read each message about twice together.
   */
  readonly prefixDigest: (count: number) => Promise<string>;
  /**
   * Digest of each significant message in a range, 32 hexadecimal digits each: of the message alone,
   * wherever in a conversation it stands.
   */
  readonly messageDigests: (start: number, end: number) => Promise<string[]>;
}

/** Digests that are computed at once. */
const digestBatch = 64;

/** Messages from which on digests are chained: fewer are read again sooner than a digest is waited for. */
const leastChained = 16;

/** Reads a conversation lazily: only as many messages are looked at as a question needs, in slices. */
export function identifyConversation(
  conversation: readonly Message[],
  slicesOf: () => TimeSlices = timeSlices,
): ConversationIdentity {
  const digests = new Map<number, Promise<string>>();
  const significant = significantMessages(conversation);
  const linesUntil = canonicalLines(conversation, significant, slicesOf);

  const computeDigest = async (count: number): Promise<string> => {
    const wanted = await linesUntil(count);
    const chained = chainedBefore(wanted.length);
    const before = chained === 0 ? [] : [await prefixDigest(chained)];
    const slices = slicesOf();
    const bytes = bytesOfLines([...before, ...wanted.slice(chained)]);
    await slices.pause();
    return sha256Hex(bytes);
  };
  const prefixDigest = (count: number): Promise<string> => {
    const digest = digests.get(count) ?? computeDigest(count);
    digests.set(count, digest);
    return digest;
  };
  return {
    significantBefore: significant.before,
    indexAfter: significant.indexAfter,
    prefixDigest,
    messageDigests: digestsOfMessages(conversation, significant, slicesOf),
  };
}

/** Reads the canonical lines of the first significant messages, of each once. */
function canonicalLines(
  conversation: readonly Message[],
  significant: SignificantMessages,
  slicesOf: () => TimeSlices,
): (count: number) => Promise<readonly string[]> {
  const ids: IdNumbers = new Map();
  const textInputs: TextInputs = new Map();
  const lines: string[] = [];
  function* readUntil(count: number): Steps<void> {
    for (const index of significant.until(count).slice(lines.length, count)) {
      const message = conversation[index];
      if (message === undefined) break;
      lines.push(yield* canonicalMessage(message, ids, textInputs));
      yield;
    }
  }
  let reading = Promise.resolve();
  return async (count) => {
    // One after another: ids are numbered in the order of the messages.
    const read = reading.then(() => runInSlices(readUntil(count), slicesOf()));
    reading = read.catch(() => undefined);
    await read;
    return lines.slice(0, count);
  };
}

/**
 * Lines with breaks between them, of which a line of JSON or a digest holds none. Each alone: one character beyond
 * Latin-1 makes all of a text slow to encode.
 */
function bytesOfLines(lines: readonly string[]): Uint8Array<ArrayBuffer> {
  const encoded = lines.map((line, index) => utf8Encoder.encode(index === 0 ? line : `\n${line}`));
  const bytes = new Uint8Array(encoded.reduce((total, { length }) => total + length, 0));
  let offset = 0;
  for (const each of encoded) {
    bytes.set(each, offset);
    offset += each.length;
  }
  return bytes;
}

/** Makes digests of single messages, of each once: several records of a call may name the same ones. */
function digestsOfMessages(
  conversation: readonly Message[],
  significant: SignificantMessages,
  slicesOf: () => TimeSlices,
): ConversationIdentity['messageDigests'] {
  const digests: string[] = [];
  return async (start, end) => {
    const indexes = significant.until(end);
    const slices = slicesOf();
    for (let first = start; first < end; first += digestBatch) {
      const pending: Promise<void>[] = [];
      const last = Math.min(end, first + digestBatch);
      for (let place = first; place < last; place += 1) {
        const message = conversation[indexes[place] ?? -1];
        if (message === undefined || digests[place] !== undefined) continue;
        // One after another: each would use up a slice of its own before others have their turn.
        const line = await runInSlices(canonicalMessage(message, new Map()), slices);
        const pause = slices.pause();
        if (pause !== undefined) await pause;
        pending.push(sha256Hex(line).then((digest) => void (digests[place] = digest.slice(0, 32))));
      }
      await Promise.all(pending);
      await slices.pause();
    }
    return digests.slice(start, end);
  };
}

/** How many of the first messages the digest of more of them is chained from: a power of two below. */
function chainedBefore(count: number): number {
  return count <= leastChained ? 0 : 2 ** Math.ceil(Math.log2(count) - 1);
}

/** Where the significant messages of a conversation stand, of which only as many are looked at as it takes. */
interface SignificantMessages {
  /** Indexes of the first ones, of `count` at least where there are as many. */
  readonly until: (count: number) => readonly number[];
  readonly before: (index: number) => number;
  readonly indexAfter: (count: number) => number | undefined;
}

function significantMessages(conversation: readonly Message[]): SignificantMessages {
  const indexes: number[] = [];
  let scanned = 0;
  const scanUntil = (enough: () => boolean): void => {
    for (; scanned < conversation.length && !enough(); scanned += 1) {
      const message = conversation[scanned];
      if (message !== undefined && isSignificant(message)) indexes.push(scanned);
    }
  };
  const until = (count: number): readonly number[] => {
    scanUntil(() => indexes.length >= count);
    return indexes;
  };
  return {
    until,
    before: (index) => {
      scanUntil(() => scanned >= index);
      return countUpTo(indexes, index - 1);
    },
    indexAfter: (count) => {
      if (count === 0) return 0;
      const last = until(count)[count - 1];
      return last === undefined ? undefined : last + 1;
    },
  };
}
