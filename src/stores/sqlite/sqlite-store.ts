import { checkInput, checkObject, checkTexts } from '../../checks/check-object.ts';
import { anyString, integer } from '../../checks/option-rule.ts';
import type { SummaryStore } from '../summary-store.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import { shareConnection } from './share-connection.ts';
import { isBusy } from './sqlite-faults.ts';
import type { SqliteEntries } from './sqlite-entries.ts';
import { messageOf } from '../../util/message-of.ts';

/** Options of {@link sqliteStore}. */
export interface SqliteStoreOptions {
  /**
   * Path of a database file of its own, on a disk of this machine. Where there is none it is made, for this
   * user alone to read and write; its folder has to be there. Two files with `-wal` and `-shm` at the end of
   * their names stand beside it while it is in use.
   */
  readonly path: string;
  /**
   * Milliseconds for which an operation is tried again while another process holds the lock of the file.
   * The thread is never blocked meanwhile. Minimum: 0.
   * @default 5000
   */
  readonly busyTimeoutMs?: number | undefined;
}

/** A {@link SummaryStore} in a database file. */
export interface SqliteStore extends SummaryStore {
  /** Lets go of the file. What is asked of the store afterwards rejects; closing it again is no error. */
  readonly close: () => Promise<void>;
}

/**
 * Keeps summaries in an SQLite file, through Node's own `node:sqlite`: for one machine and any number of its
 * processes. State outlives the process, `ifAbsent` lets one writer win over all processes, entries whose
 * time has passed are removed, and their room given back, by the writes that follow. All stores of one path in
 * a process share a connection.
 *
 * Operations reject with an `Error` naming the path when the file stays locked, is damaged or its disk is full.
 *
 * @example
 * summarizationMiddleware({ store: sqliteStore({ path: 'summaries.db' }), secret: process.env.SUMMARY_SECRET });
 *
 * @throws {SummarizationOptionError} when an option is wrong, or the path is that of a folder, of a file that
 * is no database, or of one that cannot be made or written.
 * @throws {Error} when the runtime has no `node:sqlite`. Node.js has it from 22.13 on, and warns there once
 * that it is experimental; 24 does not.
 */
export function sqliteStore(options: SqliteStoreOptions): SqliteStore {
  checkInput(options, 'path');
  checkObject(options, { path: anyString, busyTimeoutMs: integer(0) }, '');
  const { path, busyTimeoutMs = 5000 } = options;
  checkTexts({ path }, 'a string that is not empty');
  const connection = shareConnection(path);
  let isClosed = false;

  const run = async <T>(operation: (entries: SqliteEntries) => T): Promise<T> => {
    try {
      return await retryWhileBusy(busyTimeoutMs, () => {
        if (isClosed) throw new Error('the store was closed');
        return operation(connection.entries());
      });
    } catch (cause) {
      const since = isBusy(cause) ? `, for ${busyTimeoutMs} ms` : '';
      throw new Error(`SQLite file ${path}: ${messageOf(cause)}${since}`, { cause });
    }
  };

  return {
    get: (key) => run((entries) => entries.read(key)),
    set: (key, value, setOptions = {}) => run((entries) => entries.write(key, value, setOptions)),
    delete: (key) => run((entries) => entries.remove(key)),
    scrub: () => run((entries) => entries.scrub()),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      connection.release();
    },
  };
}
