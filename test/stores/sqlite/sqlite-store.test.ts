import { add, put } from '../../support/put.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SummarizationOptionError } from '../../../src/index.ts';
import {
  sqliteStore,
  type SqliteStore,
  type SqliteStoreOptions,
} from '../../../src/stores/sqlite-store.ts';
import { temporaryFolder } from '../../node/folders.ts';
import { removedFolder } from '../../support/removed-folder.ts';
import { turns } from '../../support/until.ts';
import { untyped } from '../../support/untyped.ts';
import { describeStore } from '../describe-store.ts';

const script = fileURLToPath(new URL('child.ts', import.meta.url));

/** Another process at work on a file. */
interface OtherProcess {
  /** Lets it go on, and gives what it printed when it has ended. */
  readonly goOn: () => Promise<string>;
  readonly kill: () => Promise<void>;
}

/** Starts another process on a job of `child.ts`; resolves when it is ready or has ended. */
async function otherProcess(job: string, path: string, name = ''): Promise<OtherProcess> {
  const child = spawn(process.execPath, ['--no-warnings', script, job, path, name], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  // One that has ended by itself, before it is noticed here, reads no more.
  child.stdin.on('error', () => {});
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const other: OtherProcess = {
    goOn: async () => {
      if (child.exitCode === null) child.stdin.write('go on');
      await ended;
      return output.replace('ready\n', '').trim();
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
  onTestFinished(other.kill);
  await Promise.race([once(child.stdout, 'data'), ended]);
  return other;
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function openStore(path: string, options: Partial<SqliteStoreOptions> = {}): SqliteStore {
  const store = sqliteStore({ path, ...options });
  onTestFinished(store.close);
  return store;
}

function newPath(): string {
  return join(temporaryFolder(), 'summaries.db');
}

/** Entries and bytes of a file, as somebody else sees it. */
function contentOf(path: string): { readonly entries: number; readonly bytes: number } {
  const database = new DatabaseSync(path);
  const [row] = database.prepare('SELECT count(*) AS entries FROM summarization_entries').all();
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return { entries: Number(row?.['entries']), bytes: statSync(path).size };
}

describe('sqliteStore', () => {
  const { folder: shared, remove } = removedFolder();
  const path = join(shared, 'shared.db');
  const closed: SqliteStore[] = [];
  let holder: OtherProcess | undefined;
  afterAll(async () => {
    for (const store of closed) await store.close();
    remove();
  });
  const server = {
    stop: async () => {
      holder = await otherProcess('hold-the-lock', path);
    },
    start: async () => {
      await holder?.goOn();
    },
  };
  describeStore(
    'as every store',
    async () => {
      const [one, other] = [sqliteStore({ path }), sqliteStore({ path })];
      closed.push(one, other);
      return [one, other];
    },
    { server },
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

  it('keeps its state over a restart', async () => {
    const file = newPath();
    const first = openStore(file);
    await put(first, 'a', '"value"');
    await first.close();
    expect(readdirSync(join(file, '..'))).toEqual(['summaries.db']);
    expect(await openStore(file).get('a')).toBe('"value"');
  });

  it('makes its files for this user alone', async () => {
    const file = newPath();
    await put(openStore(file), 'a', '"value"');
    const names = readdirSync(join(file, '..')).toSorted();
    expect(names).toEqual(['summaries.db', 'summaries.db-shm', 'summaries.db-wal']);
    const modes = names.map((name) => statSync(join(file, '..', name)).mode % 0o1000);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  });

  it('leaves the mode of a file that is there', async () => {
    const file = newPath();
    writeFileSync(file, '');
    chmodSync(file, 0o640);
    await put(openStore(file), 'a', '"value"');
    expect(statSync(file).mode % 0o1000).toBe(0o640);
  });

  it('is one file by each name of it', async () => {
    const file = newPath();
    const store = openStore(file);
    symlinkSync(file, `${file}.symbolic`);
    const other = openStore(`${file}.symbolic`);
    await put(store, 'a', '"value"');
    expect(await other.get('a')).toBe('"value"');
    expect(await add(other, 'a', '"another"')).toBe(false);
  });

  it('opens the file that is there when the former one was removed', async () => {
    const file = newPath();
    await put(openStore(file), 'a', '"value"');
    for (const end of ['', '-wal', '-shm']) rmSync(file + end);
    const store = openStore(file);
    expect(await store.get('a')).toBeUndefined();
    expect(await add(store, 'a', '"new"')).toBe(true);
  });

  it('never lets SQLite wait for a lock, which would block the thread', () => {
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
    openStore(newPath());
    const database = prepare.mock.contexts.find((context) => context instanceof DatabaseSync);
    expect(database?.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 0 });
  });

  describe('that was closed', () => {
    it('rejects, naming its path, and leaves other stores of the file alone', async () => {
      const file = newPath();
      const [store, other] = [openStore(file), openStore(file)];
      await put(store, 'a', '"value"');
      await store.close();
      await store.close();
      const message = `SQLite file ${file}: the store was closed`;
      await expect(store.get('a')).rejects.toThrow(message);
      await expect(put(store, 'a', '"new"')).rejects.toThrow(message);
      await expect(store.delete('a')).rejects.toThrow(message);
      expect(await other.get('a')).toBe('"value"');
    });

    it('ends what waits for a lock', async () => {
      const file = newPath();
      const store = openStore(file);
      const other = await otherProcess('hold-the-lock', file);
      const writing = put(store, 'a', '"value"');
      await store.close();
      await expect(writing).rejects.toThrow('the store was closed');
      await other.goOn();
    });
  });

  describe('whose entries have expired', () => {
    const value = JSON.stringify('x'.repeat(10_000));
    const fill = async (store: SqliteStore, entries: number): Promise<void> => {
      for (let entry = 0; entry < entries; entry += 1)
        await put(store, `expiring ${entry}`, value, { ttlMs: 1000 });
    };

    it('removes them and gives their room back with the writes that follow', async () => {
      vi.useFakeTimers({ toFake: ['Date'] });
      const file = newPath();
      const store = openStore(file);
      await put(store, 'lasting', value, { ttlMs: 60_000 });
      await fill(store, 1000);
      expect(contentOf(file)).toEqual({
        entries: 1001,
        bytes: expect.toSatisfy((size: number) => size > 10_000_000),
      });
      vi.setSystemTime(Date.now() + 1000);
      for (let turn = 0; turn < 250; turn += 1) await put(store, 'new', `${turn}`);
      expect(contentOf(file)).toEqual({
        entries: 2,
        bytes: expect.toSatisfy((size: number) => size < 500_000),
      });
      expect(await store.get('lasting')).toBe(value);
    });

    it('removes no more than four with one write', async () => {
      vi.useFakeTimers({ toFake: ['Date'] });
      const file = newPath();
      const store = openStore(file);
      await fill(store, 50);
      vi.setSystemTime(Date.now() + 1000);
      await put(store, 'new', '"value"');
      expect(contentOf(file).entries).toBe(51 - 4);
    });
  });

  describe('beside other processes', () => {
    it('lets one of four processes that make the file and race for its keys win each', async () => {
      const file = newPath();
      const names = ['first', 'second', 'third', 'fourth'];
      const racers = await Promise.all(names.map((name) => otherProcess('race', file, name)));
      const wins: number[][] = await Promise.all(
        racers.map(async (racer) => JSON.parse(await racer.goOn())),
      );
      const store = openStore(file);
      for (let key = 0; key < 20; key += 1) {
        const ofKey = wins.map((ofProcess) => ofProcess[key] ?? 0);
        expect(ofKey.filter((count) => count !== 0)).toEqual([1]);
        const winner = names[ofKey.indexOf(1)];
        expect(await store.get(`key ${key}`)).toBe(JSON.stringify(`${winner} wrote this`));
      }
    });

    it.each(['before it was opened', 'after it was opened'])(
      'waits for a lock that was taken %s without blocking the thread',
      async (moment) => {
        const file = newPath();
        const patience = { busyTimeoutMs: 120_000 };
        const early = moment.startsWith('after') ? openStore(file, patience) : undefined;
        const holding = await otherProcess('hold-the-lock', file);
        const store = early ?? openStore(file, patience);
        let isSettled = false;
        const writing = add(store, 'a', '"value"').finally(() => {
          isSettled = true;
        });
        await turns(100);
        expect(isSettled).toBe(false);
        await holding.goOn();
        expect(await writing).toBe(true);
        expect(await store.get('a')).toBe('"value"');
      },
    );

    it('rejects, naming its path, when the lock is held for too long', async () => {
      const file = newPath();
      const store = openStore(file, { busyTimeoutMs: 0 });
      await put(store, 'a', '"value"');
      const holding = await otherProcess('hold-the-lock', file);
      const told = `SQLite file ${file}: database is locked, for 0 ms`;
      await expect(put(store, 'a', '"new"')).rejects.toThrow(told);
      await expect(store.delete('a')).rejects.toThrow(told);
      // Who reads is not locked out.
      expect(await store.get('a')).toBe('"value"');
      await holding.goOn();
      expect(await put(store, 'a', '"new"')).toBe(true);
    });

    it('reads whole values of a process that was killed while it wrote', async () => {
      const file = newPath();
      const writer = await otherProcess('write-for-ever', file);
      await writer.kill();
      const store = openStore(file);
      for (let digit = 0; digit < 10; digit += 1)
        expect(await store.get(`key ${digit}`)).toBe(JSON.stringify(`${digit}`.repeat(20_000)));
    });
  });

  describe('that is given something wrong', () => {
    const folder = (): string => temporaryFolder();
    const made = (content: string): string => {
      const file = newPath();
      writeFileSync(file, content);
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
      ['a folder', folder, /this is no file/],
      ['a path in no folder', () => join(folder(), 'none', 'a.db'), /no such file or directory/],
      ['a path in a file', () => join(made(''), 'a.db'), /not a directory/],
      [
        'a text',
        () => made('A text, and no database at all.'.repeat(100)),
        /file is not a database/,
      ],
      ['a short text', () => made('A text.'), /file is not a database/],
      ['a table of another kind', ofAnotherKind, /no (?:such )?column/],
      ['a database in memory', () => ':memory:', /memoryStore/],
      ['a URL', () => 'file:summaries.db', /give the path itself/],
      ['a path with a NUL', () => join(folder(), 'a\0b'), /null bytes/],
    ])('refuses %s', (_, pathOf, reason) => {
      const wrong = pathOf();
      const make = (): unknown => sqliteStore({ path: wrong });
      expect(make).toThrow(SummarizationOptionError);
      expect(make).toThrow(expect.objectContaining({ option: 'path', value: wrong }));
      expect(make).toThrow(reason);
    });

    it.each([
      ['a new file in a folder that may not be written', undefined, 0o555],
      ['a file that may not be written', 0o444, 0o777],
      ['a file in a folder that may not be written', 0o666, 0o555],
    ])('refuses %s', async (_, fileMode, folderMode) => {
      const place = folder();
      const file = join(place, 'a.db');
      if (fileMode !== undefined) {
        await openStore(file).close();
        chmodSync(file, fileMode);
      }
      chmodSync(place, folderMode);
      const refusal = await (await otherProcess('be-nobody', file)).goOn();
      chmodSync(place, 0o755);
      expect(refusal).toMatch(
        /option path: .*(?:permission denied|readonly database|unable to open)/,
      );
    });

    it.each<[unknown, string, RegExp]>([
      [undefined, 'input', /an object with path/],
      ['summaries.db', 'input', /an object with path/],
      [{}, 'path', /a string that is not empty/],
      [{ path: '' }, 'path', /a string that is not empty/],
      [{ path: 7 }, 'path', /a string/],
      [{ path: 'a.db', busyTimeoutMs: -1 }, 'busyTimeoutMs', /an integer of at least 0/],
      [{ path: 'a.db', timeout: 5 }, 'timeout', /path, busyTimeoutMs/],
    ])('refuses %j', (wrong, option, allowed) => {
      const make = (): unknown => sqliteStore(untyped(wrong));
      expect(make).toThrow(SummarizationOptionError);
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
});
