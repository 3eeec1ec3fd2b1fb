import { checkInput, checkTexts } from '../../foundations/checks/check-object.ts';
import {
  hasFunctions,
  isOptionsObject,
  rule,
  type OptionRule,
} from '../../foundations/checks/option-rule.ts';
import type { SummaryLevel, SummaryResult } from '../../foundations/record/summary-record.ts';
import { keyedQueue, type KeyedQueue } from '../../foundations/util/async/waiting.ts';

/** Input of {@link SummaryStore.compareAndSet}: the new and the expected value. */
export interface CompareAndSet {
  /** The value that the key has to hold for it, character for character; `undefined`: none at all. */
  readonly expected: string | undefined;
  readonly value: string;
  /**
   * Milliseconds after which the entry has expired: from then on the key holds nothing, for `get`, `compareAndSet`
   * and `list` alike, whenever its room is given back.
   * @default undefined (never)
   */
  readonly ttlMs?: number | undefined;
}

/** Functions of all stores. */
interface Store {
  /** Returns the value of a key. Anything that is not a string, such as `null`, says that there is none. */
  readonly get: (key: string) => Promise<string | null | undefined>;
  /** Removes a key; removing what is not there is no error. */
  readonly delete: (key: string) => Promise<void>;
  /** All keys that begin so and hold something, in any order. A store that cannot find them leaves it out. */
  readonly list?: ((prefix: string) => Promise<readonly string[]>) | undefined;
  /**
   * Called when a conversation was erased: resolves when nothing that was deleted or overwritten stands in a file of
   * the store any more, its journals included. A store without files of its own leaves it out.
   */
  readonly scrub?: (() => Promise<void>) | undefined;
  /**
   * Whether the store lives in the memory of this process, answers at once and ends with the process. Such
   * a one needs no `secret`.
   * @default false
   */
  readonly isLocal?: boolean | undefined;
  /**
   * Bytes of the largest value that the store takes. As much of the originals is archived as fits; no other value is
   * larger than 80 kB. Minimum: 131_072.
   * @default 8_388_608 (8 MiB: no value is larger)
   */
  readonly maxBytes?: number | undefined;
}

/**
 * Keeps summaries between requests. Small and string-valued, so that any key-value store can back it.
 * Keys are hexadecimal, fixed in length and unguessable; values are printable ASCII. An operation that fails rejects.
 */
export interface SummaryStore extends Store {
  /**
   * Writes a value where the key still holds what is expected, as one step that nobody else's comes between: of all
   * who expect the same one alone wins. Resolves to `true` when the value was written, to `false` when the key held
   * something else. Anything else, such as a client's `'OK'`, is no evidence of a write: the key is read again. Where the
   * key holds exactly `value`, it may resolve to `true` as well: clients that send a command again after a lost
   * connection find what they have written themselves.
   */
  readonly compareAndSet: (key: string, entry: CompareAndSet) => Promise<boolean>;
}

/**
 * A store that writes without comparing. It is wrapped: read, then written. Between the two another process may
 * write, so that instances which summarize the same messages at the same moment may each pay for it; what they send
 * stays correct.
 */
export interface KeyValueStore extends Store {
  /** Writes a value, and resolves to `true` when it has; after anything else the key is read again. */
  readonly set: (
    key: string,
    value: string,
    options: { readonly ttlMs: number | undefined },
  ) => Promise<boolean>;
}

/** Stores that a caller may pass. */
export type AcceptedStore = SummaryStore | KeyValueStore;

/** Bytes of the smallest archive that is tried, sealed. */
const leastBytes = 128 * 1024;

function takesEnough(store: unknown): boolean {
  const { maxBytes = leastBytes }: Partial<Store> = Object(store);
  return maxBytes >= leastBytes;
}

/** Rule of the option `store`. */
export const storeRule: OptionRule<AcceptedStore> = rule(
  'what memoryStore, sqliteStore, redisStore, postgresStore or unstorageStore returned, or an object with the functions get, compareAndSet and delete, or get, set and delete',
  (value) => {
    if (!takesEnough(value)) return false;
    if (hasFunctions(value, 'get', 'compareAndSet', 'delete')) return true;
    // A Map, a Keyv and other caches have these too, and take other arguments.
    const isCache = !isOptionsObject(value) || hasFunctions(value, 'disconnect');
    return hasFunctions(value, 'get', 'set', 'delete') && !isCache;
  },
  (value) => {
    if (!takesEnough(value)) return `maxBytes of at least ${leastBytes} on `;
    const meant = stores.find(([isMeant]) => isMeant(value))?.[1];
    return meant === undefined ? '' : `did you mean ${meant}? Allowed is `;
  },
);

/**
 * Objects that are often passed instead of a store, recognized by their functions, with the right function for each.
 */
const stores: readonly (readonly [isMeant: (value: unknown) => boolean, store: string])[] = [
  [(value) => value instanceof Map, 'memoryStore()'],
  [(value) => hasFunctions(value, 'getItem', 'mount'), 'unstorageStore(storage)'],
  [(value) => hasFunctions(value, 'prepare'), 'sqliteStore({ client })'],
  [(value) => hasFunctions(value, 'query'), 'postgresStore({ client })'],
  [(value) => hasFunctions(value, 'eval'), 'redisStore(client)'],
];

const wrapped = new WeakMap<KeyValueStore, SummaryStore>();

/** Milliseconds for which one write holds up the next of its key. */
const longestTurnMs = 15_000;

/**
 * The store as it is used: one that writes without comparing is wrapped, in the same wrapper each time. It reads
 * before it writes, one operation after another in this process; another process may write in between.
 */
export function toSummaryStore(store: AcceptedStore): SummaryStore {
  if ('compareAndSet' in store) return store;
  const known = wrapped.get(store);
  if (known !== undefined) return known;
  const inTurn = keyedQueue(longestTurnMs);
  const wrapper: SummaryStore = {
    get: async (key) => store.get(key),
    compareAndSet: (key, { expected, value, ttlMs }) =>
      inTurn(key, async () => {
        const held = await store.get(key);
        const isAsExpected = (typeof held === 'string' ? held : undefined) === expected;
        return isAsExpected && store.set(key, value, { ttlMs });
      }),
    delete: async (key) => store.delete(key),
    list: store.list?.bind(store),
    scrub: store.scrub?.bind(store),
    isLocal: store.isLocal,
    maxBytes: store.maxBytes,
  };
  wrapped.set(store, wrapper);
  return wrapper;
}

/** One summary of a tree as a {@link SummaryTreeStore} holds it. */
export interface SummaryTreeNode {
  /** `{conversation}:summary:L{n}:{index}`. */
  readonly id: string;
  readonly conversationId: string;
  /** 1 for a chunk, 2 for a group, 3 for the final summary. */
  readonly layer: 1 | 2 | 3;
  /** Place in its layer, from 0. */
  readonly index: number;
  /** Index of the group in layer 2 that it was merged into, if it was. */
  readonly parentGroup?: number | undefined;
  readonly content: string;
  /** Level of the whole summary. */
  readonly summaryLevel: SummaryLevel;
  /** Tokens of what it was made from. */
  readonly inputTokens: number;
  /** Tokens of `content`. */
  readonly outputTokens: number;
  /** `outputTokens / inputTokens`, clamped to [0, 1]. */
  readonly compressionRatio: number;
  /** When it was persisted: ISO 8601, UTC. */
  readonly createdAt: string;
}

/**
 * Keeps the current summary of each conversation, with the summaries it was made from, where people
 * and programs can find them.
 */
export interface SummaryTreeStore {
  /**
   * Puts a summary in the place of the conversation's previous one. Whatever happens in between, one
   * complete set can be read.
   */
  readonly persist: (conversationId: string, result: SummaryResult) => Promise<void>;
  /** The text of the final summary, `undefined` if there is none. */
  readonly getFinalSummary: (conversationId: string) => Promise<string | undefined>;
  /** The summaries of a conversation, layer by layer; empty if there are none. */
  readonly list: (conversationId: string) => Promise<readonly SummaryTreeNode[]>;
  /** Removes all summaries of a conversation; removing what is not there is no error. */
  readonly delete: (conversationId: string) => Promise<void>;
}

/** Which conversation is meant. */
export interface SummaryTreeIdInput {
  /** `providerOptions.summarization.conversationId` of its calls. */
  readonly conversationId: string;
  /**
   * The middleware's option.
   * @default ''
   */
  readonly namespace?: string | undefined;
}

/**
 * The id under which the middleware's `summaryTreeStore` keeps a conversation: `conversationId`, and
 * `namespace/conversationId` with a namespace. `%` and `/` inside of either are written as in URLs, so
 * that no two conversations have the same.
 *
 * @example
 * await store.getFinalSummary(summaryTreeId({ conversationId: 'chat-42', namespace: 'tenant' }));
 *
 * @throws {SummarizationOptionError} naming what is no string.
 */
export function summaryTreeId(input: SummaryTreeIdInput): string {
  checkInput(input, 'conversationId, and perhaps namespace');
  const { conversationId, namespace = '' } = input;
  checkTexts({ conversationId, namespace });
  const id = escape(conversationId);
  return namespace === '' ? id : `${escape(namespace)}/${id}`;
}

/** The id for a conversation without one: no `conversationId` gives an id that begins with `/`. */
export function anonymousTreeId(key: string): string {
  return `/${key}`;
}

function escape(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('/', '%2F');
}

/** Milliseconds after which a tree store that has not answered counts as failed. */
export const treeTimeoutMs = 60_000;

const queues = new WeakMap<SummaryTreeStore, KeyedQueue>();

/**
 * Queues the writes of a store, whoever makes them: one after another for each tree, so that a slow one replaces no
 * newer one.
 */
export function treeQueues(store: SummaryTreeStore): KeyedQueue {
  const queue = queues.get(store) ?? keyedQueue(treeTimeoutMs);
  queues.set(store, queue);
  return queue;
}
