import { checkInput, checkTexts, checkThat } from '../checks/check-object.ts';
import { hasFunctions } from '../checks/option-rule.ts';
import { delay } from '../util/async/delay.ts';
import { clockMs } from '../util/clock-ms.ts';
import {
  fromStoredText,
  givenOrMade,
  maxConnectingMs,
  reasonOf,
  storedFormsOf,
  timeToLive,
  toStoredText,
} from './database-client.ts';
import type { SummaryStore } from './summary-store.ts';

/** The part of a client of the package `redis` that is used: of one server, a cluster, a pool or Sentinel. */
export interface NodeRedisClient {
  withCommandOptions(options: { timeout: number; typeMapping: object }): {
    get(key: string): Promise<unknown>;
    eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
    del(key: string): Promise<unknown>;
    scan(
      cursor: string,
      options: { MATCH: string; COUNT: number },
    ): Promise<{ cursor: string; keys: string[] }>;
  };
  /** Of a cluster. */
  readonly masters?: readonly unknown[];
  nodeClient?(node: unknown): NodeRedisClient | Promise<NodeRedisClient>;
}

/** The part of a client of the package `ioredis` that is used: of one server or a cluster. */
export interface IoredisClient {
  readonly status: string;
  defineCommand(name: string, definition: { lua: string }): unknown;
  get(key: string): Promise<unknown>;
  eval(script: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
  del(key: string): Promise<unknown>;
  scan(
    cursor: string,
    match: 'MATCH',
    pattern: string,
    count: 'COUNT',
    keys: number,
  ): Promise<[string, string[]]>;
  /** Of a cluster. */
  nodes?(role: 'master'): IoredisClient[];
}

/** The part of a client of the package `@upstash/redis` that is used. */
export interface UpstashClient {
  createScript(script: string): unknown;
  get(key: string): Promise<unknown>;
  eval(script: string, keys: string[], values: string[]): Promise<unknown>;
  del(key: string): Promise<unknown>;
  scan(
    cursor: string,
    options: { match: string; count: number },
  ): Promise<[string | number, string[]]>;
}

/**
 * A client of Redis. Described here instead of imported, so that every version of the packages that has
 * these methods can be given.
 */
export type RedisClient = NodeRedisClient | IoredisClient | UpstashClient;

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /**
   * Put in front of every key.
   * @default 'ai-sdk-summarization:'
   */
  readonly prefix?: string | undefined;
}

/**
 * Keeps summaries in Redis, where all instances of an application find them. Takes a client of `redis`
 * (version 5 or later), `ioredis` or `@upstash/redis` as it is, of a single server or a cluster: every command
 * has one key. The server removes what has expired, and compares and sets in a script, by `EVAL`.
 *
 * A function is asked for the client when it is first needed, so that a build that loads the module does not connect;
 * one that fails, or takes two seconds, is asked again. The store neither connects a client that it is given nor ends
 * it. An operation rejects when the client fails, or has had no connection for two seconds: it is not made up for later.
 * A client of `redis` ends the process when nobody listens to its `error` events: `client.on('error', …)`.
 *
 * @param client - A client, or a function that gives one or a promise of one.
 * @throws {SummarizationOptionError} when `client` is of another kind or `prefix` is not a string. What a function
 * gives is checked by each operation.
 *
 * @example
 * const url = process.env.REDIS_URL;
 * const store = redisStore(() => createClient({ url }).on('error', console.error).connect());
 */
export function redisStore(
  client: RedisClient | (() => RedisClient | Promise<RedisClient>),
  options: RedisStoreOptions = {},
): SummaryStore {
  const connect = givenOrMade(client, redisCommands);
  checkInput(options, 'prefix, or nothing');
  const { prefix = 'ai-sdk-summarization:' } = options;
  checkTexts({ prefix });

  /** Rejects with what the client says of a failure, and nothing of the command. */
  const ask = async <Answer>(command: (commands: RedisCommands) => Promise<Answer>) =>
    connect()
      .then(command)
      .catch((error: unknown) => {
        throw new Error(`Redis: ${reasonOf(error)}`);
      });
  return {
    get: async (key) => {
      const stored = await ask(({ get }) => get(`${prefix}${key}`));
      if (stored === undefined) throw unexpected('GET', stored);
      return stored === null ? undefined : fromStoredText(stored);
    },
    compareAndSet: async (key, { expected, value, ttlMs }) => {
      const life = String(timeToLive(ttlMs) ?? '');
      const forms = expected === undefined ? [] : storedFormsOf(expected);
      const written = await ask((commands) =>
        commands.eval(script, `${prefix}${key}`, [toStoredText(value), life, ...forms]),
      );
      if (written !== 0 && written !== 1) throw unexpected('EVAL', written);
      return written === 1;
    },
    delete: async (key) => {
      const removed = await ask(({ del }) => del(`${prefix}${key}`));
      if (removed !== 0 && removed !== 1) throw unexpected('DEL', removed);
    },
    list: async (begin) => {
      const pattern = `${(prefix + begin).replaceAll(/[*?[\]\\]/g, String.raw`\$&`)}*`;
      const keys = await ask(({ scan }) => scan(pattern));
      return keys.map((key) => key.slice(prefix.length));
    },
  };
}

/** An aborted request of Upstash, for one, is answered by the reason of the abort. */
function unexpected(command: string, answer: unknown): Error {
  return new Error(`Redis answered ${command} with ${typeof answer}, which is no answer to it.`);
}

/** What the key holds already counts as written: a client may have sent the command again that wrote it. */
const script = `local held = redis.call('GET', KEYS[1])
local fits = held == ARGV[1] or (not held and #ARGV == 2)
for form = 3, #ARGV do fits = fits or held == ARGV[form] end
if not fits then return 0 end
if ARGV[2] == '' then redis.call('SET', KEYS[1], ARGV[1])
else redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 1`;

/** The commands in one form, answered by what the server says. */
interface RedisCommands {
  readonly get: (key: string) => Promise<unknown>;
  readonly eval: (script: string, key: string, values: string[]) => Promise<unknown>;
  readonly del: (key: string) => Promise<unknown>;
  /** All keys that match, each once. */
  readonly scan: (pattern: string) => Promise<readonly string[]>;
}

/**
 * The commands of a client, whose kind is told by methods that only that kind has.
 *
 * @throws {SummarizationOptionError} when it is of none.
 */
function redisCommands(client: unknown): RedisCommands {
  const isClient = hasFunctions(client, 'get', 'set', 'del');
  if (isClient && isNodeRedis(client)) return nodeRedisCommands(client);
  if (isClient && isIoredis(client)) return ioredisCommands(client);
  checkThat(isClient && isUpstash(client), 'client', client, redisClients);
  return upstashCommands(client);
}

/** Version 4 has no such method: its queue has no end. */
function isNodeRedis(client: unknown): client is NodeRedisClient {
  return hasFunctions(client, 'withCommandOptions');
}

/** Its pipelines have the methods of a client, but no status. */
function isIoredis(client: unknown): client is IoredisClient {
  return hasFunctions(client, 'defineCommand') && typeof Object(client).status === 'string';
}

function isUpstash(client: unknown): client is UpstashClient {
  return hasFunctions(client, 'createScript');
}

const redisClients =
  'a client of redis (version 5 or later), ioredis or @upstash/redis, of one server or a cluster, or a function that gives one';

function nodeRedisCommands(client: NodeRedisClient): RedisCommands {
  // The caller's own may ask for bytes instead of strings.
  const options = { timeout: maxConnectingMs, typeMapping: {} };
  const commands = client.withCommandOptions(options);
  return {
    get: async (key) => commands.get(key),
    eval: async (text, key, values) => commands.eval(text, { keys: [key], arguments: values }),
    del: async (key) => commands.del(key),
    scan: async (MATCH) => {
      const { masters = [client] } = client;
      const nodes = await Promise.all(
        masters.map(async (node) => client.nodeClient?.(node) ?? client),
      );
      return allKeys(nodes, async (node, cursor) => {
        const page = await node.withCommandOptions(options).scan(cursor, { MATCH, COUNT: scanned });
        return [page.cursor, page.keys];
      });
    },
  };
}

/** What a client of ioredis says of itself while it tries to connect. */
const connecting: ReadonlySet<string> = new Set(['connecting', 'connect', 'reconnecting', 'close']);

const connectionPollMs = 20;

function ioredisCommands(client: IoredisClient): RedisCommands {
  // It would queue what it is asked for meanwhile, in a cluster without an end.
  const ready = async (): Promise<IoredisClient> => {
    const giveUpAt = clockMs() + maxConnectingMs;
    while (connecting.has(client.status)) {
      if (clockMs() >= giveUpAt) throw new Error(`no connection within ${maxConnectingMs} ms`);
      await delay(connectionPollMs, undefined);
    }
    return client;
  };
  return {
    get: async (key) => (await ready()).get(key),
    eval: async (text, key, values) => (await ready()).eval(text, 1, key, ...values),
    del: async (key) => (await ready()).del(key),
    scan: async (pattern) =>
      allKeys((await ready()).nodes?.('master') ?? [client], async (node, cursor) =>
        node.scan(cursor, 'MATCH', pattern, 'COUNT', scanned),
      ),
  };
}

function upstashCommands(client: UpstashClient): RedisCommands {
  return {
    get: async (key) => client.get(key),
    eval: async (text, key, values) => client.eval(text, [key], values),
    del: async (key) => client.del(key),
    scan: async (match) =>
      allKeys([client], async (node, cursor) => node.scan(cursor, { match, count: scanned })),
  };
}

/** Keys that one step of a listing looks at. */
const scanned = 1000;

/** The keys of all nodes, each of which gives them page after page, some of them twice. */
async function allKeys<Node>(
  nodes: readonly Node[],
  scan: (node: Node, cursor: string) => Promise<[cursor: string | number, keys: string[]]>,
): Promise<readonly string[]> {
  const all = new Set<string>();
  for (const node of nodes) {
    let cursor = '0';
    do {
      const [next, keys] = await scan(node, cursor);
      for (const key of keys) all.add(key);
      cursor = String(next);
    } while (cursor !== '0');
  }
  return [...all];
}
