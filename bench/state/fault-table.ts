import type { SummaryStore } from '../../src/index.ts';
import { conversation } from './conversation.ts';
import { localProcess } from './local-process.ts';

/** What a store does with one kind of fault. */
interface FaultRow {
  readonly fault: string;
  /** Summaries that a warm process paid for 20 requests, and a cold one for as many. */
  readonly warm: number;
  readonly cold: number;
  /** Different prompts that the warm process sent. */
  readonly prompts: number;
}

const fail = async (): Promise<never> => Promise.reject(new Error('ECONNRESET'));
const hang = async (): Promise<never> => new Promise(() => {});

async function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function slow({ get, compareAndSet }: SummaryStore, ms: number): Partial<SummaryStore> {
  return {
    get: async (key) => pause(ms).then(() => get(key)),
    compareAndSet: async (...given) => pause(ms).then(() => compareAndSet(...given)),
  };
}

/** Key of a value that somebody else has sealed. */
const unreadable = '0'.repeat(64);

const faults: Readonly<Record<string, (plain: SummaryStore) => Partial<SummaryStore>>> = {
  none: () => ({}),
  'get throws': () => ({ get: fail }),
  'set throws': () => ({ compareAndSet: fail }),
  'get hangs': () => ({ get: hang }),
  'set hangs': () => ({ compareAndSet: hang }),
  'takes 300 ms': (plain) => slow(plain, 300),
  'takes 5 s': (plain) => slow(plain, 5000),
  'lost writes': () => ({ compareAndSet: async () => true }),
  'read-only': () => ({ compareAndSet: async () => false }),
  corrupt: ({ get }) => ({ get: async (key) => (await get(key))?.replace(/.$/, '!') }),
  foreign: ({ get }) => ({ get: async () => get(unreadable) }),
  'old format': () => ({ get: async () => '[{"count":6,"length":1,"digest":"x"}]' }),
  null: () => ({ get: async () => null }),
  'event-loop stall': ({ get }) => ({
    get: async (key) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      return get(key);
    },
  }),
};

/** A store that is shared, over what another one holds. */
function storeOver(entries: Map<string, string>): SummaryStore {
  return {
    get: async (key) => entries.get(key),
    compareAndSet: async (key, entry) => {
      if (entry.expected === undefined && entries.has(key)) return false;
      entries.set(key, entry.value);
      return true;
    },
    delete: async (key) => {
      entries.delete(key);
    },
  };
}

/** Serves 20 requests over each faulty store, all kinds of faults at once. */
export async function faultTable(): Promise<readonly FaultRow[]> {
  return Promise.all(
    Object.entries(faults).map(async ([fault, change], number): Promise<FaultRow> => {
      const entries = new Map([[unreadable, `sealed3:${'0'.repeat(64)}:plain:9e15:e30=`]]);
      const plain = storeOver(entries);
      const warm = localProcess({ ...plain, ...change(plain) });
      const prompts = new Set<string>();
      for (let request = 0; request < 20; request += 1)
        prompts.add(await warm.send(conversation(number)));
      // A process that begins, where a healthy one has paid.
      const fresh = storeOver(new Map([[unreadable, entries.get(unreadable) ?? '']]));
      await localProcess({ ...fresh }).send(conversation(number));
      const cold = localProcess({ ...fresh, ...change(fresh) });
      for (let request = 0; request < 20; request += 1) await cold.send(conversation(number));
      return { fault, warm: warm.bills(), cold: cold.bills(), prompts: prompts.size };
    }),
  );
}
