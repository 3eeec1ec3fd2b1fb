import type { DatabaseSync } from 'node:sqlite';

/** Most entries that one write removes, and bytes after which it removes no further one. */
const maxSweptEntries = 32;
const maxBytes = 256 * 1024;

/** Pages of 4 KiB that stay free for what comes next, and most that one write gives back. */
const keptPages = 64;
const maxPages = 128;

/**
 * Removes some entries whose time has passed, and gives some of their room back: more than a write brings, less
 * than takes a noticeable time. Never throws: the write it follows stands, and the next one tries again.
 */
export function sweeper(database: DatabaseSync): (now: number) => void {
  const selectExpired = database.prepare(
    'SELECT 1 FROM summarization_entries WHERE expires_at <= ? LIMIT 1',
  );
  const removeExpired = database.prepare(`
    WITH expired AS (
      SELECT rowid AS id, octet_length(value) AS bytes, expires_at FROM summarization_entries
      WHERE expires_at <= ? ORDER BY expires_at LIMIT ${maxSweptEntries}
    ), summed AS (
      SELECT id, bytes, sum(bytes) OVER (ORDER BY expires_at, id) AS total FROM expired
    )
    DELETE FROM summarization_entries
    WHERE rowid IN (SELECT id FROM summed WHERE total - bytes < ${maxBytes})`);
  const countFree = database.prepare('PRAGMA freelist_count');
  const giveBack = `PRAGMA incremental_vacuum(${maxPages})`;

  return (now) => {
    try {
      // Looked at first: removing nothing would take the lock all the same.
      if (selectExpired.get(now) !== undefined) removeExpired.run(now);
      if (Number(countFree.get()?.['freelist_count']) > keptPages) database.exec(giveBack);
    } catch {}
  };
}
