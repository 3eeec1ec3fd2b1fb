import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { buildRecord } from '../../src/record/build-record.ts';
import { emptyContent } from '../../src/record/empty-content.ts';
import { processCopyOf } from '../../src/state/lookup/process-copy.ts';
import type { KnownSummary } from '../../src/state/lookup/known-summary.ts';
import { storeKeys, type StoreKeys } from '../../src/stores/seal/store-keys.ts';
import { builtRoot } from '../built-package.ts';
import { conversation } from './conversation.ts';
import { localProcess } from './local-process.ts';

/** Megabytes of heap that a process keeps of the summaries of so many conversations, 2,000 characters each. */
export async function copyMegabytes(conversations: number): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const heap = (): number => {
    if (typeof collect === 'function') collect();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const store = { ...builtRoot.memoryStore() };
  const keys = storeKeys('a secret of the benchmark', '');
  const copy = processCopyOf(store);
  const before = heap();
  for (let number = 0; number < conversations; number += 1) {
    const home = await keys.key('home', `${number}`);
    copy.askedAt.set(home, number);
    copy.keep(home, known(keys, home, number));
  }
  const megabytes = heap() - before;
  // Read once more, so that nothing of it can have been collected before.
  copy.get('', '');
  return megabytes;
}

function known(keys: StoreKeys, key: string, number: number): KnownSummary {
  const record = buildRecord(
    {
      key,
      depth: 0,
      coveredMessages: 11,
      messageIds: Array.from({ length: 11 }, (_, index) => `${number} ${index}`.padStart(32, '0')),
      prefixDigest: `${number}`.padStart(64, '0'),
      strategy: 'local',
      degraded: false,
      inputTokens: 600,
    },
    emptyContent(`${number} `.padEnd(2000, 'They spoke of rivers. ')),
    400,
  );
  const lastSummarization = { depth: 0, messageCount: 19, tokenRatio: 0.4 };
  const summary = { record, lastSummarization };
  // As many lists as a look-up asks for, of which none was erased.
  const lists = Array.from({ length: 10 }, (_, list) => `${key.slice(0, -1)}${list}`);
  const erasures = new Map(lists.map((list) => [list, undefined]));
  return { summary, key, keys, expiresAt: Number.POSITIVE_INFINITY, erasures };
}

/** What tenants of one conversation pay a second time after a greedy one had so many, in a small store. */
export async function greedyTenant(
  conversations: number,
): Promise<{ readonly tenants: number; readonly paidAgain: number; readonly greedyPaid: number }> {
  const tenants = 50;
  const store = builtRoot.memoryStore({ maxBytes: 2_000_000 });
  const first = localProcess(store);
  const sendAll = async (): Promise<void> => {
    for (let tenant = 0; tenant < tenants; tenant += 1)
      await first.send(conversation(tenant), { namespace: `tenant ${tenant}` });
  };
  await sendAll();
  for (let number = 0; number < conversations; number += 1)
    await first.send(conversation(number), { namespace: 'greedy' });
  const greedyPaid = first.bills() - tenants;
  await sendAll();
  return { tenants, greedyPaid, paidAgain: first.bills() - tenants - greedyPaid };
}
