// What Bun has itself, given to the stores: run in Bun, with the kind and the address of a server.

import { RedisClient, SQL } from 'bun';
import { Database } from 'bun:sqlite';
import type { SummaryStore } from '../../src/index.ts';
import { postgresStore } from '../../src/state/stores/postgres-store.ts';
import { redisStore } from '../../src/state/stores/redis-store.ts';
import { sqliteStore } from '../../src/state/stores/sqlite-store.ts';
import { storeChecks } from '../../src/entries/testing/index.ts';

const [kind = '', url = ''] = process.argv.slice(2);

const stores: Readonly<Record<string, () => SummaryStore>> = {
  postgres: () => postgresStore({ client: new SQL(url) }),
  redis: () => {
    const client = new RedisClient(url);
    return redisStore({
      eval: async (script, keys, values) =>
        client.send('EVAL', [script, `${keys.length}`, ...keys, ...values]),
    });
  },
  sqlite: () => sqliteStore({ client: new Database(':memory:') }),
};

const store = stores[kind]?.();
if (store === undefined) throw new Error(`There is no ${kind}.`);
const checks = storeChecks(() => store);
let passed = 0;
for (const { name, run } of checks)
  try {
    await run();
    passed += 1;
  } catch (error) {
    console.error(name, error);
  }
console.log(`${passed} of ${checks.length}`);
process.exit(0);
