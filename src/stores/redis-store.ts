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
      const stored = await ask(async ({ ofKey }) => (await ofKey()).get(`${prefix}${key}`));
      if (stored === undefined) throw unexpected('GET', stored);
      return stored === null ? undefined : fromStoredText(stored);
    },
    compareAndSet: async (key, { expected, value, ttlMs }) => {
      const life = String(timeToLive(ttlMs) ?? '');
      const forms = expected === undefined ? [] : storedFormsOf(expected);
      const written = await ask(({ runScript }) =>
        runScript(`${prefix}${key}`, [toStoredText(value), life, ...forms]),
      );
      if (written !== 0 && written !== 1) throw unexpected('EVAL', written);
      return written === 1;
    },
    delete: async (key) => {
      const removed = await ask(async ({ ofKey }) => (await ofKey()).del(`${prefix}${key}`));
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

/** What each kind of client is asked in its own way, answered by what the server says. */
interface RedisCommands {
  /** What is asked for one key alone, once there is a connection. */
  readonly ofKey: () => Promise<Pick<IoredisClient, 'get' | 'del'>>;
  readonly runScript: (key: string, values: string[]) => Promise<unknown>;
  /** All keys that match, each once. */
  readonly scan: (pattern: string) => Promise<readonly string[]>;
}

/** @throws {SummarizationOptionError} when it is no client. */
function redisCommands(client: unknown): RedisCommands {
  checkThat(isRedis(client), 'client', client, redisClients);
  if ('withCommandOptions' in client) return nodeRedisCommands(client);
  return 'defineCommand' in client ? ioredisCommands(client) : upstashCommands(client);
}

/** Tells clients by methods that only one kind has: version 4 of `redis` lacks its own, and has a queue without an end. */
function isRedis(client: unknown): client is RedisClient {
  // Pipelines of ioredis have the methods of a client, but no status.
  const isIoredis = typeof Object(client).status === 'string' && 'defineCommand' in Object(client);
  const isAnother = ['withCommandOptions', 'createScript'].some((name) =>
    hasFunctions(client, name),
  );
  return (isIoredis || isAnother) && hasFunctions(client, 'get', 'set', 'del');
}

const redisClients =
  'a client of redis (version 5 or later), ioredis or @upstash/redis, of one server or a cluster, or a function that gives one';

function nodeRedisCommands(client: NodeRedisClient): RedisCommands {
  // The caller's own may ask for bytes instead of strings.
  const options = { timeout: maxConnectingMs, typeMapping: {} };
  const commands = client.withCommandOptions(options);
  return {
    ofKey: async () => commands,
    runScript: async (key, values) => commands.eval(script, { keys: [key], arguments: values }),
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
    ofKey: ready,
    runScript: async (key, values) => (await ready()).eval(script, 1, key, ...values),
    scan: async (pattern) =>
      allKeys((await ready()).nodes?.('master') ?? [client], async (node, cursor) =>
        node.scan(cursor, 'MATCH', pattern, 'COUNT', scanned),
      ),
  };
}

function upstashCommands(client: UpstashClient): RedisCommands {
  return {
    ofKey: async () => client,
    runScript: async (key, values) => client.eval(script, [key], values),
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
