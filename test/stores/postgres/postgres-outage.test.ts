import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresStore, type PostgresStore } from '../../../src/stores/postgres/index.ts';
import { storeChecks } from '../../../src/testing/index.ts';
import { isInstalled } from '../../support/servers/find-program.ts';
import { startPostgresSetting, type PostgresSetting } from './postgres-clients.ts';

describe.skipIf(!isInstalled('initdb') || !isInstalled('postgres'))(
  'postgresStore and a server that is down',
  () => {
    let setting: PostgresSetting;
    let store: PostgresStore;
    beforeAll(async () => {
      setting = await startPostgresSetting();
      store = postgresStore({ client: setting.pool() });
      await store.createTable();
    });
    afterAll(async () => setting?.stop());

    const server = {
      stop: async () => setting.server.goDown(),
      start: async () => setting.server.comeBack(),
    };
    const checks = storeChecks(() => store, { server });
    it.each(checks.filter(({ name }) => name.includes('outage')))('$name', async ({ run }) => {
      await expect(run()).resolves.toBeUndefined();
    });

    it('rejects meanwhile, and has what was written before', async () => {
      await store.set('before', 'value');
      await server.stop();
      try {
        const asked = [store.get('before'), store.set('during', 'value'), store.delete('before')];
        const outcomes = await Promise.allSettled(asked);
        expect(outcomes.map(({ status }) => status)).toEqual(asked.map(() => 'rejected'));
      } finally {
        await server.start();
      }
      expect(await store.get('before')).toBe('value');
      expect(await store.get('during')).toBeUndefined();
    });
  },
);
