import type * as sqlite from 'node:sqlite';

export type SqliteModule = typeof sqlite;

/**
 * Node's own SQLite. Looked up when a store is made instead of imported: so this entry loads where there is none,
 * bundlers need not know the module, and no warning of it is printed where no store is made.
 *
 * @throws {Error} when the runtime has none.
 */
export function sqliteModule(): SqliteModule {
  const found = globalThis.process?.getBuiltinModule?.('node:sqlite');
  if (found !== undefined) return found;
  const runtime = globalThis.process?.version ?? 'no Node.js';
  throw new Error(`sqliteStore needs node:sqlite, of Node.js 22.13 or later; this is ${runtime}.`);
}
