import { add, put } from '../../support/put.ts';
import { inspect } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { postgresStore, type PostgresStore } from '../../../src/stores/postgres-store.ts';
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

  it('takes a function that gives its client, and asks it once', async () => {
    const give = vi.fn<() => Promise<PGlite>>(async () => client);
    const given = postgresStore({ client: give });
    expect(give).not.toHaveBeenCalled();
    expect(await add(given, 'of a function', 'value')).toBe(true);
    expect(await given.get('of a function')).toBe('value');
    expect(give).toHaveBeenCalledOnce();
  });

  it('makes its table once, under the name it was given', async () => {
    await client.query('CREATE SCHEMA "Own"');
    const own = postgresStore({ client, table: 'Own.select' });
    await own.createTable();
    await own.createTable();
    await put(own, 'key', 'value');
    expect(await numberOf('SELECT count(*)::int AS number FROM "Own"."select"')).toBe(1);
    expect(await own.get('key')).toBe('value');
    expect(await store.get('key')).toBeUndefined();
  });

  it('says how the table is made when it is not there', async () => {
    const homeless = postgresStore({ client, table: 'nowhere' });
    const asked = [homeless.get('a'), put(homeless, 'a', 'b'), homeless.delete('a')];
    for (const operation of asked)
      await expect(operation).rejects.toThrow(
        /no table nowhere .*createTable\(\).*CREATE TABLE IF NOT EXISTS "nowhere" \(key text/,
      );
  });

  it.each(['(id int)', '(key text, value text, expires_at timestamptz)', '(key int PRIMARY KEY)'])(
    'says of a table of another shape that it is not its own: %s',
    async (columns) => {
      await client.exec(`DROP TABLE IF EXISTS other; CREATE TABLE other ${columns}`);
      const other = postgresStore({ client, table: 'other' });
      await expect(put(other, 'a', 'b')).rejects.toThrow(/no table other of a store/);
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

  it('goes by the clock within a transaction too', async () => {
    await client.query('BEGIN');
    await put(store, 'in a transaction', 'value', { ttlMs: 1 });
    await vi.waitFor(
      async () => expect(await store.get('in a transaction')).toBeUndefined(),
      60_000,
    );
    expect(await add(store, 'in a transaction', 'new')).toBe(true);
    await client.query('ROLLBACK');
  });

  it('keeps an entry of endless time', async () => {
    const endless = `SELECT count(*)::int AS number FROM ai_sdk_summarization WHERE key = 'endless' AND expires_at IS NULL`;
    for (const ttlMs of [Number.POSITIVE_INFINITY, 1e300, undefined]) {
      await put(store, 'endless', 'value', { ttlMs });
      expect(await numberOf(endless)).toBe(1);
    }
  });

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
    const blocked = postgresStore({
      client: {
        query: async (text, values) => {
          if (!isFirst) throw new Error('no more');
          isFirst = false;
          return client.query(text, values);
        },
      },
    });
    expect(await add(blocked, 'before', 'value')).toBe(true);
    expect(await store.get('before')).toBe('value');
  });

  it('says of a client that it gives no rows', async () => {
    const silent = postgresStore({ client: { query: async () => undefined } });
    await expect(silent.get('key')).rejects.toThrow(/rows/);
  });
});
