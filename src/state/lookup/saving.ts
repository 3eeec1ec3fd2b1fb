import { isPrefixOf, type PrefixIdentity } from './is-prefix-of.ts';

/** A summary that this process is saving. */
export interface Saving {
  readonly digest: string;
  /** Messages that it stands for. */
  readonly count: number;
  readonly ended: Promise<unknown>;
}

/** Summaries that are being saved, by their lists. */
export type Saves = Map<string, Set<Saving>>;

/** Says that a summary is being saved until the work ends, and returns what it does. */
export async function whileSaving<Result>(
  saves: Saves,
  home: string,
  summary: Pick<Saving, 'digest' | 'count'>,
  work: Promise<Result>,
): Promise<Result> {
  const entry = { ...summary, ended: work.catch(() => {}) };
  const all = saves.get(home) ?? new Set();
  saves.set(home, all.add(entry));
  try {
    return await work;
  } finally {
    all.delete(entry);
    if (all.size === 0) saves.delete(home);
  }
}

/** Resolves when the summaries of a conversation are saved that are being saved now. */
export async function savedOf(saves: Saves, home: string, identity: PrefixIdentity): Promise<void> {
  const begun = Array.from(saves.get(home) ?? [], async ({ digest, count, ended }) => {
    if (await isPrefixOf(identity, digest, count, 0)) await ended;
  });
  await Promise.all(begun);
}
