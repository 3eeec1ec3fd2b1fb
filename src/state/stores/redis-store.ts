import { checkInput, checkTexts } from '../../foundations/checks/check-object.ts';
import { lazyClient, failureText, timeToLive, maxConnectingMs } from './database-client.ts';
import type { SummaryStore } from './summary-store.ts';
import { hasFunctions } from '../../foundations/checks/option-rule.ts';
import { clockMs, delay } from '../../foundations/util/async/waiting.ts';

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /**
   * Put in front of every key.
   * @default 'ai-sdk-summarization:'
   */
  readonly prefix?: string | undefined;
}

/**
 * Keeps summaries in Redis or Valkey, where all instances of an application find them. Takes a client of `redis`
 * (version 5 or later), `ioredis`, `iovalkey`, `@upstash/redis` or `@vercel/kv` as it is, of a single server or a cluster:
 * every command is an `EVAL` of one key. For any other client, give `{ eval(script, keys, values) }`. The server removes what has expired, and compares and sets as one step.
 *
 * A function is asked for the client when it is first needed, so that a build that loads the module does not connect;
 * one that fails, or takes two seconds, is asked again. The store neither connects a client that it is given nor ends
 * it. An operation rejects when the client fails, or has had no connection for two seconds: it is not made up for later.
 * A client of `redis` ends the process when nobody listens to its `error` events: `client.on('error', …)`.
 *
 * @param client - A client, or a function that gives one or a promise of one.
 * @throws {SummarizationOptionError} when `client` is of another kind or `prefix` is not a string. Each operation
 *   checks the result of a function.
 *
 * @example
 * const url = process.env.REDIS_URL;
 * const store = redisStore(() => createClient({ url }).on('error', console.error).connect());
 */
export function redisStore(
  client: RedisClient | (() => RedisClient | Promise<RedisClient>),
  options: RedisStoreOptions = {},
): SummaryStore {
  const connect = lazyClient(client, redisServers, redisClients);
  checkInput(options, 'prefix, or nothing');
  const { prefix = 'ai-sdk-summarization:' } = options;
  checkTexts({ prefix });

  /** Rejects with what the client says of a failure, and nothing of the command. */
  const ask = async <Answer>(command: (servers: RedisServers) => Promise<Answer>) =>
    connect()
      .then(command)
      .catch((error: unknown) => {
        throw new Error(`Redis: ${failureText(error)}`);
      });
  /** Runs a script over one key, which says whether it did something. */
  const did = async (script: string, key: string, ...values: string[]): Promise<boolean> => {
    const answer = await ask((servers) => servers.eval(script, [prefix + key], values));
    if (answer !== 0 && answer !== 1) throw unexpected(answer);
    return answer === 1;
  };
  return {
    get: async (key) => {
      const stored = await ask((servers) => servers.eval(get, [prefix + key], []));
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
    list: (begin) => ask((servers) => allKeys(servers, prefix, begin)),
  };
}

/** Stands before each value of ours: the client of Upstash would parse what looks like JSON. */
const mark = '!';

/** An aborted request of Upstash, for one, is answered by the reason of the abort. */
function unexpected(answer: unknown): Error {
  return new Error(`Unexpected reply from Redis: ${typeof answer}.`);
}

const get = `return redis.call('GET', KEYS[1])`;

const remove = `return redis.call('DEL', KEYS[1])`;

/**
 * An equal value under the key counts as written: a client may have sent the command again. A value that is no longer
 * than the old one replaces it in a full server too (`noeviction`), which refuses to `SET` unless the script has deleted
 * something: otherwise an erasure, which makes room, would wait for room.
 */
const exchange = `local held = redis.call('GET', KEYS[1])
if held ~= ARGV[1] and held ~= (ARGV[3] or false) then return 0 end
if held and #held >= #ARGV[1] then redis.call('DEL', KEYS[1]) end
if ARGV[2] == '' then redis.call('SET', KEYS[1], ARGV[1])
else redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 1`;

/** One page of the keys of a server. */
const scan = `return redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', 1000)`;

const redisClients =
  'a client of redis (version 5 or later), ioredis or @upstash/redis, of one server or a cluster, { eval(script, keys, values) } for another client (see docs/deploy.md#redis), or a function that gives one';

/** The keys of all servers that begin so, each of which gives them page after page, some of them twice. */
async function allKeys(
  servers: RedisServers,
  prefix: string,
  begin: string,
): Promise<readonly string[]> {
  const all = new Set<string>();
  const pattern = `${(prefix + begin).replaceAll(/[*?[\]\\]/g, String.raw`\$&`)}*`;
  for (const node of await servers.nodes()) {
    let cursor: unknown = '0';
    do {
      const page = await node.eval(scan, [], [String(cursor), pattern]);
      if (!Array.isArray(page) || !Array.isArray(page[1])) throw unexpected(page);
      for (const key of page[1]) all.add(String(key).slice(prefix.length));
      [cursor] = page;
    } while (String(cursor) !== '0');
  }
  return [...all];
}

/** The part of a client of the package `redis` that is used: of one server, a cluster, a pool or Sentinel. */
export interface NodeRedisClient {
  withCommandOptions(options: { timeout: number; typeMapping: object }): {
    eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  };
  /** Part of a cluster. */
  readonly masters?: readonly unknown[];
  nodeClient?(node: unknown): NodeRedisClient | Promise<NodeRedisClient>;
}

/** The part of a client of the package `ioredis` or `iovalkey` that is used: of one server or a cluster. */
export interface IoredisClient {
  readonly status: string;
  defineCommand(name: string, definition: { lua: string }): unknown;
  /** A wide type, so that the arguments of {@link EvaluatingClient} keep theirs. */
  readonly eval: object;
  /** Part of a cluster. */
  nodes?(role: 'master'): IoredisClient[];
}

interface CallableIoredis extends IoredisClient {
  eval(script: string, keys: number, ...keysAndValues: string[]): Promise<unknown>;
  nodes?(role: 'master'): CallableIoredis[];
}

/**
 * Runs a script over its keys: a client of the package `@upstash/redis` or `@vercel/kv`, or an object with this function
 * of your own for any other client. The answer is that of the server: a string, a number, `null` or a list.
 */
export interface EvaluatingClient {
  eval(script: string, keys: string[], values: string[]): Promise<unknown>;
}

/**
 * A client of Redis or Valkey. Described here instead of imported, so that every version of the packages that has
 * these methods can be given.
 */
export type RedisClient = NodeRedisClient | IoredisClient | EvaluatingClient;

/** Operations of every client. */
interface RedisServers extends EvaluatingClient {
  /** The servers that hold keys, each by itself. */
  readonly nodes: () => Promise<readonly EvaluatingClient[]>;
}

/**
 * Functions of a client, which some have only through a proxy. Version 4 of `redis` lacks the one by
 * which a client is known: it has a queue without an end.
 *
 * @returns `undefined` for what is no client, such as what collects commands.
 */
function redisServers(client: unknown): RedisServers | undefined {
  if (isNodeRedis(client)) return nodeRedis(client);
  // Pipelines have the methods of a client, but no status.
  if (isIoredis(client)) return ioredis(client);
  return isEvaluating(client)
    ? { eval: async (...asked) => client.eval(...asked), nodes: async () => [client] }
    : undefined;
}

function isNodeRedis(client: unknown): client is NodeRedisClient {
  return hasFunctions(client, 'withCommandOptions');
}

function isIoredis(client: unknown): client is CallableIoredis {
  return typeof Object(client).status === 'string' && hasFunctions(client, 'defineCommand');
}

/** Clients of other kinds, and what collects commands, have a function of that name too. */
function isEvaluating(client: unknown): client is EvaluatingClient {
  const isOther = hasFunctions(client, 'get') || hasFunctions(client, 'exec');
  return hasFunctions(client, 'eval') && (!isOther || hasFunctions(client, 'createScript'));
}

function nodeRedis(client: NodeRedisClient): RedisServers {
  return {
    // The caller's own options may ask for bytes instead of strings.
    eval: async (script, keys, values) =>
      client
        .withCommandOptions({ timeout: maxConnectingMs, typeMapping: {} })
        .eval(script, { keys, arguments: values }),
    nodes: async () => {
      const masters = client.masters ?? [undefined];
      const nodes = masters.map(async (node) => (await client.nodeClient?.(node)) ?? client);
      return (await Promise.all(nodes)).map(nodeRedis);
    },
  };
}

/** State of an ioredis client that tries to connect. */
const connecting: ReadonlySet<string> = new Set(['connecting', 'connect', 'reconnecting', 'close']);

const connectionPollMs = 20;

function ioredis(client: CallableIoredis): RedisServers {
  return {
    eval: async (script, keys, values) => {
      const giveUpAt = clockMs() + maxConnectingMs;
      // It would queue what it is asked for meanwhile, in a cluster without an end.
      while (connecting.has(client.status)) {
        if (clockMs() >= giveUpAt) throw new Error(`no connection within ${maxConnectingMs} ms`);
        await delay(connectionPollMs, undefined);
      }
      return client.eval(script, keys.length, ...keys, ...values);
    },
    nodes: async () => (client.nodes?.('master') ?? [client]).map(ioredis),
  };
}
