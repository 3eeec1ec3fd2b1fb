// oxlint-disable-next-line import/no-unassigned-import -- TypeORM wants it
import 'reflect-metadata';
import { PrismaPg } from '@prisma/adapter-pg';
import { drizzle as drizzleOnPg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzleOnPostgresJs } from 'drizzle-orm/postgres-js';
import knex from 'knex';
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import mysql from 'mysql2';
import { Pool, type Client } from 'pg';
import postgres from 'postgres';
import { QueryTypes, Sequelize } from 'sequelize';
import { DataSource } from 'typeorm';
import { afterAll, describe, expect, it } from 'vitest';
import { SummarizationOptionError } from '../../src/index.ts';
import { postgresStore } from '../../src/state/stores/postgres-store.ts';
import { put } from '../support/put.ts';
import { isInstalled } from '../support/servers/find-program.ts';
import { startPostgres } from '../support/servers/postgres-server.ts';
import { untyped } from '../support/untyped.ts';
import { describeStore } from '../stores/describe-store.ts';
import { runBun } from './run-bun.ts';

async function startClients() {
  const { url, stop: stopServer } = await startPostgres();
  const ends: (() => unknown)[] = [];
  const pool = (): Pool => {
    const made = new Pool({ connectionString: url }).on('error', () => {});
    ends.push(async () => made.end());
    return made;
  };
  const postgresJs = () => {
    const sql = postgres(url, { onnotice: () => {} });
    ends.push(async () => sql.end());
    return sql;
  };
  const sequelize = (): Sequelize => {
    const made = new Sequelize(url, { logging: false });
    ends.push(async () => made.close());
    return made;
  };
  const builder = () => {
    const made = knex({ client: 'pg', connection: url });
    ends.push(async () => made.destroy());
    return made;
  };
  const dataSource = async (): Promise<DataSource> => {
    const made = await new DataSource({ type: 'postgres', url }).initialize();
    ends.push(async () => made.destroy());
    return made;
  };
  /** As the documents give each to the store. */
  const recipes: Readonly<Record<string, () => unknown>> = {
    'postgres.js': postgresJs,
    'Drizzle on postgres.js': () => drizzleOnPostgresJs(postgresJs()),
    'Drizzle on pg': () => drizzleOnPg(pool()),
    'the pool of Kysely': () => {
      const shared = pool();
      void new Kysely({ dialect: new PostgresDialect({ pool: shared }) });
      return shared;
    },
    Kysely: () => {
      const db = new Kysely({ dialect: new PostgresDialect({ pool: pool() }) });
      return {
        query: async (text: string, values: unknown[]) =>
          db.executeQuery(CompiledQuery.raw(text, values)),
      };
    },
    'the pool of the driver adapter of Prisma': () => {
      const shared = pool();
      void new PrismaPg(shared);
      return shared;
    },
    TypeORM: dataSource,
    Sequelize: () => {
      const made = sequelize();
      return {
        query: async (text: string, bind: unknown[]) =>
          made.query(text, { bind, type: QueryTypes.SELECT }),
      };
    },
    knex: () => {
      const db = builder();
      return {
        query: async (text: string, values: unknown[]) => {
          const one: Client = await db.client.acquireConnection();
          return one.query(text, values).finally(() => db.client.releaseConnection(one));
        },
      };
    },
  };
  const first = postgresStore({ client: pool() });
  await first.createTable();
  const stop = async (): Promise<void> => {
    for (const end of ends) await end();
    await stopServer();
  };
  return { url, first, recipes, sequelize, builder, dataSource, stop };
}

const isHere = isInstalled('initdb') && isInstalled('postgres');
const made = isHere ? await startClients() : undefined;
afterAll(async () => made?.stop());

describe.skipIf(made === undefined)('postgresStore with what applications have', () => {
  if (made === undefined) return;
  const { url, first, recipes, sequelize, builder, dataSource } = made;
  for (const [kind, make] of Object.entries(recipes))
    describeStore(kind, async () => {
      const client = untyped<Pool>(await make());
      const own = postgresStore({ client });
      await own.createTable();
      return [own, first];
    });

  it('Bun.SQL, in Bun', async () => {
    expect(await runBun('postgres', url)).toMatch(/^11 of 11$/m);
  });

  it('an answer of rows and a number, as TypeORM gives to what only writes, never counts as won', async () => {
    const source = await dataSource();
    const query = async (text: string, values: unknown[]): Promise<unknown> => [
      await source.query(text, values),
      0,
    ];
    const lost = postgresStore({ client: { query } });
    const told =
      /answers \[\[\], number\]: give \{ query \} that .* returns rows, see docs\/deploy.md#postgres/;
    await expect(lost.get('a')).rejects.toThrow(told);
    await expect(put(lost, 'a', 'value')).rejects.toThrow(told);
    await expect(
      lost.compareAndSet('a', { expected: 'x', value: 'y', ttlMs: undefined }),
    ).rejects.toThrow(told);
  });

  it('says of a client that passes no values on what to give', async () => {
    const query = async (text: string): Promise<unknown> => (await dataSource()).query(text);
    const told = /passes no values on: give \{ query \} .*see docs\/deploy.md#postgres/;
    await expect(postgresStore({ client: { query } }).get('a')).rejects.toThrow(told);
  });

  it.each<[string, () => unknown]>([
    ['knex', builder],
    ['Sequelize', sequelize],
    ['a pool of mysql2', () => mysql.createPool({})],
    ['a pool of mysql2 that promises', () => mysql.createPool({}).promise()],
    ['Kysely', () => new Kysely({ dialect: new PostgresDialect({ pool: new Pool() }) })],
  ])('refuses %s where the store is made, with what to give', (_, make) => {
    const give = (): unknown => postgresStore({ client: untyped(make()) });
    expect(give).toThrow(SummarizationOptionError);
    expect(give).toThrow(/option client: .*for others see docs\/deploy.md#postgres/);
  });
});
