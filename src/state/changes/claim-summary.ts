import { parseJson } from '../../json/parse-json.ts';
import type { Joins } from '../../planning/plan.ts';
import { maxClockDifferenceMs } from '../../stores/seal/lease.ts';
import { isObject } from '../../util/is-object.ts';
import { isPrefixOf } from '../lookup/is-prefix-of.ts';
import { claimWriting, type ClaimedPrefix } from '../lookup/writing.ts';
import type { StatePlace } from './state-place.ts';

/** That a summary is being written. */
export interface Claim {
  /** Resolves when other processes know of it. Does not reject. */
  readonly said: Promise<void>;
  /** Says that it is no more. */
  readonly end: () => void;
}

/** Where it is said which summary of a conversation is being written. */
export interface WritingPlace extends Pick<StatePlace, 'copy' | 'home' | 'store' | 'scope'> {
  /** Digest of what is continued. */
  readonly before: string;
  /** Whether other processes share the store, and it answers. */
  readonly isShared: boolean;
  /** Other processes are told of it only where any other one would do. */
  readonly joins: Joins;
}

/** Milliseconds for which it is said: it counts only as long as the lease of the summary is held. */
const ttlMs = 10 * 60_000;

/** Says that a summary is being written, unless one of the conversation is: see `ConversationState.claim`. */
export async function claimSummary(
  place: WritingPlace,
  prefix: ClaimedPrefix,
): Promise<Claim | number> {
  const { copy, home, store, scope, before, joins } = place;
  const { digest, count } = prefix;
  const isShared = place.isShared && joins === 'any';
  if (joins === 'none') return { said: Promise.resolve(), end: copy.begin(home, digest, count) };
  // First: what this process has claimed is believed by all of its calls.
  const elsewhere = isShared ? await begunElsewhere(place, prefix) : undefined;
  if (elsewhere !== undefined && elsewhere !== count) return elsewhere;
  const end = await claimWriting(copy, home, prefix);
  if (typeof end === 'number') return end;
  if (!isShared) return { said: Promise.resolve(), end };
  const key = await scope.writingKey(store.keys, before);
  const sealedMs = ttlMs + maxClockDifferenceMs;
  const written = store.write(key, JSON.stringify({ digest, count }), { ttlMs, sealedMs });
  return {
    said: written.then(() => undefined),
    end: () => {
      end();
      void written.then(async () => store.remove(key));
    },
  };
}

/** How many messages the summary stands for that another process is writing. */
async function begunElsewhere(
  { store, scope, before }: WritingPlace,
  { identity, least }: ClaimedPrefix,
): Promise<number | undefined> {
  const { text } = await store.read(await scope.writingKey(store.keys, before));
  const said = text === undefined ? undefined : parse(text);
  if (said === undefined || !(await isPrefixOf(identity, said.digest, said.count, least)))
    return undefined;
  const leaseKey = await store.keys.key('lease', await scope.recordKey(store.keys, said.digest));
  return (await store.read(leaseKey)).text === undefined ? undefined : said.count;
}

function parse(text: string): { readonly digest: string; readonly count: number } | undefined {
  const said = parseJson(text);
  if (!isObject(said)) return undefined;
  const { digest, count } = said;
  return typeof digest === 'string' && Number.isSafeInteger(count)
    ? { digest, count: Number(count) }
    : undefined;
}
