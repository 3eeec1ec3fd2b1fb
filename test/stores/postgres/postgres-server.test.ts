import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { postgresStore, type PostgresStore } from '../../../src/stores/postgres/index.ts';
import { storeChecks } from '../../../src/testing/index.ts';
import { isInstalled } from '../../support/servers/find-program.ts';
import { confusingTexts } from '../confusing-texts.ts';
import { serverClients, startPostgresSetting, type PostgresSetting } from './postgres-clients.ts';

describe.skipIf(!isInstalled('initdb') || !isInstalled('postgres'))(
  'postgresStore on a server',
  () => {
    let setting: PostgresSetting;
    beforeAll(async () => {
      setting = await startPostgresSetting();
    });
    afterAll(async () => setting?.stop());

    it('makes its table once, however many processes make it', async () => {
      const stores = Array.from({ length: 20 }, () => postgresStore({ client: setting.pool() }));
      await expect(
        Promise.all(stores.map(async (store) => store.createTable())),
      ).resolves.toBeDefined();
      expect(await stores[0]?.set('key', 'value')).toBe(true);
      expect(await stores[1]?.get('key')).toBe('value');
    });

    describe.each(Object.entries(serverClients))('with %s', (_, makeClient) => {
      let one: PostgresStore;
      let other: PostgresStore;
      beforeAll(async () => {
        one = postgresStore({ client: await makeClient(setting) });
        other = postgresStore({ client: await makeClient(setting) });
        await one.createTable();
      });

      it.each(storeChecks(() => one, { makeOther: () => other }))('$name', async ({ run }) => {
        await expect(run()).resolves.toBeUndefined();
      });

      it('gives back every string as the string that it was', async () => {
        for (const [index, text] of confusingTexts.entries()) {
          await one.set(`text ${index}`, text);
          expect(await other.get(`text ${index}`)).toBe(text);
        }
      });

      it('says how the table is made when it is not there', async () => {
        const homeless = postgresStore({ client: await makeClient(setting), table: 'nowhere' });
        await expect(homeless.get('a')).rejects.toThrow(/no table nowhere .*createTable\(\)/);
      });
    });

    it.each(['read committed', 'repeatable read', 'serializable'])(
      'lets one of 100 writers win over an entry that has expired: %s',
      async (isolation) => {
        const options = `-c default_transaction_isolation=${isolation.replace(' ', '\\ ')}`;
        const store = postgresStore({ client: setting.pool({ options, max: 20 }) });
        await store.createTable();
        const key = `contended ${isolation}`;
        await store.set(key, 'old', { ttlMs: 1 });
        await vi.waitFor(async () => expect(await store.get(key)).toBeUndefined());
        const written = await Promise.all(
          Array.from({ length: 100 }, async (_, index) =>
            store.set(key, `${index}`, { ifAbsent: true, ttlMs: 600_000 }),
          ),
        );
        expect(written.filter(Boolean)).toHaveLength(1);
        expect(await store.get(key)).toBe(`${written.indexOf(true)}`);
      },
    );
  },
);
