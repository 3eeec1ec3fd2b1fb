import { GlideClient } from '@valkey/valkey-glide';
import { Redis as Iovalkey } from 'iovalkey';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { redisStore, type RedisClient } from '../../src/state/stores/redis-store.ts';
import { isInstalled } from '../support/servers/find-program.ts';
import { startRedis } from '../support/servers/redis-server.ts';
import { startUpstashFront } from '../support/servers/upstash-front.ts';
import { untyped } from '../support/untyped.ts';
import { describeStore } from '../stores/describe-store.ts';
import { runBun } from './run-bun.ts';

async function startClients() {
  const server = await startRedis();
  const front = await startUpstashFront(server.url);
  const { hostname: host, port } = new URL(server.url);
  const ends: (() => unknown)[] = [];
  vi.stubEnv('KV_REST_API_URL', front.url);
  vi.stubEnv('KV_REST_API_TOKEN', front.token);
  // The package sets it.
  vi.stubEnv('UPSTASH_DISABLE_TELEMETRY', '1');
  // Imported here: it looks for them when it is asked anything.
  const { createClient: createKv, kv } = await import('@vercel/kv');
  const glide = async (): Promise<GlideClient> => {
    const client = await GlideClient.createClient({ addresses: [{ host, port: Number(port) }] });
    ends.push(() => client.close());
    return client;
  };
  const clients: Readonly<Record<string, () => Promise<RedisClient>>> = {
    iovalkey: async () => {
      const client = new Iovalkey(server.url);
      ends.push(() => client.disconnect());
      return client;
    },
    'kv of @vercel/kv, which is a proxy': async () => kv,
    'a client of @vercel/kv': async () => createKv(front),
    'valkey-glide': async () => {
      const client = await glide();
      return {
        eval: async (script, keys, values) =>
          client.customCommand(['EVAL', script, `${keys.length}`, ...keys, ...values]),
      };
    },
  };
  const stop = async (): Promise<void> => {
    vi.unstubAllEnvs();
    for (const end of ends) end();
    await front.stop();
    await server.stop();
  };
  return { url: server.url, clients, glide, stop };
}

const made = isInstalled('redis-server') ? await startClients() : undefined;
afterAll(async () => made?.stop());

describe.skipIf(made === undefined)('redisStore with what applications have', () => {
  if (made === undefined) return;
  const { url, clients, glide } = made;
  for (const [kind, make] of Object.entries(clients))
    describeStore(kind, async () => [redisStore(await make()), redisStore(await make())]);

  it('the client of Bun, in Bun', async () => {
    expect(await runBun('redis', url)).toMatch(/^11 of 11$/m);
  });

  it('refuses the client of valkey-glide as it is, with what to give', async () => {
    const client = await glide();
    expect(() => redisStore(untyped(client))).toThrow(
      /\{ eval\(script, keys, values\) \} for another client \(see docs\/deploy.md#redis\)/,
    );
  });
});
