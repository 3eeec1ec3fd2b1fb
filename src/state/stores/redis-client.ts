import { hasFunctions } from '../../foundations/checks/option-rule.ts';
import { clockMs, delay } from '../../foundations/util/async/waiting.ts';
import { maxConnectingMs } from './database-client.ts';

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
export interface RedisServers extends EvaluatingClient {
  /** The servers that hold keys, each by itself. */
  readonly nodes: () => Promise<readonly EvaluatingClient[]>;
}

/**
 * Functions of a client, which some have only through a proxy. Version 4 of `redis` lacks the one by
 * which a client is known: it has a queue without an end.
 *
 * @returns `undefined` for what is no client, such as what collects commands.
 */
export function redisServers(client: unknown): RedisServers | undefined {
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
