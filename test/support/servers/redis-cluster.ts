import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { startRedis, type RedisServer } from './redis-server.ts';

/** A cluster of three masters on this machine. */
export interface RedisCluster {
  readonly ports: readonly number[];
  /** Ends all nodes at once. */
  readonly goDown: () => Promise<void>;
  /** Starts them again, and waits until they have found each other. */
  readonly comeBack: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Where the slots of the first, the second and the third node end. */
const bounds = [0, 5461, 10_923, 16_384];

/**
 * Starts a Redis Cluster.
 *
 * @throws {Error} when Redis is not installed.
 */
export async function startRedisCluster(): Promise<RedisCluster> {
  const nodes = await Promise.all([0, 1, 2].map(startNode));
  const servers = nodes.map(({ server }) => server);
  for (const { server, busPort } of nodes)
    await servers[0]?.send('CLUSTER', 'MEET', '127.0.0.1', `${server.port}`, `${busPort}`);
  const formed = async (): Promise<void> => {
    for (const server of servers) while (!(await isWhole(server))) await delay(20);
  };
  await formed();
  return {
    ports: servers.map(({ port }) => port),
    goDown: async () => {
      await Promise.all(servers.map(async (server) => server.goDown()));
    },
    comeBack: async () => {
      await Promise.all(servers.map(async (server) => server.comeBack()));
      await formed();
    },
    stop: async () => {
      await Promise.all(servers.map(async (server) => server.stop()));
    },
  };
}

async function startNode(
  index: number,
): Promise<{ readonly server: RedisServer; readonly busPort: number }> {
  const busPort = await freePort();
  const settings = ['--cluster-enabled', 'yes', '--cluster-port', `${busPort}`];
  const server = await startRedis([...settings, '--cluster-announce-ip', '127.0.0.1']);
  const [from = 0, to = 0] = bounds.slice(index);
  await server.send('CLUSTER', 'ADDSLOTSRANGE', `${from}`, `${to - 1}`);
  // Nodes that claim to be of the same age would have to agree first.
  await server.send('CLUSTER', 'SET-CONFIG-EPOCH', `${index + 1}`);
  return { server, busPort };
}

/** Whether a node knows of two others and of an owner for every slot. */
async function isWhole(server: RedisServer): Promise<boolean> {
  const info = String(await server.send('CLUSTER', 'INFO'));
  return /^cluster_state:ok/m.test(info) && /^cluster_known_nodes:3/m.test(info);
}
