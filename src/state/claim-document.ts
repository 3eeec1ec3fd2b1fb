import { clockMs } from '../util/clock-ms.ts';
import { claimed, isErasedSince, released, type Writing } from './document.ts';
import type { ChangeDocument, StoredDocument } from './stored-document.ts';

/** Milliseconds without a beat after which another's claim has ended, where the store answers in time. */
const leastLeaseMs = 10_000;
const timeoutsOfLease = 5;

/** Beats in that time. */
const beatsOfLease = 3;

/** Milliseconds after which a claim is forgotten that nobody has ended. */
export const claimMs: number = 24 * 60 * 60_000;

/** What came of a claim. */
export interface DocumentClaim {
  /** Whether another process has it. */
  readonly isTaken: boolean;
  /** Says that it has ended; `undefined` where the store does not know of it. Never rejects. */
  readonly end: (() => Promise<void>) | undefined;
}

/**
 * Says in a document that this process writes a summary, and again and again that it lives, unless another one does.
 *
 * @param change - The one way to change that document: what stands there is heard by the process each time.
 * @param options.timeoutMs - Milliseconds that the store is waited for.
 * @param options.isAwaited - Whether what another one writes will do as well.
 * @param options.seen - Beats of others, and since when: one that does not change any more has ended.
 * @param options.since - The epoch that the work was begun in.
 * @param options.first - What was read before.
 */
export async function claimDocument(
  change: ChangeDocument,
  {
    timeoutMs,
    writing,
    isAwaited,
    seen,
    since,
    first,
  }: {
    readonly timeoutMs: number;
    readonly writing: Omit<Writing, 'beat' | 'until'>;
    readonly isAwaited: (other: Writing) => Promise<boolean>;
    readonly seen: Map<string, number>;
    readonly since: string | undefined;
    readonly first: StoredDocument | undefined;
  },
): Promise<DocumentClaim> {
  const { token } = writing;
  const leaseMs = Math.max(leastLeaseMs, timeoutsOfLease * timeoutMs);
  let isTaken = false;
  const read = await change(async (document) => {
    const alive = document.writing.filter((each) => !hasEnded(each, seen, leaseMs));
    isTaken = (await Promise.all(alive.map(isAwaited))).includes(true);
    return isTaken || isErasedSince(document, since)
      ? document
      : claimed(document, { ...writing, beat: 0, until: Date.now() + claimMs });
  }, first);
  const isOurs = read.document?.writing.some((each) => each.token === token) === true;
  return { isTaken, end: isOurs ? beating(change, token, leaseMs / beatsOfLease) : undefined };
}

/** Whether a document says that an archive is being written. */
export function namesArchive({ document }: StoredDocument, archiveId: string | undefined): boolean {
  return document?.writing.some((each) => each.archiveId === archiveId) === true;
}

/** Whether a claim has not been renewed for as long as one lasts, by the clock of who looks. */
function hasEnded({ token, beat }: Writing, seen: Map<string, number>, leaseMs: number): boolean {
  const name = `${token} ${beat}`;
  const since = seen.get(name) ?? clockMs();
  seen.set(name, since);
  return clockMs() - since > leaseMs;
}

/** Says again and again that this process lives; what it returns says that it has ended. */
function beating(change: ChangeDocument, token: string, beatMs: number): () => Promise<void> {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const beat = async (): Promise<void> => {
    await change((document) => ({
      ...document,
      writing: document.writing.map((each) =>
        each.token === token ? { ...each, beat: each.beat + 1 } : each,
      ),
    }));
    if (!isOver) later();
  };
  const later = (): void => {
    timer = setTimeout(() => void beat(), beatMs);
  };
  later();
  return async () => {
    isOver = true;
    clearTimeout(timer);
    await change((document) => released(document, token));
  };
}
