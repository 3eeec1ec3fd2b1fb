import { claimSummary } from './changes/claim-summary.ts';
import { continuedIdentity } from '../identity/continued-identity.ts';
import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { openingMessages } from '../selection/legal-cuts.ts';
import { withDeadline } from '../util/async/with-deadline.ts';
import { heldAfterUndo } from './lookup/held-after-undo.ts';
import { knownLocally } from './lookup/known-locally.ts';
import { lookUp, readList, readRecord } from './lookup/look-up.ts';
import { seenErasures } from './lookup/seen-erasures.ts';
import { sentOriginals } from './lookup/sent-originals.ts';
import type { ConversationState, ConversationStateOptions } from './conversation-state.ts';
import { isInUse, type KnownSummary } from './lookup/known-summary.ts';
import { reconcile } from './reconcile.ts';
import { findPrepared, putPreparedInPlace } from './changes/prepared-summary.ts';
import { listFound } from './changes/list-record.ts';
import { saveRecord } from './changes/save-record.ts';
import { sealedStore } from '../stores/seal/sealed-store.ts';
import { stateScope } from './prefixes/state-scope.ts';
import { savedOf } from './lookup/saving.ts';
import { findWriting } from './lookup/writing.ts';
import { wasErased, type Erasures } from './lookup/was-erased.ts';
import { windowPrefix } from './lookup/window-prefix.ts';
import { clockMs } from '../util/clock-ms.ts';

/** Milliseconds a call waits for a store where nothing would be paid. */
const shortTimeoutMs = 250;
/** Milliseconds in which a store is asked about a conversation once, unless paying would follow. */
const refreshMs = 5000;

/** Opens the state of a conversation. */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export function summaryState(options: ConversationStateOptions): ConversationState {
  const { store, copy, keyring, times, archive, conversation, minMessages } = options;
  const { identity: sent, conversationId } = options;
  const scope = stateScope(sent, conversationId);
  const stores = keyring.map((keys) => sealedStore(store, keys, times.storeTimeoutMs));
  // Money hangs on what is found before paying.
  const urgent: typeof store = {
    ...store,
    get: async (key, wait) => store.get(key, { ...wait, isUrgent: true }),
  };
  const current = sealedStore(store, keyring[0], times.storeTimeoutMs);
  const prepared = { copy, scope, stores, times, archive: options.archive };
  const prefixes = new Map<string, { readonly digest: string; readonly count: number }>();
  const erasures = seenErasures(options.erasures);
  const endings = new Map<string, string>();
  let identity = sent;
  let found: KnownSummary | undefined;
  let isGap = false;
  let isTimeUp = false;
  let isKept = true;

  /** The most messages that a summary may stand for: one is left to be sent. */
  const most = (): number => sent.significantBefore(Number.POSITIVE_INFINITY) - 1;
  const least = (): number => found?.summary.record.coveredMessages ?? 0;
  /** Digest of what the next summary continues; where there is none yet, of what the conversation begins with. */
  const continued = async (): Promise<string> => {
    const beginning = Math.max(openingMessages, Math.min(minMessages, most()));
    return found?.summary.record.prefixDigest ?? identity.prefixDigest(beginning);
  };
  const accept = (known: KnownSummary, from: ConversationIdentity): StoredSummary => {
    erasures.goOnFrom(known.erasures);
    found = known;
    identity = from;
    return known.summary;
  };
  const onDropped = (): void => void (isKept = false);
  const isUser = (place: number): boolean =>
    conversation[(sent.indexAfter(place + 1) ?? 0) - 1]?.role === 'user';
  const acceptWindow = async (home: string): Promise<StoredSummary | undefined> => {
    const newest = copy.newest(home).flatMap((digest) => copy.get(home, digest) ?? []);
    const window = await windowPrefix(newest.filter(isInUse), sent, isUser);
    isGap = window.isGap;
    if (window.known === undefined) return undefined;
    const { coveredMessages: count, prefixDigest: digest } = window.known.summary.record;
    return accept(window.known, continuedIdentity(sent, window.count, { count, digest }));
  };
  const originalsOf = (record: SummaryRecord): ReturnType<typeof sentOriginals> =>
    sentOriginals(record, { identity, conversation });
  const place = (home: string) => ({ copy, home, scope, times, archive, originalsOf });
  const findLocally = async (): Promise<StoredSummary | undefined> => {
    for (const { keys } of stores) {
      const known = await knownLocally({ copy, scope, keys }, sent, { most: most() }, isInUse);
      if (known !== undefined) return accept(known, sent);
      const summary = scope.hasId ? await acceptWindow(await scope.homeKey(keys)) : undefined;
      if (summary !== undefined) return summary;
    }
    return undefined;
  };
  /** Asks the store, with the former secret too where nothing is known under the current one. */
  const ask = async (of = store): Promise<void> => {
    for (const keys of keyring) {
      const each = sealedStore(of, keys, times.storeTimeoutMs);
      const home = await scope.homeKey(each.keys);
      copy.askedAt.set(home, clockMs());
      const also = found?.summary.record.prefixDigest;
      const answer = await lookUp(each, scope, sent, { most: most(), also });
      erasures.hear(answer.erasures);
      if ((await reconcile({ ...place(home), store: each }, answer)).length > 0) return;
    }
  };
  const isAnswered = (): boolean => !isTimeUp && store.isAnswering();
  const findAfterAsking = async (
    timeoutMs: number,
    of = store,
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
  /** What lists say of erasures; of those that could be read. */
  const readErasures = async (listKeys: readonly string[]): Promise<Erasures> => {
    const lists = await Promise.all(
      listKeys.map(async (listKey) => [listKey, await readList(current, listKey)] as const),
    );
    const known = lists.filter(([, list]) => list.known);
    return new Map(known.map(([listKey, { index }]) => [listKey, index.erasure]));
  };
  const isTooShort = (): boolean => sent.indexAfter(openingMessages + 1) === undefined;

  return {
    identity: () => identity,
    held: async () => {
      if (!copy.hasUndone()) return undefined;
      const homes = await Promise.all(stores.map(({ keys }) => scope.homeKey(keys)));
      return heldAfterUndo(homes.flatMap(copy.undone), identity);
    },
    erasures: () => erasures.first,
    isErased: erasures.isErased,
    isAnswered,
    toContinue: () => found?.winner ?? found?.summary,
    find: async () => {
      if (isTooShort() || (store.isLocal && copy.isEmpty())) return undefined;
      const summary = await findLocally();
      // What a store in this process holds is known: it is asked for what was pushed out, before paying.
      if (store.isLocal) return summary;
      const askedAt = copy.askedAt.get(await scope.homeKey(current.keys));
      const isDue = askedAt === undefined || clockMs() - askedAt >= refreshMs;
      if (!isDue) return summary;
      if (summary !== undefined || (askedAt !== undefined && !isGap)) {
        void ask().catch(() => {});
        return summary;
      }
      if (store.isEmpty() || sent.indexAfter(minMessages) === undefined) return undefined;
      return findAfterAsking(Math.min(shortTimeoutMs, times.storeTimeoutMs));
    },
    saved: async () => {
      const saved = savedOf(copy.saves, await scope.homeKey(current.keys), identity);
      // What another request saves may have ended with it.
      await withDeadline(undefined, times.storeTimeoutMs, () => saved).catch(() => {});
    },
    findBeforePaying: () =>
      isTooShort() || store.isEmpty()
        ? Promise.resolve(found?.summary)
        : findAfterAsking(times.storeTimeoutMs, urgent),
    findPrepared: async () => (await findPrepared(prepared, identity, found?.summary))?.summary,
    take: async () => {
      const known = await findPrepared(prepared, identity, found?.summary);
      return known && accept(known, identity);
    },
    putInPlace: async (summary, standing) => putPreparedInPlace(prepared, summary, standing),
    findWriting: async () =>
      findWriting(copy, await scope.homeKey(current.keys), identity, least()),
    claim: async (count, joins) => {
      const digest = await identity.prefixDigest(count);
      const home = await scope.homeKey(current.keys);
      const prefix = { identity, digest, count, least: least() };
      const isShared = !store.isLocal && isAnswered();
      const where = { copy, home, store: current, scope, isShared, joins };
      return claimSummary({ ...where, before: await continued() }, prefix);
    },
    reservePreparation: async () =>
      copy.reserve(`${await scope.homeKey(current.keys)} ${await continued()}`),
    keyOf: async (count) => {
      const digest = await identity.prefixDigest(count);
      const key = await scope.recordKey(current.keys, digest);
      prefixes.set(key, { digest, count });
      return key;
    },
    read: async (key) => {
      const prefix = prefixes.get(key);
      if (prefix === undefined) return undefined;
      const home = await scope.homeKey(current.keys);
      const known = copy.get(home, prefix.digest);
      if (known !== undefined || !isAnswered()) return known?.summary;
      const listKeys = await scope.listKeysOf(current.keys, prefix.count);
      const [answer] = await Promise.all([
        readRecord(current, scope, prefix.digest, erasures.first),
        readErasures(listKeys.filter((listKey) => !erasures.first.has(listKey))).then(
          erasures.note,
        ),
      ]);
      if (answer.state === 'ended') endings.set(key, answer.stamp);
      if (answer.state !== 'known') return undefined;
      copy.keep(home, answer.known);
      await listFound(current, scope, answer.known, times.retentionMs);
      return answer.known.summary;
    },
    save: async (key, summary) => {
      const waitMs = isAnswered() ? times.storeTimeoutMs : 0;
      const of = {
        store: current,
        erasures: erasures.first,
        endings,
        waitMs,
        parent: found,
        onDropped,
      };
      return saveRecord({ ...place(await scope.homeKey(current.keys)), ...of }, key, summary);
    },
    isKept: () => isKept,
    isErasedSince: async (key) => {
      const listKeys = await scope.listKeysOf(current.keys, prefixes.get(key)?.count ?? 0);
      const now = [...(await readErasures(listKeys))];
      return now.some(([listKey, erasure]) => wasErased(erasures.first, listKey, erasure));
    },
  };
}
