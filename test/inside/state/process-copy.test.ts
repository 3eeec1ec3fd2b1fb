import { expect, it } from 'vitest';
import { emptyContent } from '../../support/empty-content.ts';
import { buildRecord } from '../../../src/record/build-record.ts';
import { processCopyOf } from '../../../src/state/lookup/process-copy.ts';
import type { KnownSummary } from '../../../src/state/lookup/known-summary.ts';
import { storeKeys } from '../../../src/stores/seal/store-keys.ts';
import { sharedStore } from '../../support/shared-store.ts';

const keys = storeKeys('a secret of the tests', '');

/** A summary of few words, of which more is known than it says. */
function known(number: number): KnownSummary {
  const key = String(number).padStart(64, '0');
  const fields = { key, depth: 0, coveredMessages: 2, messageIds: ['a', 'b'], prefixDigest: key };
  const record = buildRecord(
    { ...fields, strategy: 'local', degraded: false, inputTokens: 60 },
    emptyContent('They spoke.'),
    40,
  );
  const lastSummarization = { depth: 0, messageCount: 3, tokenRatio: 0.4 };
  const lists = Array.from({ length: 10 }, (_, list) => `${list}${key}`);
  const erasures = new Map(lists.map((list, index) => [`${list}${index}`, undefined]));
  const winner = {
    record: { ...record, summary: 'They spoke first. '.repeat(50) },
    lastSummarization,
  };
  return {
    summary: { record, lastSummarization },
    key,
    keys,
    expiresAt: Infinity,
    erasures,
    winner,
  };
}

it('what a process knows of a store is bounded with all that it holds of each summary', () => {
  const copy = processCopyOf(sharedStore().open());
  const count = 20_000;
  for (let number = 0; number < count; number += 1) copy.keep('home', known(number));
  const left = copy.digests('home').length;
  const { winner, erasures } = known(0);
  const least = JSON.stringify([winner, ...erasures.keys()]).length;
  expect(left * 2 * least).toBeLessThan(24 * 1024 * 1024);
  expect(left).toBeGreaterThan(1000);
});

it('what two say they write is being written until the second of them ends', () => {
  const copy = processCopyOf(sharedStore().open());
  const ends = [copy.begin('home', 'digest', 4), copy.begin('home', 'digest', 4)];
  ends[0]?.();
  expect([...copy.writing('home').keys()]).toEqual(['digest']);
  ends[1]?.();
  expect([...copy.writing('home').keys()]).toEqual([]);
});
