import { hasFunctions } from '../../checks/option-rule.ts';
import { isObject } from '../../util/is-object.ts';
import { connected } from './connected.ts';
import type { IoredisClient, NodeRedisClient, UpstashClient } from './redis-client.ts';

/** The three commands in one form, answered by what the server says. */
export interface RedisCommands {
  readonly get: (key: string) => Promise<unknown>;
  readonly set: (key: string, value: string, condition: SetCondition) => Promise<unknown>;
  readonly del: (key: string) => Promise<unknown>;
}

interface SetCondition {
  readonly ifAbsent: boolean;
  /** An integer of at least 1. */
  readonly ttlMs: number | undefined;
}

/**
 * Milliseconds after which a command is given up that waits for a lost connection. Whoever asked has gone
 * on without it by then, and a write should not be made up for when the server is back.
 */
const maxQueuedMs = 2000;

/** The commands of a client, whose kind is told by methods that only that kind has. */
export function redisCommands(client: unknown): RedisCommands | undefined {
  if (!hasFunctions(client, 'get', 'set', 'del')) return undefined;
  if (isNodeRedis(client)) return nodeRedisCommands(client);
  if (isIoredis(client)) return ioredisCommands(client);
  return isUpstash(client) ? upstashCommands(client) : undefined;
}

/** Version 4 has no such method: its `set` takes the same options, but its queue has no end. */
function isNodeRedis(client: unknown): client is NodeRedisClient {
  return hasFunctions(client, 'withCommandOptions');
}

/** Its pipelines have the methods of a client, but no status. */
function isIoredis(client: unknown): client is IoredisClient {
  return (
    isObject(client) &&
    hasFunctions(client, 'defineCommand') &&
    typeof client['status'] === 'string'
  );
}

function isUpstash(client: unknown): client is UpstashClient {
  return hasFunctions(client, 'createScript');
}

function nodeRedisCommands(client: NodeRedisClient): RedisCommands {
  // The caller's own may ask for bytes instead of strings.
  const commands = client.withCommandOptions({ timeout: maxQueuedMs, typeMapping: {} });
  return {
    get: async (key) => commands.get(key),
    set: async (key, value, { ifAbsent, ttlMs }) =>
      commands.set(key, value, {
        ...(ifAbsent ? { NX: true } : {}),
        ...(ttlMs === undefined ? {} : { PX: ttlMs }),
      }),
    del: async (key) => commands.del(key),
  };
}

function ioredisCommands(client: IoredisClient): RedisCommands {
  const ready = async (): Promise<void> => connected(client, maxQueuedMs);
  return {
    get: async (key) => {
      await ready();
      return client.get(key);
    },
    set: async (key, value, { ifAbsent, ttlMs }) => {
      await ready();
      if (ttlMs === undefined)
        return ifAbsent ? client.set(key, value, 'NX') : client.set(key, value);
      return ifAbsent
        ? client.set(key, value, 'PX', ttlMs, 'NX')
        : client.set(key, value, 'PX', ttlMs);
    },
    del: async (key) => {
      await ready();
      return client.del(key);
    },
  };
}

function upstashCommands(client: UpstashClient): RedisCommands {
  return {
    get: async (key) => client.get(key),
    set: async (key, value, { ifAbsent, ttlMs }) =>
      client.set(key, value, {
        ...(ifAbsent ? { nx: true } : {}),
        ...(ttlMs === undefined ? {} : { px: ttlMs }),
      }),
    del: async (key) => client.del(key),
  };
}
