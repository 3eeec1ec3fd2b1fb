import { continuedIdentity } from '../identity/conversation-identity.ts';
import type { Joins } from '../planning/plan.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import { openingMessages } from '../selection/cuts.ts';
import { withDeadline } from '../util/async/waiting.ts';
import { clockMs } from '../util/clock-ms.ts';
import { ConversationDocuments, longestOf } from './conversation-documents.ts';
import { isInUse, isWhole, type Undone, type WholeRecord } from './document.ts';
import { type Course, type Flight, startFlight } from './flight.ts';
import type { BegunSummary } from './process-copy.ts';

/** Milliseconds a call waits for a store where nothing would be paid. */
const shortTimeoutMs = 250;

/** Milliseconds in which a store is asked about a conversation once, unless paying would follow. */
const refreshMs = 5000;

/** The state of one conversation, as one request sees it: what it goes on with, and what is being made of it. */
export class ConversationState extends ConversationDocuments {
  /** The summary that it goes on with. */
  found: WholeRecord | undefined;
  /** Whether summaries are known, and none of what they stand for is sent any more. */
  #isGap = false;
  /** Whether it was waited for in vain. */
  #isTimeUp = false;

  /** Messages that the next summary stands for at least, which is one more. */
  least(): number {
    return this.found?.record.coveredMessages ?? 0;
  }

  /** The most messages that a summary may stand for: one is left to be sent. */
  #most(): number {
    return this.options.identity.significantBefore(Number.POSITIVE_INFINITY) - 1;
  }

  /** Whether the store has not failed to answer in time: nobody waits for it twice. */
  isAnswered(): boolean {
    return !this.#isTimeUp && this.options.store.isAnswering();
  }

  /**
   * The longest summary of this conversation that this process knows; the store is compared with it beside the call.
   * About a conversation of which it was never asked the store is asked first, for a moment.
   */
  async find(): Promise<WholeRecord | undefined> {
    const { store, copy, identity, times, minMessages } = this.options;
    if (this.#isTooShort() || (store.isLocal && copy.isEmpty())) return undefined;
    const summary = await this.#findLocally();
    // What a store in this process holds is known: it is asked for what was pushed out, before paying.
    if (store.isLocal) return summary;
    const askedAt = copy.askedAt.get((await this.keys()).at(-1) ?? '');
    if (askedAt !== undefined && clockMs() - askedAt < refreshMs) return summary;
    if (summary !== undefined || (askedAt !== undefined && !this.#isGap)) {
      this.ask(false).catch(() => {});
      return summary;
    }
    if (store.isEmpty() || identity.indexAfter(minMessages) === undefined) return undefined;
    return this.#findAfterAsking(Math.min(shortTimeoutMs, times.storeTimeoutMs), false);
  }

  /** The same, when the store was asked whatever is known: before a summary is paid for. */
  async findBeforePaying(): Promise<WholeRecord | undefined> {
    const { store, times } = this.options;
    if (this.#isTooShort() || store.isEmpty()) return this.found;
    // Of what it has said beside the call, the request goes on; a claim finds what has changed since.
    if (this.isAsked) return this.#findLocally();
    return this.#findAfterAsking(times.storeTimeoutMs, true);
  }

  /** The prepared summary, which this request goes on from as if it had been found. */
  async take(): Promise<WholeRecord | undefined> {
    const prepared = await this.#prepared();
    return prepared && this.#goOnWith(prepared);
  }

  /**
   * The summary that was prepared to continue what was found, as far as this process knows: it stands in no prompt
   * before it is due.
   */
  async findPrepared(): Promise<WholeRecord | undefined> {
    return (await this.#prepared())?.kept;
  }

  /** What there is already of what is to be written, by somebody else. */
  async made(count: number, joins: Joins): Promise<WholeRecord | undefined> {
    const digest = await this.identity.prefixDigest(count);
    const made = await this.#longest(
      (kept) =>
        kept.record.prefixDigest === digest ||
        (joins === 'any' && (isInUse(kept) || this.#canFollow(kept)) && this.#isBetween(kept)),
    );
    return made?.kept;
  }

  /**
   * How the prompt stands where the newest summary of the conversation was undone: no other one is due before it has
   * grown from there.
   */
  async held(): Promise<Undone | undefined> {
    const { copy } = this.options;
    if (copy.isEmpty()) return undefined;
    let last: Undone | undefined;
    for (const undone of (await this.keys()).flatMap((key) => copy.get(key).undone)) {
      const isLater =
        undone.count <= this.#most() + 1 && undone.messageCount >= (last?.messageCount ?? 0);
      if (isLater && (await this.isOurs(undone))) last = undone;
    }
    return last;
  }

  /** The summary that this process is writing to continue what was found. */
  async findWriting(): Promise<BegunSummary | undefined> {
    const { flights } = this.options.copy;
    if (flights.size === 0) return undefined;
    const key = await this.documentKey(0);
    for (const begun of flights)
      if (begun.key === key && !begun.flight.isOver() && (await this.#goesOn(begun))) return begun;
    return undefined;
  }

  /** Resolves when what this process prepares or writes to continue what was found has ended. */
  async written(): Promise<void> {
    await this.options.copy.preparing.get(await this.#preparation())?.ended;
    const writing = await this.findWriting();
    await writing?.flight.ended;
  }

  /**
   * The summary that this process is writing of the conversation, if it will do as well as one of the first `count`
   * messages; else that one is begun.
   */
  async flight(
    count: number,
    joins: Joins,
    work: (course: Course) => Promise<StoredSummary>,
  ): Promise<Flight<StoredSummary>> {
    const { flights } = this.options.copy;
    const key = await this.documentKey(0);
    const digest = await this.identity.prefixDigest(count);
    const documentKey = await this.documentKey(count);
    const epoch = (): string => this.epochOf(documentKey);
    const others = new Set<BegunSummary>();
    for (;;) {
      const next = [...flights].find(
        (each) => each.key === key && !others.has(each) && !each.flight.isOver(),
      );
      // Between the last look and the beginning nothing is waited for.
      if (next === undefined) break;
      const isSame = next.digest === digest && next.epoch() === epoch();
      if (isSame || (joins !== 'none' && (await this.#goesOn(next)))) return next.flight;
      others.add(next);
    }
    const flight = startFlight(work, () => flights.delete(begun));
    const begun = { key, count, digest, epoch, flight };
    flights.add(begun);
    return flight;
  }

  /**
   * Prepares what continues the summary that was found, unless this process does so already.
   *
   * @returns what says when that has ended.
   */
  async prepare(work: () => Promise<void>): Promise<Pick<Flight<void>, 'ended'> | undefined> {
    const { preparing } = this.options.copy;
    const name = await this.#preparation();
    if (preparing.get(name)?.isOver() === false) return undefined;
    const flight = startFlight(work, () => preparing.delete(name));
    preparing.set(name, flight);
    return flight;
  }

  #isTooShort(): boolean {
    return this.options.identity.indexAfter(openingMessages + 1) === undefined;
  }

  /** Names the preparation of what continues the summary that was found, or what the conversation begins with. */
  async #preparation(): Promise<string> {
    const first = Math.max(openingMessages, Math.min(this.options.minMessages, this.#most()));
    const digest = this.found?.record.prefixDigest ?? (await this.identity.prefixDigest(first));
    return `${await this.documentKey(0)} ${digest}`;
  }

  /** Whether a summary that is being written goes on from what was found: not with what was erased since. */
  async #goesOn({ count, digest, epoch }: BegunSummary): Promise<boolean> {
    const isOfEpoch = epoch() === this.epochOf(await this.documentKey(count));
    return count > this.least() && isOfEpoch && this.isOurs({ count, digest });
  }

  async #findAfterAsking(timeoutMs: number, isUrgent: boolean): Promise<WholeRecord | undefined> {
    const { times, onGap } = this.options;
    try {
      await withDeadline(undefined, timeoutMs, () => this.ask(isUrgent));
    } catch {
      // What comes later than it is waited for is known to the next call.
      this.#isTimeUp = timeoutMs >= times.storeTimeoutMs;
    }
    const summary = await this.#findLocally();
    if (this.#isGap) onGap();
    return summary;
  }

  /** The longest summary of the conversation that this process knows, which the request goes on with. */
  async #findLocally(): Promise<WholeRecord | undefined> {
    this.found = undefined;
    this.identity = this.options.identity;
    const found = await this.#longest(
      (kept) => isInUse(kept) && kept.record.coveredMessages <= this.#most(),
    );
    if (found !== undefined) return this.#goOnWith(found);
    return this.names.hasId ? this.#findInWindow() : undefined;
  }

  /** Whether a prepared summary can take the place of what was found: it continues that, or stands on its own. */
  #canFollow({ parentDigest }: WholeRecord): boolean {
    return parentDigest === undefined || parentDigest === this.found?.record.prefixDigest;
  }

  /** Whether it stands for more than what was found, and leaves something to be sent. */
  #isBetween({ record: { coveredMessages } }: WholeRecord): boolean {
    return coveredMessages > this.least() && coveredMessages <= this.#most();
  }

  async #prepared(): Promise<Known | undefined> {
    return this.#longest(
      (kept) => !isInUse(kept) && this.#canFollow(kept) && this.#isBetween(kept),
    );
  }

  async #longest(accepts: (kept: WholeRecord) => boolean): Promise<Known | undefined> {
    const { copy } = this.options;
    if (copy.isEmpty()) return undefined;
    const known = (await this.keys()).flatMap((key) => {
      const { epoch, records } = copy.get(key);
      return records.filter(isWhole).map((kept) => ({ kept, epoch }));
    });
    const accepted = known.map(({ kept }) => kept).filter(accepts);
    const longest = await longestOf(accepted, this.identity);
    return known.find(({ kept }) => kept === longest);
  }

  /** Goes on with a summary: what the request does is begun behind it. */
  async #goOnWith({ kept, epoch }: Known): Promise<WholeRecord> {
    const key = await this.documentKey(kept.record.coveredMessages);
    if (this.options.epochs?.has(key) !== true) this.begunIn.set(key, epoch);
    this.found = kept;
    return kept;
  }

  /** The summary whose last messages are the first ones that are sent. */
  async #findInWindow(): Promise<WholeRecord | undefined> {
    const { identity: sent, conversation, copy } = this.options;
    const { epoch, records } = copy.get(await this.documentKey(0));
    const inUse = records.filter(isWhole).filter(isInUse);
    const isUser = (place: number): boolean =>
      conversation[(sent.indexAfter(place + 1) ?? 0) - 1]?.role === 'user';
    const total = sent.significantBefore(Number.POSITIVE_INFINITY);
    this.#isGap = inUse.length > 0;
    // Answers that were asked for anew may have had summaries of their own: the one that applies may be an older one.
    for (const kept of inUse.toReversed()) {
      const match = matchWindow(kept.lastIds ?? [], await sent.messageDigests(0, total), isUser);
      this.#isGap &&= match === 'gap';
      if (typeof match !== 'number' || match >= total) continue;
      const { coveredMessages: count, prefixDigest: digest } = kept.record;
      this.identity = continuedIdentity(sent, match, { count, digest });
      return this.#goOnWith({ kept, epoch });
    }
    return undefined;
  }
}

/** A summary with the epoch that it was found in: while it is compared, an erasure may be heard of. */
interface Known {
  readonly kept: WholeRecord;
  readonly epoch: string;
}

/**
 * Where a window of a history stands among the messages that a record covers: how many of its first messages are the
 * last ones covered. `gap`: it begins behind what is covered, or somewhere else altogether. `unclear`: it could stand in
 * two places, begins before the messages that are known to be covered, or fewer than four messages overlap, or none of a
 * user.
 */
export type WindowMatch = number | 'gap' | 'unclear';

/** Messages that must overlap: greetings and short tool results occur in many conversations. */
const leastOverlap = 4;

/**
 * Finds the messages of a window that a record covers: its first ones, equal to the last covered ones, one for one and
 * in one alignment only.
 *
 * @param lastIds - Digests of the last covered messages, oldest first: some, or all of them.
 * @param window - Digests of the messages that the client sent, oldest first.
 * @param isUser - Whether the window's message at an index is a user's.
 */
export function matchWindow(
  lastIds: readonly string[],
  window: readonly string[],
  isUser: (index: number) => boolean,
): WindowMatch {
  /** Whether all of `lastIds` from a place on stand in the window from another one on, as far as that reaches. */
  const stands = (from: number, at: number): boolean => {
    if (lastIds.length - from > window.length - at) return false;
    for (let index = from; index < lastIds.length; index += 1)
      if (lastIds[index] !== window[at + index - from]) return false;
    return true;
  };
  const starts = Array.from(lastIds.keys()).filter((from) => stands(from, 0));
  const isEarlier = lastIds.length > 0 && window.some((_, at) => at > 0 && stands(0, at));
  const [start] = starts;
  if (start === undefined) return isEarlier ? 'unclear' : 'gap';
  const count = lastIds.length - start;
  const isEnough =
    count >= leastOverlap && window.slice(0, count).some((_, index) => isUser(index));
  return isEnough && starts.length === 1 && !isEarlier ? count : 'unclear';
}
