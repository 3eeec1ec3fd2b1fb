import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SummarizationOptionError } from '../../../src/index.ts';
import {
  sqliteStore,
  type SqliteFileOptions,
  type SqliteStore,
} from '../../../src/state/stores/sqlite-store.ts';
import { temporaryFolder } from '../../node/folders.ts';
import { add, put } from '../../support/put.ts';
import { removedFolder } from '../../support/removed-folder.ts';
import { turns } from '../../support/until.ts';
import { untyped } from '../../support/untyped.ts';
import { describeStore } from '../describe-store.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function openStore(path: string, options: Partial<SqliteFileOptions> = {}): SqliteStore {
  const store = sqliteStore({ path, ...options });
  onTestFinished(store.close);
  return store;
}

function newPath(): string {
  return join(temporaryFolder(), 'summaries.db');
}

/**
 * Holds the lock that keeps others from writing, and those of a new file from reading as well. Returns what gives it
 * back.
 */
function holdLock(path: string): () => void {
  const database = new DatabaseSync(path);
  database.exec('BEGIN EXCLUSIVE');
  return () => {
    database.exec('COMMIT');
    database.close();
  };
}

/** Entries and bytes of a file, as somebody else sees it. */
function contentOf(path: string): { readonly entries: number; readonly bytes: number } {
  const database = new DatabaseSync(path);
  const [row] = database.prepare('SELECT count(*) AS entries FROM summarization_entries').all();
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return { entries: Number(row?.['entries']), bytes: statSync(path).size };
}

/** A database whose statements refuse `all` where they give no rows, as those of `better-sqlite3` do. */
function likeBetterSqlite3() {
  const database = new DatabaseSync(':memory:');
  return {
    prepare(sql: string) {
      const statement = database.prepare(sql);
      const reader = statement.columns().length > 0;
      const all = (...values: SQLInputValue[]): unknown[] => {
        if (!reader) throw new TypeError('This statement does not return data. Use run() instead');
        return statement.all(...values);
      };
      const run = (...values: SQLInputValue[]): unknown => statement.run(...values);
      return { reader, all, run, get: () => {}, bind: () => {} };
    },
  };
}

describe('sqliteStore', () => {
  const { folder, remove } = removedFolder();
  const path = join(folder, 'shared.db');
  const shared: SqliteStore[] = [];
  afterAll(async () => {
    for (const store of shared) await store.close();
    remove();
  });
  describeStore('as every store', async () => {
    const [one, other] = [sqliteStore({ path }), sqliteStore({ path })];
    shared.push(one, other);
    return [one, other];
  });

  describeStore('a client of node:sqlite', async () => {
    const client = new DatabaseSync(':memory:');
    return [sqliteStore({ client }), sqliteStore({ client: async () => client })];
  });
  describeStore('a client of the shape of better-sqlite3', async () => {
    const store = sqliteStore({ client: likeBetterSqlite3() });
    return [store, store];
  });

  it('of a client leaves it open, and rejects with what it says', async () => {
    const client = new DatabaseSync(':memory:');
    const store = sqliteStore({ client });
    await put(store, 'a', '"value"');
    await store.close();
    expect(await store.get('a')).toBe('"value"');
    client.close();
    await expect(store.get('a')).rejects.toThrow(/^SQLite: database is not open$/);
  });

  it.each([undefined, { rows: 1 }, [['value']]])(
    'refuses an answer without rows: %j',
    async (answer) => {
      const store = sqliteStore({ client: { execute: async () => untyped(answer) } });
      await expect(store.get('a')).rejects.toThrow(/^SQLite: The client gives (?:no )?rows/);
    },
  );

  it('leaves nothing of what was removed in any of its files', async () => {
    const file = newPath();
    const store = openStore(file, { busyTimeoutMs: 0 });
    const word = 'Quillfeather';
    for (let entry = 0; entry < 20; entry += 1) await put(store, `${entry}`, word.repeat(2000));
    for (let entry = 0; entry < 20; entry += 1)
      await (entry < 10 ? store.delete(`${entry}`) : put(store, `${entry}`, 'another'));
    const found = (): readonly string[] =>
      readdirSync(dirname(file)).filter((name) =>
        readFileSync(join(dirname(file), name), 'latin1').includes(word),
      );
    expect(found()).not.toEqual([]);
    const reader = new DatabaseSync(file);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM summarization_entries').get();
    await expect(store.scrub?.()).rejects.toThrow(`${file}: other processes are using it`);
    reader.exec('COMMIT');
    await store.scrub?.();
    expect(found()).toEqual([]);
    expect(await store.get('19')).toBe('another');
    reader.close();
  });

  it('makes its files for this user alone, and keeps one over a restart', async () => {
    const file = newPath();
    const store = openStore(file);
    await put(store, 'a', '"value"');
    const names = readdirSync(dirname(file)).toSorted();
    expect(names).toEqual(['summaries.db', 'summaries.db-shm', 'summaries.db-wal']);
    for (const name of names) expect(statSync(join(dirname(file), name)).mode % 0o1000).toBe(0o600);
    await store.close();
    expect(readdirSync(dirname(file))).toEqual(['summaries.db']);
    expect(await openStore(file).get('a')).toBe('"value"');
  });

  it('never lets SQLite wait for a lock, which would block the thread', () => {
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
    openStore(newPath());
    const database = prepare.mock.contexts.find((context) => context instanceof DatabaseSync);
    expect(database?.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 0 });
  });

  it('rejects, naming its path, once it was closed, and leaves other stores of the file alone', async () => {
    const file = newPath();
    const [store, other] = [openStore(file), openStore(file)];
    await put(store, 'a', '"value"');
    const release = holdLock(file);
    const waiting = put(store, 'a', '"new"');
    await store.close();
    await store.close();
    const message = `SQLite file ${file}: the store was closed`;
    await expect(waiting).rejects.toThrow(message);
    release();
    await expect(store.get('a')).rejects.toThrow(message);
    await expect(store.delete('a')).rejects.toThrow(message);
    expect(await other.get('a')).toBe('"value"');
  });

  it('removes what has expired, four with one write, and gives its room back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const file = newPath();
    const store = openStore(file);
    const value = JSON.stringify('x'.repeat(10_000));
    await put(store, 'lasting', value, { ttlMs: 60_000 });
    for (let entry = 0; entry < 1000; entry += 1)
      await put(store, `expiring ${entry}`, value, { ttlMs: 1000 });
    const full = contentOf(file);
    expect(full.entries).toBe(1001);
    expect(full.bytes).toBeGreaterThan(10_000_000);
    vi.setSystemTime(Date.now() + 1000);
    await put(store, 'new', 'first');
    expect(contentOf(file).entries).toBe(1002 - 4);
    for (let turn = 0; turn < 250; turn += 1) await put(store, 'new', `${turn}`);
    const swept = contentOf(file);
    expect(swept.entries).toBe(2);
    expect(swept.bytes).toBeLessThan(500_000);
    expect(await store.get('lasting')).toBe(value);
  });

  it.each(['before', 'after'])(
    'waits for a lock that was taken %s it was opened, without blocking the thread',
    async (moment) => {
      const file = newPath();
      const patience = { busyTimeoutMs: 120_000 };
      const early = moment === 'after' ? openStore(file, patience) : undefined;
      const release = holdLock(file);
      const store = early ?? openStore(file, patience);
      let isSettled = false;
      const writing = add(store, 'a', '"value"').finally(() => {
        isSettled = true;
      });
      await turns(100);
      expect(isSettled).toBe(false);
      release();
      expect(await writing).toBe(true);
      expect(await store.get('a')).toBe('"value"');
    },
  );

  it('rejects, naming its path, when the lock is held for too long', async () => {
    const file = newPath();
    const store = openStore(file, { busyTimeoutMs: 0 });
    await put(store, 'a', '"value"');
    const release = holdLock(file);
    const told = `SQLite file ${file}: database is locked, for 0 ms`;
    await expect(put(store, 'a', '"new"')).rejects.toThrow(told);
    await expect(store.delete('a')).rejects.toThrow(told);
    // Who reads is not locked out.
    expect(await store.get('a')).toBe('"value"');
    release();
    expect(await put(store, 'a', '"new"')).toBe(true);
  });

  it('rejects, naming its path, when the file is damaged while it is open', async () => {
    const file = newPath();
    const store = openStore(file);
    for (let entry = 0; entry < 100; entry += 1)
      await put(store, `key ${entry}`, JSON.stringify('x'.repeat(5000)));
    await store.close();
    const reopened = openStore(file);
    writeFileSync(file, 'no database any more '.repeat(20_000));
    await expect(reopened.get('key 1')).rejects.toThrow(`SQLite file ${file}: `);
  });
});

describe('sqliteStore that is given something wrong', () => {
  const textFile = (): string => {
    const file = newPath();
    writeFileSync(file, 'A text, and no database at all.'.repeat(100));
    return file;
  };
  const ofAnotherKind = (): string => {
    const file = newPath();
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE summarization_entries (id TEXT)');
    database.close();
    return file;
  };

  it.each<[string, () => string, RegExp]>([
    ['a folder', temporaryFolder, /this is no file/],
    ['a path in no folder', () => join(newPath(), 'a.db'), /no such file or directory/],
    ['a text', textFile, /file is not a database/],
    ['a table of another kind', ofAnotherKind, /no (?:such )?column/],
    ['a database in memory', () => ':memory:', /memoryStore/],
    ['a URL', () => 'file:summaries.db', /give the path itself/],
  ])('refuses %s', (_, pathOf, reason) => {
    const wrong = pathOf();
    const make = (): unknown => sqliteStore({ path: wrong });
    expect(make).toThrow(SummarizationOptionError);
    expect(make).toThrow(expect.objectContaining({ option: 'path', value: wrong }));
    expect(make).toThrow(reason);
  });

  it.each([
    [
      'no file',
      () => vi.spyOn(process.getBuiltinModule('node:fs'), 'openSync'),
      { code: 'ENOSPC' },
    ],
    ['no table', () => vi.spyOn(DatabaseSync.prototype, 'exec'), { errcode: 13 }],
  ])('says of a full disk, which takes %s, that it is full', (_what, spy, fault) => {
    const refused = spy().mockImplementation(() => {
      throw Object.assign(new Error('no space left'), fault);
    });
    onTestFinished(() => refused.mockRestore());
    const make = (): unknown => sqliteStore({ path: newPath() });
    expect(make).toThrow(/disk is full: no space left/);
    expect(make).not.toThrow(SummarizationOptionError);
  });

  it.each<[unknown, string, RegExp]>([
    ['summaries.db', 'input', /an object with path or client/],
    [{ path: '' }, 'path', /a string that is not empty/],
    [{ path: 'a.db', busyTimeoutMs: -1 }, 'busyTimeoutMs', /an integer of at least 0/],
    [{ client: {} }, 'client', /prepare .*execute .*sql\.exec .*docs\/deploy\.md#sqlite/],
    [{ client: 'file.db' }, 'client', /prepare/],
    [{ client: {}, path: 'a.db' }, 'path', /client/],
    [{ path: 'a.db', timeout: 5 }, 'timeout', /path, busyTimeoutMs/],
  ])('refuses %j', (wrong, option, allowed) => {
    const make = (): unknown => sqliteStore(untyped(wrong));
    expect(make).toThrow(expect.objectContaining({ option }));
    expect(make).toThrow(allowed);
  });

  it('says which Node.js it needs, and leaves no file', () => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
    const file = newPath();
    expect(() => sqliteStore({ path: file })).toThrow(
      /needs node:sqlite, of Node.js 22.13 or later/,
    );
    expect(existsSync(file)).toBe(false);
  });
});
