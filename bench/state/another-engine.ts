import { put } from '../../test/support/put.ts';
import { createStorage } from 'unstorage';
import type { SummaryStore } from '../../src/index.ts';
import { builtRoot } from '../built-package.ts';
import { unstorageStore } from './built-stores.ts';
import { conversation } from './conversation.ts';
import { openStore, type Engine } from './engines.ts';
import { localProcess } from './local-process.ts';

/** What a history over an engine is sent as, and what becomes of it over the next engine. */
export interface EngineRow {
  readonly engine: string;
  /** Whether the bytes that reach the model are those over a store in memory, when the summariser says the same. */
  readonly isAlike: boolean;
  /** The engine that was given the values that this one holds of another history. */
  readonly givenTo: string;
  /** What a process that begins there pays. */
  readonly paid: number;
  /** Whether it sends the same bytes. */
  readonly isSame: boolean;
}

interface OpenEngine {
  readonly name: string;
  readonly store: SummaryStore;
  readonly close: () => Promise<void>;
}

/** The same history over engine after engine: each anew, and given what the one before holds. */
export async function anotherEngine(engines: readonly Engine[]): Promise<readonly EngineRow[]> {
  const open: readonly OpenEngine[] = [
    inProcess('memory', builtRoot.memoryStore()),
    ...engines.map(({ place }) => ({ name: place.engine, ...openStore(place) })),
    inProcess('unstorage', unstorageStore(createStorage())),
  ];
  const rows: EngineRow[] = [];
  let overMemory: string | undefined;
  for (const [index, { name, store }] of open.entries()) {
    const { store: watched } = watch(store);
    const words = localProcess(watched, { summary: 'They spoke of rivers.' });
    const sent = await words.send(conversation(2000));
    overMemory ??= sent;

    const { store: giver, keys } = watch(store);
    const history = conversation(2001 + index);
    const given = await localProcess(giver).send(history);
    const next = open[(index + 1) % open.length];
    if (next === undefined) break;
    for (const key of keys) {
      const value = await store.get(key);
      if (typeof value === 'string') await put(next.store, key, value);
    }
    const process = localProcess(watch(next.store).store);
    const isSame = (await process.send(history)) === given;
    const paid = process.bills();
    rows.push({ engine: name, isAlike: sent === overMemory, givenTo: next.name, paid, isSame });
  }
  await Promise.all(open.map(async ({ close }) => close()));
  return rows;
}

function inProcess(name: string, store: SummaryStore): OpenEngine {
  return { name, store, close: async () => {} };
}

/** A store as a process sees it that has just begun, and the keys it writes. */
function watch({ get, compareAndSet, delete: remove }: SummaryStore): {
  readonly store: SummaryStore;
  readonly keys: ReadonlySet<string>;
} {
  const keys = new Set<string>();
  return {
    keys,
    store: {
      get,
      compareAndSet: async (key, entry) => {
        keys.add(key);
        return compareAndSet(key, entry);
      },
      delete: remove,
    },
  };
}
