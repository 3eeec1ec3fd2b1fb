import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { GuardedStore } from '../stores/guarded-store.ts';
import type { SealedStore } from '../stores/sealed-store.ts';
import { isObject } from '../util/is-object.ts';
import type { StateScope } from './state-scope.ts';
import { isOf } from './writing.ts';

/** Where processes tell each other which summary of a conversation they write. */
export interface WritingPlace {
  readonly store: SealedStore;
  /** The same one, for what is not sealed. */
  readonly plain: Pick<GuardedStore, 'get'>;
  readonly scope: Pick<StateScope, 'recordKey' | 'writingKey'>;
  /** Digest of what is continued. */
  readonly before: string;
  readonly timeoutMs: number;
}

/** Milliseconds for which it is said: it counts only as long as the lease of the summary is held. */
const ttlMs = 10 * 60_000;

/** How many messages the summary of a conversation stands for that another process is writing. */
export async function begunElsewhere(
  { store, plain, scope, before, timeoutMs }: WritingPlace,
  identity: Pick<ConversationIdentity, 'indexAfter' | 'prefixDigest'>,
  least: number,
): Promise<number | undefined> {
  const { text } = await store.read(await scope.writingKey(store.keys, before));
  const said = text === undefined ? undefined : parse(text);
  if (said === undefined || !(await isOf(identity, said.digest, said.count, least)))
    return undefined;
  const leaseKey = await store.keys.key('lease', await scope.recordKey(store.keys, said.digest));
  const { value } = await plain.get(leaseKey, { timeoutMs });
  return value === undefined ? undefined : said.count;
}

/** Says which summary this process is writing. */
export async function sayBegun(
  { store, scope, before }: WritingPlace,
  begun: { readonly digest: string; readonly count: number },
): Promise<void> {
  const key = await scope.writingKey(store.keys, before);
  await store.write(key, JSON.stringify(begun), { ttlMs });
}

/** Takes that back. */
export async function takeBack({ store, scope, before }: WritingPlace): Promise<void> {
  await store.remove(await scope.writingKey(store.keys, before));
}

function parse(text: string): { readonly digest: string; readonly count: number } | undefined {
  try {
    const said: unknown = JSON.parse(text);
    if (!isObject(said)) return undefined;
    const { digest, count } = said;
    return typeof digest === 'string' && Number.isSafeInteger(count)
      ? { digest, count: Number(count) }
      : undefined;
  } catch {
    return undefined;
  }
}
