import { randomId } from '../hash/random-id.ts';
import type { GivenStore } from './summary-store.ts';
import type { SummaryTreeStore } from './summary-trees.ts';

/** Milliseconds for which what is stored is kept after it was written: 30 days. */
export const retentionMs: number = 30 * 24 * 60 * 60 * 1000;

let secretOfProcess: string | undefined;

/** One for the process: middlewares that share a store without a secret find each other's summaries. */
export function processSecret(): string {
  secretOfProcess ??= randomId() + randomId();
  return secretOfProcess;
}

/** What is kept of the messages that summaries stand for. */
export interface ArchiveOptions {
  /**
   * Bytes of the largest file that is kept as it is. Of a larger one the archive says its type, size and
   * SHA-256. 0: of every file. Minimum: 0.
   * @default 1_048_576 (1 MiB)
   */
  readonly maxFileBytes?: number | undefined;
}

/** Where summaries are kept. */
export interface StoreOptions {
  /**
   * Where summaries are kept between requests. One that has `set` instead of `compareAndSet` is
   * read, then written, which can cost a second bill and is warned of.
   * @default memoryStore()
   */
  readonly store?: GivenStore | undefined;
  /**
   * Keeps states apart that must never meet. Multi-tenant back ends set one for each tenant: without,
   * two users whose conversations begin with the same messages share a summary of them.
   * @default ''
   */
  readonly namespace?: string | undefined;
  /**
   * Makes the store's keys and seals what stands under them, so that whoever can write to the store can
   * neither guess a key nor change a value: the same on every instance that shares a store. At least 16
   * characters, best random: `openssl rand -base64 32`. To change it without paying for summaries anew, give
   * `[current, former]` until what was stored under the former one has expired, and to all instances before
   * one of them has the current one alone.
   * @default a random one for this process, so that no other process finds what this one stored
   */
  readonly secret?: string | readonly string[] | undefined;
  /**
   * Whether values are encrypted before they are stored (AES-GCM), for a store that others can read. What
   * was stored with the other setting is still read, so it can be switched at any time.
   * @default false
   */
  readonly encrypt?: boolean | undefined;
  /**
   * Milliseconds that a call waits for the store where paying would follow: without an answer it goes on as
   * if nothing were stored. What this process knows is never waited for. Minimum: 1.
   * @default 2_000
   */
  readonly storeTimeoutMs?: number | undefined;
  /**
   * Milliseconds for which state is kept after it was written. A conversation that rests for longer is
   * summarised anew. Minimum: 60_000.
   * @default 2_592_000_000 (30 days)
   */
  readonly retentionMs?: number | undefined;
  /**
   * Milliseconds for which the text of a summary is kept after another one has taken its place, for requests
   * that are under way and for branches. Minimum: 0.
   * @default 3_600_000 (one hour)
   */
  readonly supersededTtlMs?: number | undefined;
  /**
   * Whether the messages that summaries stand for are kept as `redact` leaves them, compressed and sealed
   * like everything else, so that `readArchive` gives them back word for word, and with them the texts of
   * superseded summaries. Written when a summary is saved. Kept until twice `retentionMs` after the newest
   * summary of the conversation, unless it is erased before; the bytes of files do not pass `redact`.
   * @default false
   */
  readonly archive?: boolean | ArchiveOptions | undefined;
  /**
   * Calls of summarising models for a namespace in an hour, failed ones included; beyond it the rules write. Bounds
   * what one tenant can spend, up to the calls of summaries that are written at the same time. Minimum: 1.
   * @default undefined (off)
   */
  readonly maxSummaryCallsPerHour?: number | undefined;
  /**
   * Keeps the current summary of each conversation where people and programs can find it, under the id
   * that `summaryTreeId` gives; the `persisted` event names it. Written when a summary has been made. The
   * call waits for it 250 ms at most; what it could not keep within a minute is reported as an event and
   * changes nothing else.
   * @default undefined (off)
   */
  readonly summaryTreeStore?: SummaryTreeStore | undefined;
}
