import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { redisStore } from '../../../src/stores/redis/index.ts';
import { storeChecks } from '../../../src/testing/index.ts';
import { isInstalled } from '../../support/servers/find-program.ts';
import { untyped } from '../../support/untyped.ts';
import { singleClients, startRedisSetting, type RedisSetting } from './redis-clients.ts';

const kinds = ['redis', 'ioredis', '@upstash/redis'];

describe.skipIf(!isInstalled('redis-server'))('redisStore and a server that is down', () => {
  let setting: RedisSetting;
  beforeAll(async () => {
    setting = await startRedisSetting({ withCluster: false });
  });
  afterAll(async () => setting?.stop());

  describe.each(kinds)('with %s', (kind) => {
    const makeClient = singleClients[kind];
    const makeStore = async () => redisStore((await makeClient?.(setting)) ?? untyped(undefined));
    const hooks = {
      stop: async () => setting.server.goDown(),
      start: async () => setting.server.comeBack(),
    };
    const checks = storeChecks(makeStore, { server: hooks });

    it.each(checks.filter(({ name }) => name.includes('outage')))('$name', async ({ run }) => {
      await expect(run()).resolves.toBeUndefined();
    });

    it('rejects, and does not make up for a write when the server is back', async () => {
      const store = await makeStore();
      await store.set('before', 'value');
      await hooks.stop();
      try {
        const asked = [store.set('late', 'value'), store.get('late'), store.delete('late')];
        for (const { reason } of await rejections(asked))
          expect(reason).toMatchObject({ message: expect.stringMatching(/^Redis: ./) });
      } finally {
        await hooks.start();
      }
      await vi.waitUntil(async () => store.set('after', 'value').catch(() => false), 60_000);
      expect(await store.get('late')).toBeUndefined();
      expect(await store.get('after')).toBe('value');
    });
  });

  it('rejects with a client that nobody has connected, and does not connect it', async () => {
    const client = createClient({ url: setting.server.url });
    const store = redisStore(client);
    const asked = [store.get('key'), store.set('key', 'value'), store.delete('key')];
    for (const { reason } of await rejections(asked))
      expect(reason).toMatchObject({ message: 'Redis: The client is closed' });
    expect(client.isOpen).toBe(false);
  });
});

/** What operations reject with, all of which have to. */
async function rejections(asked: readonly Promise<unknown>[]): Promise<PromiseRejectedResult[]> {
  const outcomes = await Promise.allSettled(asked);
  const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(rejected).toHaveLength(asked.length);
  return rejected;
}
