import { checkInput, checkTexts, checkThat } from '../checks/check-object.ts';
import { hasFunctions } from '../checks/option-rule.ts';
import { clockMs, delay } from '../util/async/waiting.ts';
import { givenOrMade, maxConnectingMs, reasonOf, timeToLive } from './database-client.ts';
import type { SummaryStore } from './summary-store.ts';

/** The part of a client of the package `redis` that is used: of one server, a cluster, a pool or Sentinel. */
export interface NodeRedisClient {
  withCommandOptions(options: { timeout: number; typeMapping: object }): {
    eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  };
  /** Of a cluster. */
  readonly masters?: readonly unknown[];
  nodeClient?(node: unknown): NodeRedisClient | Promise<NodeRedisClient>;
}

/** The part of a client of the package `ioredis` that is used: of one server or a cluster. */
export interface IoredisClient {
  readonly status: string;
  defineCommand(name: string, definition: { lua: string }): unknown;
  eval(script: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
  /** Of a cluster. */
  nodes?(role: 'master'): IoredisClient[];
}

/** The part of a client of the package `@upstash/redis` that is used. */
export interface UpstashClient {
  createScript(script: string): unknown;
  eval(script: string, keys: string[], values: string[]): Promise<unknown>;
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
 * is an `EVAL` of one key. The server removes what has expired, and compares and sets as one step.
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
  const connect = givenOrMade(client, (given: unknown) => {
    checkThat(isRedis(given), 'client', given, redisClients);
    return given;
  });
  checkInput(options, 'prefix, or nothing');
  const { prefix = 'ai-sdk-summarization:' } = options;
  checkTexts({ prefix });

  /** Rejects with what the client says of a failure, and nothing of the command. */
  const ask = async <Answer>(command: (client: RedisClient) => Promise<Answer>) =>
    connect()
      .then(command)
      .catch((error: unknown) => {
        throw new Error(`Redis: ${reasonOf(error)}`);
      });
  /** Runs a script over one key, which says whether it did something. */
  const did = async (script: string, key: string, ...values: string[]): Promise<boolean> => {
    const answer = await ask((asked) => evaluate(asked, script, [prefix + key], values));
    if (answer !== 0 && answer !== 1) throw unexpected(answer);
    return answer === 1;
  };
  return {
    get: async (key) => {
      const stored = await ask((asked) => evaluate(asked, get, [prefix + key], []));
      if (typeof stored !== 'string' && stored !== null) throw unexpected(stored);
      return stored?.slice(mark.length);
    },
    compareAndSet: async (key, { expected, value, ttlMs }) => {
      const held = expected === undefined ? [] : [mark + expected];
      return did(exchange, key, mark + value, String(timeToLive(ttlMs) ?? ''), ...held);
    },
    delete: async (key) => {
      await did(remove, key);
    },
    list: (begin) => ask((asked) => allKeys(asked, prefix, begin)),
  };
}

/** Stands before each value of ours: the client of Upstash would parse what looks like JSON. */
const mark = '!';

/** An aborted request of Upstash, for one, is answered by the reason of the abort. */
function unexpected(answer: unknown): Error {
  return new Error(`Redis answered with ${typeof answer}, which is no answer.`);
}

const get = `return redis.call('GET', KEYS[1])`;

const remove = `return redis.call('DEL', KEYS[1])`;

/** What the key holds already counts as written: a client may have sent the command again that wrote it. */
const exchange = `local held = redis.call('GET', KEYS[1])
if held ~= ARGV[1] and held ~= (ARGV[3] or false) then return 0 end
if ARGV[2] == '' then redis.call('SET', KEYS[1], ARGV[1])
else redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 1`;

/** One page of the keys of a server. */
const scan = `return redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', 1000)`;

/** Tells clients by methods that only one kind has: version 4 of `redis` lacks its own, and has a queue without an end. */
function isRedis(client: unknown): client is RedisClient {
  // Pipelines of ioredis have the methods of a client, but no status.
  const isIoredis = typeof Object(client).status === 'string' && 'defineCommand' in Object(client);
  return (
    isIoredis || hasFunctions(client, 'withCommandOptions') || hasFunctions(client, 'createScript')
  );
}

const redisClients =
  'a client of redis (version 5 or later), ioredis or @upstash/redis, of one server or a cluster, or a function that gives one';

/** What a client of ioredis says of itself while it tries to connect. */
const connecting: ReadonlySet<string> = new Set(['connecting', 'connect', 'reconnecting', 'close']);

const connectionPollMs = 20;

/** Runs a script, as each kind of client is asked to; rejects where there is no connection for so long. */
async function evaluate(
  client: RedisClient,
  script: string,
  keys: string[],
  values: string[],
): Promise<unknown> {
  if ('createScript' in client) return client.eval(script, keys, values);
  // The caller's own options may ask for bytes instead of strings.
  const plain = { timeout: maxConnectingMs, typeMapping: {} };
  if ('withCommandOptions' in client)
    return client.withCommandOptions(plain).eval(script, { keys, arguments: values });
  const giveUpAt = clockMs() + maxConnectingMs;
  // It would queue what it is asked for meanwhile, in a cluster without an end.
  while (connecting.has(client.status)) {
    if (clockMs() >= giveUpAt) throw new Error(`no connection within ${maxConnectingMs} ms`);
    await delay(connectionPollMs, undefined);
  }
  return client.eval(script, keys.length, ...keys, ...values);
}

/** The keys of all servers that begin so, each of which gives them page after page, some of them twice. */
async function allKeys(
  client: RedisClient,
  prefix: string,
  begin: string,
): Promise<readonly string[]> {
  const all = new Set<string>();
  const pattern = `${(prefix + begin).replaceAll(/[*?[\]\\]/g, String.raw`\$&`)}*`;
  for (const node of await nodesOf(client)) {
    let cursor: unknown = '0';
    do {
      const page = await evaluate(node, scan, [], [String(cursor), pattern]);
      if (!Array.isArray(page) || !Array.isArray(page[1])) throw unexpected(page);
      for (const key of page[1]) all.add(String(key).slice(prefix.length));
      [cursor] = page;
    } while (String(cursor) !== '0');
  }
  return [...all];
}

/** The clients of all servers that hold keys. */
async function nodesOf(client: RedisClient): Promise<readonly RedisClient[]> {
  if ('nodes' in client) return client.nodes?.('master') ?? [];
  if (!('masters' in client) || client.masters === undefined) return [client];
  return Promise.all(client.masters.map(async (node) => client.nodeClient?.(node) ?? client));
}
