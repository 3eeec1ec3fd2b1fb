import { createClient } from '@libsql/client';
import BetterSqlite3 from 'better-sqlite3';
import { drizzle as drizzleOnBetterSqlite3 } from 'drizzle-orm/better-sqlite3';
import { drizzle } from 'drizzle-orm/libsql';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sqliteStore } from '../../src/state/stores/sqlite-store.ts';
import { removedFolder } from '../support/removed-folder.ts';
import { describeStore } from '../stores/describe-store.ts';
import { runBun } from './run-bun.ts';

describe('sqliteStore with what applications have', () => {
  const { folder, remove } = removedFolder();
  const libsql = (name: string) => createClient({ url: `file:${join(folder, name)}` });
  const ends: (() => void)[] = [];
  afterAll(() => {
    for (const end of ends) end();
    remove();
  });

  describeStore('@libsql/client', async () => {
    const client = libsql('own.db');
    ends.push(() => client.close());
    return [sqliteStore({ client }), sqliteStore({ client: async () => client })];
  });
  describeStore('Drizzle on @libsql/client', async () => {
    const client = libsql('drizzle.db');
    ends.push(() => client.close());
    const store = sqliteStore({ client: drizzle(client) });
    return [store, store];
  });

  describeStore('better-sqlite3', async () => {
    const client = new BetterSqlite3(join(folder, 'better.db'));
    ends.push(() => client.close());
    return [sqliteStore({ client }), sqliteStore({ client: () => client })];
  });
  describeStore('Drizzle on better-sqlite3', async () => {
    const client = new BetterSqlite3(':memory:');
    ends.push(() => client.close());
    const store = sqliteStore({ client: drizzleOnBetterSqlite3(client) });
    return [store, store];
  });

  it('bun:sqlite, in Bun', async () => {
    expect(await runBun('sqlite')).toMatch(/^11 of 11$/m);
  });
});
