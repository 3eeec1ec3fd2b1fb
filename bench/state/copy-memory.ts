import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { SummaryStore } from '../../src/index.ts';
import { conversation } from './conversation.ts';
import { localProcess } from './local-process.ts';

/** Megabytes of heap that a process keeps after so many conversations, with summaries of 2,000 characters. */
export async function copyMegabytes(
  counts: readonly number[],
): Promise<readonly { readonly conversations: number; readonly megabytes: number }[]> {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const heap = (): number => {
    if (typeof collect === 'function') collect();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const summary = ''.padEnd(2000, 'They spoke of rivers. ');
  const { send } = localProcess(forgetful(), { summary });
  await send(conversation(0));
  const before = heap();
  const rows: { readonly conversations: number; readonly megabytes: number }[] = [];
  let served = 0;
  for (const conversations of counts) {
    for (; served < conversations; served += 1) await send(conversation(served));
    rows.push({ conversations, megabytes: heap() - before });
  }
  // Once more, so that nothing of it can have been collected before.
  await send(conversation(0));
  return rows;
}

/** A store on a server, which takes no memory of this process. */
function forgetful(): SummaryStore {
  return {
    get: async () => undefined,
    compareAndSet: async () => true,
    delete: async () => {},
  };
}
