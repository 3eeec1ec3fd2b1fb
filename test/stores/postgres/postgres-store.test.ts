import { inspect } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresStore, type PostgresStore } from '../../../src/state/stores/postgres-store.ts';
import { add, put } from '../../support/put.ts';
import { describeStore } from '../describe-store.ts';

describe('postgresStore', () => {
  let client: PGlite;
  let store: PostgresStore;
  beforeAll(async () => {
    client = await PGlite.create();
    store = postgresStore({ client });
    await store.createTable();
  });
  afterAll(async () => client.close());

  /** A number that a statement gives. */
  async function numberOf(statement: string): Promise<number> {
    const { rows } = await client.query<{ number: number }>(statement);
    return rows[0]?.number ?? Number.NaN;
  }

  describeStore('in this process', async () => [store, postgresStore({ client })]);

  it('makes its table once, under the name it was given', async () => {
    await client.query('CREATE SCHEMA "Own"');
    const own = postgresStore({ client, table: 'Own.select' });
    await own.createTable();
    await own.createTable();
    await put(own, 'key', 'value', { ttlMs: 1e300 });
    const lasting = 'FROM "Own"."select" WHERE expires_at IS NULL';
    expect(await numberOf(`SELECT count(*)::int AS number ${lasting}`)).toBe(1);
    expect(await own.get('key')).toBe('value');
    expect(await store.get('key')).toBeUndefined();
  });

  it.each([undefined, '(id int)', '(key int PRIMARY KEY)'])(
    'says how its table is made where it is another one, or not there: %s',
    async (columns) => {
      await client.exec('DROP TABLE IF EXISTS other');
      if (columns !== undefined) await client.exec(`CREATE TABLE other ${columns}`);
      const other = postgresStore({ client, table: 'other' });
      await expect(put(other, 'a', 'b')).rejects.toThrow(
        /no table other of a store .*createTable\(\).*CREATE TABLE IF NOT EXISTS "other" \(key text/,
      );
    },
  );

  it.each(['value int', 'value text CHECK (length(value) < 3)'])(
    'does not repeat in an error what was to be stored: %s',
    async (column) => {
      await client.exec(
        `DROP TABLE IF EXISTS narrow; CREATE TABLE narrow (key text PRIMARY KEY, ${column}, expires_at timestamptz)`,
      );
      const failure = put(postgresStore({ client, table: 'narrow' }), 'key', 'a confidence');
      await expect(failure).rejects.toThrow(/narrow/);
      expect(inspect(await failure.catch((error: unknown) => error))).not.toContain('confidence');
    },
  );

  it('removes what has expired in passing, some of it now and then', async () => {
    const sweeping = postgresStore({ client, table: 'swept' });
    await sweeping.createTable();
    await client.query(
      `INSERT INTO swept SELECT 'old ' || i, '~', now() - interval '1 second' FROM generate_series(1, 700) i`,
    );
    const expired = 'SELECT count(*)::int AS number FROM swept WHERE expires_at < now()';
    const left: number[] = [];
    for (let index = 0; index < 101; index += 1) {
      await put(sweeping, `new ${index}`, 'value', { ttlMs: 60_000 });
      left.push(await numberOf(expired));
    }
    expect(left).toEqual([...Array.from({ length: 100 }, () => 200), 0]);
    expect(await sweeping.get('new 0')).toBe('value');
  });

  it('has written what it wrote when it cannot sweep', async () => {
    let isFirst = true;
    const query: PGlite['query'] = async (text, values) => {
      if (!isFirst) throw new Error('no more');
      isFirst = false;
      return client.query(text, values);
    };
    expect(await add(postgresStore({ client: { query } }), 'before', 'value')).toBe(true);
    expect(await store.get('before')).toBe('value');
  });

  it.each(['40001', '40P01', '23505', '42P07', '42710'])(
    'is asked up to five times where others were quicker: %s',
    async (code) => {
      await put(store, 'held', 'value');
      let failures = 4;
      const query: PGlite['query'] = async (text, values) => {
        failures -= 1;
        if (failures >= 0) throw Object.assign(new Error('too slow'), { code });
        return client.query(text, values);
      };
      const hurried = postgresStore({ client: { query } });
      expect(await hurried.get('held')).toBe('value');
      failures = 5;
      await expect(hurried.get('held')).rejects.toThrow(/too slow|There is no table/);
      expect(failures).toBe(0);
    },
  );

  it('says of a client that it gives no rows', async () => {
    const silent = postgresStore({ client: { query: async () => undefined } });
    await expect(silent.get('key')).rejects.toThrow(/rows/);
  });
});
