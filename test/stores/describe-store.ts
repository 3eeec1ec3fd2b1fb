import { beforeAll, describe, expect, it } from 'vitest';
import type { SummaryStore } from '../../src/index.ts';
import { storeChecks, type StoreChecksOptions } from '../../src/entries/testing/index.ts';

/** Describes what every store has to do, as two clients of one engine see it. */
export function describeStore(
  name: string,
  open: () => Promise<readonly [one: SummaryStore, other: SummaryStore]>,
  options: Omit<StoreChecksOptions, 'makeOther'> = {},
): void {
  describe(`a store: ${name}`, () => {
    let clients: readonly [SummaryStore, SummaryStore] | undefined;
    beforeAll(async () => {
      clients = await open();
    });
    const client = (index: 0 | 1): SummaryStore => {
      if (clients === undefined) throw new Error('The store has not been opened.');
      return clients[index];
    };
    const checks = storeChecks(() => client(0), { ...options, makeOther: () => client(1) });
    it.each(checks)('$name', async ({ run }) => {
      await expect(run()).resolves.toBeUndefined();
    });
  });
}
