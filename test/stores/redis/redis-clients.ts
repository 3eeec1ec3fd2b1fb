import { Redis as UpstashRedis, type RedisConfigNodejs } from '@upstash/redis';
import { Cluster as IoredisCluster, Redis as Ioredis } from 'ioredis';
import { createClient, createCluster, RESP_TYPES } from 'redis';
import type { RedisClient } from '../../../src/stores/redis-store.ts';
import { startRedisCluster, type RedisCluster } from '../../support/servers/redis-cluster.ts';
import { startRedis, type RedisServer } from '../../support/servers/redis-server.ts';
import { startUpstashFront } from '../../support/servers/upstash-front.ts';

/** Servers, and clients of them as their users make them. */
export interface RedisSetting {
  readonly server: RedisServer;
  readonly cluster: RedisCluster | undefined;
  readonly node: () => Promise<ReturnType<typeof createClient>>;
  readonly nodeCluster: () => Promise<ReturnType<typeof createCluster>>;
  readonly ioredis: () => Ioredis;
  readonly ioredisCluster: () => IoredisCluster;
  readonly upstash: (options?: Partial<RedisConfigNodejs>) => UpstashRedis;
  /** Ends clients and servers. */
  readonly stop: () => Promise<void>;
}

/** Starts a server with a front of Upstash, and a cluster if it is wanted. */
export async function startRedisSetting(options: {
  readonly withCluster: boolean;
}): Promise<RedisSetting> {
  const [server, cluster] = await Promise.all([
    startRedis(),
    options.withCluster ? startRedisCluster() : undefined,
  ]);
  const front = await startUpstashFront(server.url);
  const ends: (() => void)[] = [];
  const ready = async <Client extends NodeClient>(client: Client): Promise<Client> => {
    client.on('error', () => {});
    ends.push(() => client.destroy());
    await client.connect();
    return client;
  };
  const ended = <Client extends Ioredis | IoredisCluster>(client: Client): Client => {
    client.on('error', () => {});
    ends.push(() => client.disconnect());
    return client;
  };
  const ports = cluster?.ports ?? [];
  return {
    server,
    cluster,
    node: async () => ready(createClient({ url: server.url })),
    nodeCluster: async () =>
      ready(createCluster({ rootNodes: ports.map((port) => ({ socket: { port } })) })),
    ioredis: () => ended(new Ioredis(server.url, { maxRetriesPerRequest: 1 })),
    ioredisCluster: () =>
      ended(new IoredisCluster(ports.map((port) => ({ host: '127.0.0.1', port })))),
    upstash: (others = {}) => {
      const { url, token } = front;
      const retry = { retries: 1, backoff: () => 0 };
      return new UpstashRedis({ url, token, retry, enableTelemetry: false, ...others });
    },
    stop: async () => {
      for (const end of ends) end();
      await front.stop();
      await Promise.all([server.stop(), cluster?.stop()]);
    },
  };
}

interface NodeClient {
  readonly on: (event: 'error', listener: () => void) => unknown;
  readonly connect: () => Promise<unknown>;
  readonly destroy: () => void;
}

/** Makes a client of a kind that may be given. */
export type MakeClient = (setting: RedisSetting) => Promise<RedisClient>;

/** Clients of one server by their kinds. */
export const singleClients: Readonly<Record<string, MakeClient>> = {
  redis: async ({ node }) => node(),
  'redis that was told to give bytes': async ({ node }) =>
    (await node()).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }),
  ioredis: async ({ ioredis }) => ioredis(),
  '@upstash/redis': async ({ upstash }) => upstash(),
  '@upstash/redis that parses nothing': async ({ upstash }) =>
    upstash({ automaticDeserialization: false }),
  '@upstash/redis without pipelines and base64': async ({ upstash }) =>
    upstash({ enableAutoPipelining: false, responseEncoding: false }),
};

/** Clients of a cluster by their kinds. */
export const clusterClients: Readonly<Record<string, MakeClient>> = {
  'a cluster of redis': async ({ nodeCluster }) => nodeCluster(),
  'a cluster of ioredis': async ({ ioredisCluster }) => ioredisCluster(),
};
