import type { DatabaseSync } from 'node:sqlite';
import type { SummaryStoreSetOptions } from '../summary-store.ts';
import { busyFault } from './sqlite-faults.ts';
import { sweeper } from './sweeper.ts';

/** Entries of a database. Each operation throws at once while another process holds the lock. */
export interface SqliteEntries {
  readonly read: (key: string) => string | undefined;
  readonly write: (key: string, value: string, options: SummaryStoreSetOptions) => boolean;
  readonly remove: (key: string) => void;
  /** Takes what was deleted and overwritten out of the journal, where it stands in clear. Waits for the disk. */
  readonly scrub: () => void;
}

/** Makes the table where there is none, and the statements. */
export function sqliteEntries(database: DatabaseSync): SqliteEntries {
  for (const setting of settings) database.exec(setting);
  database.exec(schema);
  const select = database.prepare(
    'SELECT value FROM summarization_entries WHERE key = ? AND expires_at > ?',
  );
  // One statement decides and writes: nobody can come in between.
  const upsert = database.prepare(
    `INSERT INTO summarization_entries (key, value, expires_at) VALUES (?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
    WHERE ? OR summarization_entries.expires_at <= ?`,
  );
  const remove = database.prepare('DELETE FROM summarization_entries WHERE key = ?');
  const emptyJournal = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  const sweep = sweeper(database);

  return {
    read: (key) => {
      const value = select.get(key, Date.now())?.['value'];
      return typeof value === 'string' ? value : undefined;
    },
    write: (key, value, { ifAbsent = false, ttlMs = Number.POSITIVE_INFINITY }) => {
      const now = Date.now();
      const expiresAt = Math.min(Math.ceil(now + ttlMs), Number.MAX_SAFE_INTEGER);
      const { changes } = upsert.run(key, value, expiresAt, ifAbsent ? 0 : 1, now);
      sweep(now);
      return Number(changes) > 0;
    },
    remove: (key) => {
      remove.run(key);
    },
    scrub: () => {
      // Others that read or write at this moment keep it from being emptied.
      if (emptyJournal.get()?.['busy'] !== 0) throw busyFault();
    },
  };
}

const settings = [
  // First: the first write to a new file fixes it. A file that cannot be written shows here.
  'PRAGMA auto_vacuum = INCREMENTAL',
  // Readers and a writer do not lock each other out.
  'PRAGMA journal_mode = WAL',
  // A power failure may undo the last writes; it damages nothing. Waiting for the disk would block the thread.
  'PRAGMA synchronous = NORMAL',
  // What was erased is overwritten, when the journal is brought into the file.
  'PRAGMA secure_delete = ON',
  'PRAGMA journal_size_limit = 4194304',
];

const schema = `
  CREATE TABLE IF NOT EXISTS summarization_entries (
    key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS summarization_entries_by_expiry ON summarization_entries (expires_at);
`;
