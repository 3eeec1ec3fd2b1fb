import { clockMs } from '../util/clock-ms.ts';
import { claimed, isErasedSince, released, type Writing } from './document.ts';
import type { ChangeDocument, StoredDocument } from './stored-document.ts';

/** Milliseconds after which another's claim has ended that is not renewed, where the store answers in time. */
const leastLeaseMs = 10_000;
const timeoutsOfLease = 5;

/** Times that it is renewed while it lasts. */
const renewalsOfLease = 3;

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
 * Says in a document that this process writes a summary, and again and again that it still does, unless another one does.
 *
 * @param change - The one way to change that document: what stands there is heard by the process each time.
 * @param options.timeoutMs - Milliseconds that the store is waited for.
 * @param options.isAwaited - Whether what another one writes will do as well.
 * @param options.seen - Claims of others, and since when, by the clock of who looks: clocks differ by hours.
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
    readonly writing: Omit<Writing, 'until'>;
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
    const alive = document.writing.filter(({ token: of, until }) => {
      const name = `${of} ${until}`;
      seen.set(name, seen.get(name) ?? clockMs());
      return clockMs() - (seen.get(name) ?? 0) <= leaseMs;
    });
    isTaken = (await Promise.all(alive.map(isAwaited))).includes(true);
    return isTaken || isErasedSince(document, since)
      ? document
      : claimed(document, { ...writing, until: Date.now() + claimMs });
  }, first);
  const isOurs = read.document?.writing.some((each) => each.token === token) === true;
  return { isTaken, end: isOurs ? renewed(change, token, leaseMs) : undefined };
}

/** Whether a document says that an archive is being written. */
export function namesArchive({ document }: StoredDocument, archiveId: string | undefined): boolean {
  return document?.writing.some((each) => each.archiveId === archiveId) === true;
}

/** Says again and again that this process still writes; what it returns says that it has ended. */
function renewed(change: ChangeDocument, token: string, leaseMs: number): () => Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const later = (): void => {
    timer = setTimeout(() => void renew(), leaseMs / renewalsOfLease);
  };
  const renew = async (): Promise<void> => {
    const until = Date.now() + claimMs;
    await change((document) => ({
      ...document,
      writing: document.writing.map((each) => (each.token === token ? { ...each, until } : each)),
    }));
    if (!isOver) later();
  };
  later();
  return async () => {
    isOver = true;
    clearTimeout(timer);
    await change((document) => released(document, token));
  };
}
