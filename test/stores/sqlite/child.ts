import { add, put } from '../../support/put.ts';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { sqliteStore } from '../../../src/stores/sqlite-store.ts';

// A process of its own for tests of several. It says when it is ready, and goes on when it is told something.
const [job = '', path = '', argument = ''] = process.argv.slice(2);

async function told(): Promise<void> {
  process.stdout.write('ready\n');
  await once(process.stdin, 'data');
}

const jobs: Readonly<Record<string, () => Promise<void>>> = {
  /** Holds the lock that keeps others from writing, and those of a new file from reading as well. */
  'hold-the-lock': async () => {
    const database = new DatabaseSync(path);
    database.exec('BEGIN EXCLUSIVE');
    await told();
    database.exec('COMMIT');
    database.close();
  },

  /** Wants the same 20 keys as others do, 25 times each; prints how often it won each. */
  race: async () => {
    await told();
    const store = sqliteStore({ path, busyTimeoutMs: 120_000 });
    const wins = await Promise.all(
      Array.from({ length: 20 }, async (_, key) => {
        const value = JSON.stringify(`${argument} wrote this`);
        const written = await Promise.all(
          Array.from({ length: 25 }, () => add(store, `key ${key}`, value)),
        );
        return written.filter(Boolean).length;
      }),
    );
    await store.close();
    process.stdout.write(`${JSON.stringify(wins)}\n`);
  },

  /** Writes until it is killed. */
  'write-for-ever': async () => {
    const store = sqliteStore({ path });
    for (let turn = 0; ; turn += 1) {
      const digit = String(turn % 10);
      await put(store, `key ${digit}`, JSON.stringify(digit.repeat(20_000)), { ttlMs: 60_000 });
      if (turn === 20) process.stdout.write('ready\n');
    }
  },

  /** Is told of a path as one who may not write to it. */
  'be-nobody': async () => {
    if (process.getuid?.() === 0) process.setuid?.(65_534);
    try {
      sqliteStore({ path });
    } catch (error) {
      process.stdout.write(`${String(error)}\n`);
    }
  },
};

await jobs[job]?.();
process.exit();
