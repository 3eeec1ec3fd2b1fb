import { beforeAll, describe, expect, it } from 'vitest';
import type { SummaryStore } from '../../src/index.ts';
import { storeChecks, type StoreChecksOptions } from '../../src/testing/index.ts';
import { honestInOutage, type ServerHooks } from '../support/outage-check.ts';
import { put } from '../support/put.ts';

/** Strings, without what UTF-8 or a database has no code for, that a database, its client or a store may give back as something else. */
const confusingTexts: readonly string[] = [
  '',
  '123',
  '-0',
  '1e400',
  '12345678901234567890',
  'true',
  'null',
  '"quoted"',
  '{"a":1}',
  '[1,[2]]',
  'OK',
  'T0s=',
  '~text',
  '!"text"',
  '😀 ελληνικά',
  '\\u0000',
  "'; DROP TABLE summaries; --",
];

/** Describes what every store has to do, as two clients of one engine see it. */
export function describeStore(
  name: string,
  open: () => Promise<readonly [one: SummaryStore, other: SummaryStore]>,
  {
    server,
    ...options
  }: Omit<StoreChecksOptions, 'makeOther'> & { readonly server?: ServerHooks } = {},
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

    it.skipIf(server === undefined)(
      'does not pass an outage off as an absent value, and answers again after it',
      async () => {
        if (server === undefined) return;
        await expect(honestInOutage(client(0), server)).resolves.toBeUndefined();
      },
    );

    it('gives back every string as the string that it was', async () => {
      for (const [index, text] of confusingTexts.entries()) {
        await put(client(0), `text ${index}`, text);
        expect(await client(1).get(`text ${index}`)).toBe(text);
      }
    });
  });
}
