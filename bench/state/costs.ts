import { setTimeout as delay } from 'node:timers/promises';
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { SummaryStore } from '../../src/index.ts';
import { builtRoot } from '../built-package.ts';
import { localProcess } from './local-process.ts';

/** Milliseconds that the store takes for an operation. */
const operationMs = 20;

/** What a call asks of its store. */
interface Cost {
  /** Those of them that began while no other one was under way: what is waited for, one after another. */
  waits: number;
  /** Operations that were answered before it ended. */
  calls: number;
  /** Characters that it was sent and answered, of which each is a byte. */
  bytes: number;
}

/** What a call of a conversation costs, by what its process knows. */
export interface CostRow {
  readonly messages: number;
  /** `goes on` pays for another summary of a conversation that has one. */
  readonly call: 'pays' | 'warm' | 'cold' | 'goes on';
  readonly cost: Readonly<Cost>;
}

/** Measures the calls of conversations of so many messages, over a store that takes its time. */
export async function costRows(messages: number): Promise<readonly CostRow[]> {
  const inMemory = builtRoot.memoryStore({ maxBytes: 1024 ** 3 });
  const rows: CostRow[] = [];
  const opened = (): { store: SummaryStore; cost: Cost } => slowly(inMemory);
  const first = opened();
  // A summary is due when the conversation comes to its trigger, however long it is.
  const contextLength = Math.round(62 * messages);
  const options = { contextLength, maxWaitMs: 60_000 };
  const process = localProcess(first.store, options);
  const measure = async (
    call: CostRow['call'],
    { cost }: { cost: Cost },
    send: () => Promise<unknown>,
  ): Promise<void> => {
    Object.assign(cost, { waits: 0, calls: 0, bytes: 0 });
    await send();
    rows.push({ messages, call, cost: { ...cost } });
    // What goes on behind the call.
    await delay(20 * operationMs);
  };
  const own = `chat of ${messages}`;
  const history = conversation(messages);
  await measure('pays', first, () => process.send(history, own));
  await measure('warm', first, () => process.send(history, own));
  const second = opened();
  const other = localProcess(second.store, options);
  await measure('cold', second, () => other.send(history, own));
  const longer = conversation(2 * messages + 1);
  await measure('goes on', second, () => other.send(longer, own));
  if (process.bills() !== 1 || other.bills() !== 1)
    throw new Error(`Paid ${process.bills()} and ${other.bills()} times.`);
  return rows;
}

const vocabulary =
  'river stone cloud market engine paper garden winter signal bridge candle forest mirror pocket silver'.split(
    ' ',
  );

/** So many messages, on fresh objects. */
function conversation(length: number): LanguageModelV4Prompt {
  return Array.from({ length }, (_, index) => {
    const words = Array.from(
      { length: 40 },
      (_word, at) => vocabulary[(index * 7 + at * 4) % vocabulary.length],
    );
    const text = `Message ${index} of number 0: ${words.join(' ')}`;
    const content = [{ type: 'text' as const, text }];
    return index % 2 === 0 ? { role: 'user', content } : { role: 'assistant', content };
  });
}

/** A store as a process sees it that is far from it, and what it was asked. */
function slowly(store: SummaryStore): { readonly store: SummaryStore; readonly cost: Cost } {
  const cost: Cost = { waits: 0, calls: 0, bytes: 0 };
  let underWay = 0;
  const operation = async <Result>(bytes: number, work: () => Promise<Result>): Promise<Result> => {
    const isAlone = underWay === 0;
    underWay += 1;
    await delay(operationMs);
    const result = await work();
    underWay -= 1;
    if (isAlone) cost.waits += 1;
    cost.calls += 1;
    cost.bytes += bytes + (typeof result === 'string' ? result.length : 0);
    return result;
  };
  return {
    cost,
    store: {
      get: async (key) => operation(key.length, async () => store.get(key)),
      compareAndSet: async (key, entry) => {
        const { expected = '', value } = entry;
        const bytes = key.length + expected.length + value.length;
        return operation(bytes, async () => store.compareAndSet(key, entry));
      },
      delete: async (key) => operation(key.length, async () => store.delete(key)),
    },
  };
}
