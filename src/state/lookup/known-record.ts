import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import { readRecord, type RecordAnswer } from './look-up.ts';
import type { ProcessCopy } from './process-copy.ts';
import type { StateScope } from '../prefixes/state-scope.ts';

/** State as a function on it reads it: a store, and what this process knows of it. */
export interface KnownPlace {
  readonly store: SealedStore;
  readonly copy: Pick<ProcessCopy, 'get' | 'newest' | 'counts'>;
  readonly scope: StateScope;
  /** What the process files the conversation under; `undefined` where it knows nothing of it. */
  readonly home: string | undefined;
}

/**
 * The record of a prefix: as the store has it, or as this process does where the store does not answer, has
 * lost it or cannot be read. What was erased or undone stays so.
 */
export async function knownRecord(
  { store, copy, scope, home }: KnownPlace,
  digest: string,
): Promise<RecordAnswer> {
  const answer = await readRecord(store, scope, digest, new Map());
  if (answer.state === 'known' || answer.state === 'ended' || home === undefined) return answer;
  const mine = copy.get(home, digest);
  return mine === undefined ? answer : { state: 'known', known: mine };
}
