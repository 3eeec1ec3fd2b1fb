import { randomId } from '../hash/random-id.ts';
import { continuedIdentity } from '../identity/continued-identity.ts';
import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { Joins } from '../planning/plan.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import { openingMessages } from '../selection/legal-cuts.ts';
import { sealedStore, type SealedStore } from '../stores/seal/sealed-store.ts';
import { withDeadline } from '../util/async/with-deadline.ts';
import { clockMs } from '../util/clock-ms.ts';
import { claimDocument, namedArchive, namesArchive } from './claim-document.ts';
import { conversationKeys } from './conversation-keys.ts';
import type { Claim, ConversationState, ConversationStateOptions } from './conversation-state.ts';
import {
  emptyDocument,
  isErasedSince,
  isInUse,
  isWhole,
  known,
  localBounds,
  putInPlace,
  saved,
  says,
  shared,
  storedBounds,
  superseded,
  tidied,
  union,
  type ConversationDocument,
  type KeptRecord,
  type Saved,
  type SaveTerms,
  type Undone,
  type WholeRecord,
} from './document.ts';
import { findWindow } from './match-window.ts';
import { originalsKeeper } from './originals-keeper.ts';
import type { BegunSummary } from './process-copy.ts';
import { changeDocument, readDocument, type StoredDocument } from './stored-document.ts';

/** Milliseconds a call waits for a store where nothing would be paid. */
const shortTimeoutMs = 250;
/** Milliseconds in which a store is asked about a conversation once, unless paying would follow. */
const refreshMs = 5000;
/** Lengths of records of which the digest is compared. */
const maxCompared = 64;
/** Digests of covered messages that are kept to recognise a window by. */
const maxLastIds = 512;
/** Opens the state of a conversation. */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export function openConversation(options: ConversationStateOptions): ConversationState {
  const { store, copy, keyring, times, conversation, minMessages } = options;
  const { identity: sent, conversationId } = options;
  const [keys] = keyring;
  const names = conversationKeys(sent, conversationId);
  const sealed = sealedStore(store, keys, times.storeTimeoutMs);
  // Money hangs on what is found before paying.
  const urgent = sealedStore(
    { ...store, get: async (key, wait) => store.get(key, { ...wait, isUrgent: true }) },
    keys,
    times.storeTimeoutMs,
  );
  const originals = originalsKeeper({ ...options, store: sealed, names });
  const begunIn = new Map<string, string>(options.epochs);
  const heard = new Map<string, string>();
  const lastRead = new Map<string, StoredDocument>();
  const undoneBefore = new Set<string>();
  let identity = sent;
  let found: WholeRecord | undefined;
  let foundIn: string | undefined;
  let isGap = false;
  let isTimeUp = false;
  let isErased = false;
  let isAsked = false;

  const allKeys = async (): Promise<readonly [string, ...string[]]> => names.all(keys);
  /** The most messages that a summary may stand for: one is left to be sent. */
  const most = (): number => sent.significantBefore(Number.POSITIVE_INFINITY) - 1;
  const least = (): number => found?.record.coveredMessages ?? 0;
  const isOurs = async (count: number, digest: string): Promise<boolean> =>
    identity.indexAfter(count) !== undefined && (await identity.prefixDigest(count)) === digest;
  const epochOf = (key: string): string => begunIn.get(key) ?? copy.get(key).epoch;
  /** Whether a summary goes on from what was found: not with what was erased since. */
  const goesOn = async ({ count, digest, epoch }: BegunSummary): Promise<boolean> =>
    count > least() &&
    epoch() === epochOf(await names.of(keys, count)) &&
    (await isOurs(count, digest));
  /** Digest of what the next summary continues, or of what the conversation begins with. */
  const beginning = async (): Promise<string> => {
    const first = Math.max(openingMessages, Math.min(minMessages, most()));
    return found?.record.prefixDigest ?? identity.prefixDigest(first);
  };
  const preparation = async (): Promise<string> => `${(await allKeys())[0]} ${await beginning()}`;
  const note = (key: string, epoch: string): void => {
    const since = begunIn.get(key);
    if (since === undefined) begunIn.set(key, epoch);
    else isErased ||= epoch !== '' && epoch !== since;
  };
  const accept = (kept: WholeRecord, key: string, from: ConversationIdentity): StoredSummary => {
    const { epoch } = copy.get(key);
    // What goes on with a summary that the store has behind an erasure is begun behind it, too.
    if (heard.get(key) === epoch && options.epochs?.has(key) !== true) begunIn.set(key, epoch);
    else note(key, epoch);
    [found, foundIn, identity] = [kept, key, from];
    return kept;
  };
  /** The longest record that this process knows of this conversation, with the key of its document. */
  const longest = async (
    accepts: (kept: WholeRecord) => boolean,
  ): Promise<readonly [WholeRecord, string] | undefined> => {
    const all = (await allKeys()).flatMap((key) =>
      copy
        .get(key)
        .records.flatMap((kept) => (isWhole(kept) && accepts(kept) ? [[kept, key] as const] : [])),
    );
    const byCount = Map.groupBy(all, ([{ record }]) => record.coveredMessages);
    const counts = [...byCount.keys()].toSorted((one, other) => other - one);
    for (const count of counts.slice(0, maxCompared)) {
      const digest = await identity.prefixDigest(count);
      const match = byCount.get(count)?.find(([{ record }]) => record.prefixDigest === digest);
      if (match !== undefined) return match;
    }
    return undefined;
  };
  /** The summary whose last messages are the first ones that are sent. */
  const findInWindow = async (): Promise<StoredSummary | undefined> => {
    const [key] = await allKeys();
    const inUse = copy
      .get(key)
      .records.filter((kept): kept is WholeRecord => isWhole(kept) && isInUse(kept));
    const isUser = (place: number): boolean =>
      conversation[(sent.indexAfter(place + 1) ?? 0) - 1]?.role === 'user';
    const window = await findWindow(inUse, sent, isUser);
    ({ isGap } = window);
    if (window.known === undefined) return undefined;
    const { coveredMessages: count, prefixDigest: digest } = window.known.record;
    return accept(window.known, key, continuedIdentity(sent, window.count, { count, digest }));
  };
  const findLocally = async (): Promise<StoredSummary | undefined> => {
    [found, foundIn, identity] = [undefined, undefined, sent];
    const match = await longest((kept) => isInUse(kept) && kept.record.coveredMessages <= most());
    if (match !== undefined) return accept(...match, sent);
    return names.hasId ? findInWindow() : undefined;
  };
  const place = (key: string, of: SealedStore = sealed) => ({
    store: of,
    key,
    retentionMs: times.retentionMs,
  });
  const hear = (key: string, read: StoredDocument): void => {
    lastRead.set(key, read);
    if (!read.known) return;
    const whole = known(read.document ?? emptyDocument, copy.get(key));
    // A store that tells of no erasure may have lost the one that this process knows of.
    note(key, whole.epoch);
    heard.set(key, whole.epoch);
    if (read.document === undefined) return;
    copy.set(key, tidied(whole, Date.now(), localBounds));
  };
  /** Asks the store, under the former secret too where nothing stands under the current one. */
  const ask = async (of: SealedStore = sealed): Promise<void> => {
    await Promise.all(
      (await allKeys()).map(async (key) => {
        copy.askedAt.set(key, clockMs());
        const read = await readDocument(of, key);
        hear(key, read);
        if (read.known && read.document === undefined) await takeOver(key, of);
        await writeBack(key, read, of);
      }),
    );
    isAsked = [...lastRead.values()].every(({ known: isKnown }) => isKnown);
  };
  const takeOver = async (key: string, of: SealedStore): Promise<void> => {
    for (const former of keyring.slice(1)) {
      const index = (await allKeys()).indexOf(key);
      const formerKey = (await names.all(former))[index] ?? '';
      const { document } = await readDocument(of.with(former), formerKey);
      if (document !== undefined)
        copy.set(key, tidied(known(document, copy.get(key)), Date.now(), localBounds));
    }
  };
  /** Writes again what the store has lost: its originals first, but never what was erased, undone or has expired. */
  const writeBack = async (key: string, read: StoredDocument, of: SealedStore): Promise<void> => {
    const mine = copy.get(key);
    if (!read.known || mine === emptyDocument) return;
    const merged = (stored: ConversationDocument): ConversationDocument => {
      const whole = tidied(union(stored, shared(copy.get(key))), Date.now(), storedBounds);
      return says(stored, whole) ? stored : whole;
    };
    const stored = read.document ?? emptyDocument;
    if (merged(stored) === stored) return;
    if (originals !== undefined) await archiveAgain(key, stored);
    const written = await changeDocument(place(key, of), merged, read);
    if (written.document?.epoch !== mine.epoch && written.known) hear(key, written);
  };
  const isAnswered = (): boolean => !isTimeUp && store.isAnswering();
  /** Sees to it that the store has the originals of what it has lost, as far as they are sent. */
  const archiveAgain = async (key: string, stored: ConversationDocument): Promise<void> => {
    const held = new Set(stored.records.map(({ record }) => record.prefixDigest));
    for (const kept of copy.get(key).records) {
      if (held.has(kept.record.prefixDigest) || !isWhole(kept)) continue;
      const archiveId = await originals?.keptAgain(kept, identity, async (again) => {
        const named = { ...kept, archiveId: again };
        const since = begunIn.get(key);
        return namesArchive(await namedArchive(place(key), named, undefined, since), again);
      });
      if (archiveId === kept.archiveId) continue;
      const { records, ...rest } = copy.get(key);
      const again = records.map((each) =>
        each.token === kept.token ? { ...each, archiveId } : each,
      );
      copy.set(key, { ...rest, records: again });
    }
  };
  const findAfterAsking = async (
    timeoutMs: number,
    of: SealedStore = sealed,
  ): Promise<StoredSummary | undefined> => {
    try {
      await withDeadline(undefined, timeoutMs, async () => ask(of));
    } catch {
      // What comes later than it is waited for is known to the next call.
      isTimeUp = timeoutMs >= times.storeTimeoutMs;
    }
    const summary = await findLocally();
    if (isGap) options.onGap();
    return summary;
  };
  const isTooShort = (): boolean => sent.indexAfter(openingMessages + 1) === undefined;
  const prepared = async (): Promise<readonly [WholeRecord, string] | undefined> => {
    if (copy.isEmpty()) return undefined;
    const total = identity.significantBefore(Number.POSITIVE_INFINITY);
    return longest(
      (kept) =>
        !isInUse(kept) &&
        kept.parentDigest === found?.record.prefixDigest &&
        kept.record.coveredMessages > least() &&
        kept.record.coveredMessages < total,
    );
  };
  /** Changes what this process knows, then what the others do. */
  const change = async (
    key: string,
    apply: (document: ConversationDocument) => ConversationDocument,
  ): Promise<void> => {
    copy.set(key, apply(copy.get(key)));
    hear(key, await changeDocument(place(key), apply));
  };
  const superseding = async (parent: WholeRecord, inKey: string, child: string): Promise<void> => {
    const until = Date.now() + times.supersededTtlMs;
    await change(inKey, (document) =>
      superseded(document, parent.record.prefixDigest, child, until),
    );
  };
  const wasUndone = ({ digest, at }: Undone): boolean => undoneBefore.has(`${digest} ${at}`);
  const saveTerms = (now: number): SaveTerms => ({
    since: undefined,
    wasUndone,
    textsMs: times.supersededTtlMs,
    now,
  });
  /** Keeps a summary in the store, with its originals first. */
  const keep = async (mine: WholeRecord, key: string): Promise<Saved | undefined> => {
    const parent = found?.record.prefixDigest === mine.parentDigest ? found?.archiveId : undefined;
    if (originals !== undefined) {
      const read = await namedArchive(place(key), mine, lastRead.get(key), begunIn.get(key));
      lastRead.set(key, read);
      // Nobody would find what a process leaves that ends now.
      if (!namesArchive(read, mine.archiveId)) return read.known ? { state: 'erased' } : undefined;
    }
    const isArchived = await originals?.keep(mine, identity, parent);
    const remove = async (): Promise<void> => {
      if (isArchived !== undefined) await originals?.remove(mine);
    };
    if (isArchived === false) {
      await remove();
      return undefined;
    }
    const kept = isArchived === undefined ? { ...mine, archiveId: undefined } : mine;
    let outcome: Saved | undefined;
    const parentState = await parentStateBeside(key);
    if (parentState !== 'kept') {
      await remove();
      return parentState === 'unknown' ? undefined : { state: parentState };
    }
    const changed = await changeDocument(
      place(key),
      (stored) => {
        const now = Date.now();
        const since = begunIn.get(key);
        const base = isErasedSince(stored, since) ? stored : union(stored, shared(copy.get(key)));
        const result = saved(base, kept, { ...saveTerms(now), since });
        outcome = result.outcome;
        return outcome.state === 'kept' || outcome.state === 'taken' ? result.document : stored;
      },
      lastRead.get(key),
    );
    if (!changed.known) return undefined;
    if (outcome?.kept?.token !== mine.token) await remove();
    lastRead.set(key, changed);
    return outcome;
  };
  /** Keeps a summary in this process; gives that which it has, as the store may have told of another one meanwhile. */
  const keepLocally = (key: string, summary: WholeRecord): WholeRecord => {
    const mine = copy.get(key);
    const since = begunIn.get(key);
    const epoch = mine.epoch === '' ? (since ?? '') : mine.epoch;
    const terms = { ...saveTerms(Date.now()), since };
    const { document, outcome } = saved({ ...mine, epoch }, summary, terms);
    copy.set(key, document);
    return outcome.kept !== undefined && isWhole(outcome.kept) ? outcome.kept : summary;
  };

  return {
    identity: () => identity,
    epochs: () => new Map(begunIn),
    isErased: () => isErased,
    isAnswered,
    toContinue: () => {
      const { winner } = found ?? {};
      return winner !== undefined && isWhole(winner) ? winner : found;
    },
    find: async () => {
      if (isTooShort() || (store.isLocal && copy.isEmpty())) return undefined;
      const summary = await findLocally();
      // What a store in this process holds is known: it is asked for what was pushed out, before paying.
      if (store.isLocal) return summary;
      const askedAt = copy.askedAt.get((await allKeys()).at(-1) ?? '');
      const isDue = askedAt === undefined || clockMs() - askedAt >= refreshMs;
      if (!isDue) return summary;
      if (summary !== undefined || (askedAt !== undefined && !isGap)) {
        void ask().catch(() => {});
        return summary;
      }
      if (store.isEmpty() || sent.indexAfter(minMessages) === undefined) return undefined;
      return findAfterAsking(Math.min(shortTimeoutMs, times.storeTimeoutMs));
    },
    // A claim finds what has changed since.
    findBeforePaying: () =>
      isAsked || isTooShort() || store.isEmpty()
        ? Promise.resolve(found)
        : findAfterAsking(times.storeTimeoutMs, urgent),
    findPrepared: async () => (await prepared())?.[0],
    take: async () => {
      const match = await prepared();
      return match && accept(...match, identity);
    },
    held: async () => {
      if (copy.isEmpty()) return undefined;
      let held: Undone | undefined;
      const total = identity.significantBefore(Number.POSITIVE_INFINITY);
      for (const key of await allKeys())
        for (const undone of copy.get(key).undone)
          if (
            undone.count <= total &&
            undone.messageCount >= (held?.messageCount ?? 0) &&
            (await isOurs(undone.count, undone.digest))
          )
            held = undone;
      return held;
    },
    putInPlace: async ({ record: { prefixDigest: digest, coveredMessages } }, standing) => {
      const key = await names.of(keys, coveredMessages);
      const textsUntil = Date.now() + times.supersededTtlMs;
      await change(key, (document) => putInPlace(document, digest, standing, textsUntil));
      if (found !== undefined && foundIn !== undefined && foundIn !== key)
        await superseding(found, foundIn, digest);
    },
    findWriting: async () => {
      if (copy.isIdle()) return undefined;
      const [key] = await allKeys();
      for (const begun of copy.writing(key)) if (await goesOn(begun)) return begun;
      return undefined;
    },
    begin: async (count, joins) => {
      const [key] = await allKeys();
      const digest = await identity.prefixDigest(count);
      const documentKey = await names.of(keys, count);
      const epoch = (): string => epochOf(documentKey);
      const flight = `${await names.recordKey(keys, digest)} ${epoch()}`;
      const others = new Set<BegunSummary>();
      for (;;) {
        // Between the last look and the claim nothing is waited for.
        const next = [...copy.writing(key)].find((other) => !others.has(other));
        if (joins === 'none' || next === undefined) {
          const end = copy.begin(key, { count, digest, epoch, flight });
          return { key: flight, end };
        }
        if (await goesOn(next)) return { key: next.flight, end: () => {} };
        others.add(next);
      }
    },
    reservePreparation: async () => copy.reserve(await preparation()),
    preparationEnded: async () => copy.unreserved(await preparation()),
    keyOf: async (count) => names.recordKey(keys, await identity.prefixDigest(count)),
    openings: names.openings,
    claim: async (count, { token, joins, seen }) => {
      const key = await names.of(keys, count);
      const archiveId = originals === undefined ? undefined : randomId();
      for (const each of await allKeys())
        for (const { digest, at } of copy.get(each).undone) undoneBefore.add(`${digest} ${at}`);
      const unshared = { token, archiveId, end: async () => {} };
      if (store.isLocal || !isAnswered()) return (await made(count, joins)) ?? unshared;
      const digest = await identity.prefixDigest(count);
      const claim = await claimDocument(place(key), {
        writing: { token, count, digest, archiveId },
        isAwaited: async (other) =>
          joins === 'any'
            ? other.count > least() && (await isOurs(other.count, other.digest))
            : other.digest === digest,
        seen,
        since: begunIn.get(key),
        first: seen.size === 0 ? lastRead.get(key) : undefined,
      });
      hear(key, claim.read);
      const first = await made(count, joins);
      if (first !== undefined) void claim.end?.();
      return first ?? (claim.isTaken ? 'taken' : { ...unshared, end: claim.end ?? unshared.end });
    },
    save: async (summary, { token, archiveId }) => {
      const { coveredMessages: count, prefixDigest } = summary.record;
      const key = await names.of(keys, count);
      const isContinued =
        summary.record.parentId !== undefined && found?.record.id === summary.record.parentId;
      const parent = isContinued ? found : undefined;
      const now = Date.now();
      const mine = await completed(summary, { token, archiveId, parent, now });
      const waitMs = isAnswered() ? times.storeTimeoutMs : 0;
      try {
        const outcome = await withDeadline(undefined, waitMs, async () => {
          const result = await keep(mine, key);
          if (result?.state === 'erased' || result?.state === 'undone') drop(key, mine);
          return result;
        });
        if (outcome?.state === 'erased' || outcome?.state === 'undone')
          return { summary, isKept: false };
        const stored = outcome?.kept !== undefined && isWhole(outcome.kept) ? outcome.kept : mine;
        const kept = keepLocally(key, stored);
        if (parent !== undefined && foundIn !== undefined && foundIn !== key && isInUse(mine))
          await superseding(parent, foundIn, prefixDigest);
        if (parent !== undefined) void originals?.renew(parent, now);
        return { summary: kept.token === token ? summary : kept, isKept: true };
      } catch {
        const kept = keepLocally(key, mine);
        return { summary: kept.token === token ? summary : kept, isKept: true };
      }
    },
    isStored: async ({ coveredMessages, prefixDigest }) => {
      const key = await names.of(keys, coveredMessages);
      const { document = emptyDocument } = await readDocument(sealed, key);
      return document.records.some(({ record }) => record.prefixDigest === prefixDigest);
    },
    isErasedSince: async () => {
      for (const key of await allKeys()) hear(key, await readDocument(sealed, key));
      return isErased;
    },
  };

  /** What there is already of what is to be written, by somebody else. */
  async function made(count: number, joins: Joins): Promise<StoredSummary | undefined> {
    const digest = await identity.prefixDigest(count);
    const match = await longest(({ record, parentDigest, prepared: isAhead }) => {
      if (record.prefixDigest === digest) return true;
      const { coveredMessages: covered } = record;
      const continues = isAhead !== true || parentDigest === found?.record.prefixDigest;
      return joins === 'any' && continues && covered > least() && covered <= most();
    });
    return match?.[0];
  }

  /** A summary with what leads to what it continues, and what a window of its conversation is recognised by. */
  async function completed(
    summary: StoredSummary,
    {
      token,
      archiveId,
      parent,
      now,
    }: Omit<Claim, 'end'> & { parent: WholeRecord | undefined; now: number },
  ): Promise<WholeRecord> {
    const { coveredMessages: count } = summary.record;
    const from = parent?.record.coveredMessages ?? 0;
    const ids = names.hasId
      ? await identity.messageDigests(Math.max(from, count - maxLastIds), count)
      : [];
    const lastIds = [...(parent?.lastIds ?? []), ...ids].slice(-maxLastIds);
    const until = now + times.retentionMs;
    return {
      ...summary,
      ...(lastIds.length > 0 ? { lastIds } : {}),
      from,
      archiveId: originals === undefined ? undefined : archiveId,
      archivesUntil: originals?.until(parent, now),
      parentDigest: parent?.record.prefixDigest,
      token,
      keptAt: now,
      textsUntil: until,
      // As long as its archive, which is named here alone.
      until: originals === undefined ? until : until + times.retentionMs,
    };
  }

  /** What became of what is continued, where another document than that of a key tells of it. */
  async function parentStateBeside(key: string): Promise<'kept' | 'undone' | 'erased' | 'unknown'> {
    if (found === undefined || foundIn === undefined || foundIn === key) return 'kept';
    const { known: isKnown, document = emptyDocument } = await readDocument(sealed, foundIn);
    if (!isKnown) return 'unknown';
    if (isErasedSince(document, begunIn.get(foundIn))) return 'erased';
    const before = found.record.prefixDigest;
    return document.undone.some((each) => each.digest === before && !wasUndone(each))
      ? 'undone'
      : 'kept';
  }

  function drop(key: string, { token }: KeptRecord): void {
    const { records, ...rest } = copy.get(key);
    copy.set(key, { ...rest, records: records.filter((kept) => kept.token !== token) });
  }
}
