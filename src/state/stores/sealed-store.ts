import { runSafely } from '../../foundations/util/async/callbacks.ts';
import { clockMs, delay, withDeadline } from '../../foundations/util/async/waiting.ts';
import type { SummaryStore } from './summary-store.ts';
import type { StoreKeys, UnsealedValue } from './store-keys.ts';

/** How an operation is waited for. */
export interface StoreWait {
  readonly timeoutMs: number;
  /**
   * Whether money hangs on it: then a store is asked that has just failed.
   * @default false
   */
  readonly isUrgent?: boolean | undefined;
}

/** A store that never rejects and never keeps anybody waiting for longer than they want to. */
export interface GuardedStore extends Pick<SummaryStore, 'maxBytes'> {
  readonly isLocal: boolean;
  /** Whether this caller's last operation was answered in time: nobody waits twice for a store that is sick. */
  readonly isAnswering: () => boolean;
  /**
   * Waits for an operation, unless the store is left alone, and goes on watching when its caller has gone. One in
   * flight is never canceled: on a pooled connection that would leave its reply to the next caller.
   *
   * @returns The answer; `undefined` if none came in time.
   */
  readonly ask: <Result>(
    operation: (store: SummaryStore) => Promise<Result>,
    wait: StoreWait,
  ) => Promise<{ readonly result: Result } | undefined>;
}

/** Hears what one caller's operations came upon. */
export interface StoreReport {
  /** A fault, also a time that was up; once for an operation, never for one that was not begun. */
  readonly onFault: (error: unknown) => void;
  /**
   * The store has failed several times in a row: told once for each outage, to the caller whose operation
   * saw it, which may be after that caller stopped waiting.
   */
  readonly onOutage?: () => void;
  /** The store answers again: told once, likewise. */
  readonly onRecovery?: () => void;
}

/** Milliseconds of silence after which a store counts as down; with less it is slow. */
export const outageMs = 2000;

/** Milliseconds a store is left alone after a failure: they double with each one more in a row. */
export const firstBackoffMs = 1000;
export const longestBackoffMs = 60_000;

/** Failures in a row from which on it is an outage, which is told; before, it may be a moment. */
const outageFailures = 3;

const health = new WeakMap<SummaryStore, { failures: number; restsUntil: number }>();

/**
 * Makes a store harmless. Facts about a store belong to the store object, so that the middlewares of several requests
 * share them. Faults are reported to the caller that saw them. A store that fails, that is, throws, rejects or is
 * silent for 2 s, is left alone for a second, and for twice as long after each failure more, up to a minute; the
 * first success ends that. A late answer is only slow.
 */
export function guardedStore(
  store: SummaryStore,
  { onFault, onOutage, onRecovery }: StoreReport,
): GuardedStore {
  const known = health.get(store) ?? { failures: 0, restsUntil: 0 };
  health.set(store, known);
  const onAnswer = (): void => {
    if (known.failures >= outageFailures) runSafely(() => onRecovery?.());
    known.failures = 0;
    known.restsUntil = 0;
  };
  const onFailure = (): void => {
    known.restsUntil = clockMs() + Math.min(firstBackoffMs * 2 ** known.failures, longestBackoffMs);
    known.failures += 1;
    if (known.failures === outageFailures) runSafely(() => onOutage?.());
  };
  let isAnswering = true;
  return {
    isLocal: store.isLocal === true,
    maxBytes: store.maxBytes,
    isAnswering: () => isAnswering,
    ask: async (operation, { timeoutMs, isUrgent = false }) => {
      const { failures, restsUntil } = known;
      const isResting = clockMs() < restsUntil;
      isAnswering = !isResting || (isUrgent && failures < outageFailures);
      if (!isAnswering) return undefined;
      const answer = (async () => operation(store))();
      const waiting = withDeadline(undefined, timeoutMs, () => answer);
      withDeadline(undefined, Math.max(timeoutMs, outageMs), () => answer).then(onAnswer, () => {
        // An operation from before the last known failure proves nothing.
        if (!isResting && known.restsUntil === restsUntil) onFailure();
      });
      try {
        return { result: await waiting };
      } catch (error) {
        runSafely(() => onFault(error));
        isAnswering = false;
        return undefined;
      }
    },
  };
}

/** Value under a key, if it was sealed here and has not expired. */
export interface SealedAnswer extends Partial<UnsealedValue> {
  /** Whether the store answered. */
  readonly known: boolean;
  /** The value as it stands in the store, readable or not, to be expected by a write; `undefined`: none. */
  readonly raw?: string | undefined;
}

/** How a write ended; `taken`: the key held something else; `failed`: nothing says that it was written. */
export type StoreWrite = 'written' | 'taken' | 'failed';

/** A value to write. */
export interface WrittenValue {
  readonly text: string;
  readonly ttlMs: number;
  /** Default: as the option `encrypt` says, but encrypted if the replaced value was. */
  readonly isEncrypted?: boolean | undefined;
}

/** A store as it is seen with the keys of one secret and namespace. Never throws. */
export interface SealedStore extends Pick<SummaryStore, 'maxBytes'> {
  readonly keys: StoreKeys;
  readonly read: (key: string) => Promise<SealedAnswer>;
  /**
   * Seals and writes a value; `raw` is what stands there then where it was written.
   *
   * @param expected - Value that is replaced, as `raw` of a read; `undefined`: none.
   */
  readonly write: (
    key: string,
    value: WrittenValue,
    expected: string | undefined,
  ) => Promise<{ readonly outcome: StoreWrite; readonly raw: string }>;
  /** Deletes a value. Returns whether the store confirmed it. */
  readonly remove: (key: string) => Promise<boolean>;
  /**
   * Overwrites a value with a mark, which reads as an empty text for a day. A write of a new value that is still on its
   * way, such as one that its caller no longer waits for, finds the mark and fails. Returns whether the store confirmed
   * it.
   */
  readonly bury: (key: string) => Promise<boolean>;
}

/** Sees a store through keys. */
export function sealedStore(
  store: Pick<GuardedStore, 'ask' | 'maxBytes'>,
  keys: StoreKeys,
  wait: StoreWait,
): SealedStore {
  const held = async (key: string): Promise<Pick<SealedAnswer, 'known' | 'raw'>> => {
    const answer = await store.ask(async (asked) => asked.get(key), wait);
    // Raw key-value clients answer `null` for what they do not have, and some of them bytes or objects.
    const value: unknown = answer?.result;
    return { known: answer !== undefined, raw: typeof value === 'string' ? value : undefined };
  };
  const view: SealedStore = {
    keys,
    maxBytes: store.maxBytes,
    read: async (key) => {
      const { known, raw } = await held(key);
      const former = known && raw === undefined ? keys.former(key) : undefined;
      // A change of a value under the former secret is written under the current one, as a new value.
      if (former !== undefined)
        return { ...(await sealedStore(store, former.keys, wait).read(former.key)), raw };
      return { known, raw, ...(raw === undefined ? {} : await keys.open(key, raw)) };
    },
    write: async (key, { text, ttlMs, isEncrypted }, expected) => {
      const value = await keys.seal(key, text, Date.now() + ttlMs, isEncrypted);
      const entry = { expected, value, ttlMs };
      const answer = await store.ask(async (asked) => asked.compareAndSet(key, entry), wait);
      if (answer?.result === true) return { outcome: 'written', raw: value };
      const found = answer === undefined ? { known: false } : await held(key);
      // Some clients send a command again after a lost connection, and then find what they wrote themselves; others
      // have an answer of their own for what is written.
      if (found.raw === value) return { outcome: 'written', raw: value };
      return { outcome: found.known ? 'taken' : 'failed', raw: value };
    },
    remove: async (key) => {
      const former = keys.former(key);
      const isGone =
        former === undefined || (await sealedStore(store, former.keys, wait).remove(former.key));
      return (await store.ask(async (asked) => asked.delete(key), wait)) !== undefined && isGone;
    },
    bury: async (key) => {
      const former = keys.former(key);
      const isGone =
        former === undefined || (await sealedStore(store, former.keys, wait).bury(former.key));
      return (await changeValue(view, key, async () => mark)).known && isGone;
    },
  };
  return view;
}

/** The mark of a buried value: for a day, longer than any write takes. */
const mark: WrittenValue = { text: '', ttlMs: 24 * 60 * 60_000, isEncrypted: false };

/** Times that others may be faster. */
const maxAttempts = 24;

/** Milliseconds up to which is waited between two attempts, at random. */
const longestPauseMs = 40;

/**
 * The one way to change what others change too: reads a value, applies a function to it, and writes what that gives back
 * if nobody was faster, else begins again.
 */
export async function changeValue(
  store: Pick<SealedStore, 'read' | 'write'>,
  key: string,
  apply: (read: SealedAnswer) => Promise<WrittenValue | undefined>,
  first?: SealedAnswer,
): Promise<SealedAnswer> {
  let read = first?.known === true ? first : await store.read(key);
  for (let attempt = 1; ; attempt += 1) {
    if (!read.known) return read;
    const value = await apply(read);
    if (value === undefined) return read;
    // Whoever changes it need not know of the option.
    const isEncrypted = value.isEncrypted ?? (read.isEncrypted || undefined);
    const { outcome, raw } = await store.write(key, { ...value, isEncrypted }, read.raw);
    if (outcome === 'written') return { ...read, raw, text: value.text };
    if (outcome === 'failed' || attempt === maxAttempts) return { known: false };
    if (attempt > 1) await delay(Math.random() * longestPauseMs, undefined);
    read = await store.read(key);
  }
}
