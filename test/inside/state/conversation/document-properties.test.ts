import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  emptyDocument,
  markErased,
  localBounds,
  addSummary,
  storedBounds,
  trimDocument,
  mergeDocuments,
  markUndone,
  type ConversationDocument,
  type WholeRecord,
} from '../../../../src/state/conversation/document.ts';
import { leastPropertyCases, propertyFactor } from '../../../support/property-cases.ts';
import { digestsOf, kept, month } from './document-fixtures.ts';

const numRuns = leastPropertyCases * propertyFactor;
const digests = ['a', 'b', 'c', 'd', 'e'];

/** Who wrote the records of a document, by their digests. */
function tokensOf({ records }: ConversationDocument): ReadonlyMap<string, string> {
  return new Map(records.map(({ record, token }) => [record.prefixDigest, token]));
}

/** What one process does to a document that it shares with others. */
type Step =
  | { readonly kind: 'begin'; readonly digest: string; readonly parent: string | undefined }
  | { readonly kind: 'save' | 'look' | 'undo' | 'erase' };

const step: fc.Arbitrary<readonly [process: number, step: Step]> = fc.tuple(
  fc.nat(2),
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('begin' as const),
        digest: fc.constantFrom(...digests),
        parent: fc.option(fc.constantFrom(...digests), { nil: undefined }),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constantFrom('save' as const, 'look' as const, 'look' as const, 'undo' as const),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'erase' as const }) },
  ),
);

/** Processes with a copy each, which race for one document; what it is after each of their steps. */
function race(steps: readonly (readonly [number, Step])[]): {
  readonly stored: ConversationDocument;
  /** Who wrote what was kept first, by digest; none of what was undone or erased since. */
  readonly expected: ReadonlyMap<string, string>;
} {
  let stored = emptyDocument;
  const copies = [emptyDocument, emptyDocument, emptyDocument];
  const begun: (WholeRecord | undefined)[] = [undefined, undefined, undefined];
  const since: string[] = [];
  const expected = new Map<string, string>();
  for (const [index, [process, each]] of steps.entries()) {
    const now = index + 1;
    const mine = copies[process] ?? emptyDocument;
    const bring = (known = mine): void => {
      stored = trimDocument(mergeDocuments(stored, known), now, storedBounds);
      copies[process] = trimDocument(mergeDocuments(stored, mine), now, localBounds);
    };
    if (each.kind === 'begin') {
      since[process] = mine.epoch;
      const { digest, parent } = each;
      const own = parent === digest ? {} : { parentDigest: parent };
      begun[process] = kept(digest, { token: `${now}`, begunAt: now, ...own });
    }
    if (each.kind === 'look') bring();
    if (each.kind === 'save' && begun[process] !== undefined) {
      const made = begun[process];
      bring(mine.epoch === since[process] ? addSummary(mine, made) : mine);
      const digest = made.record.prefixDigest;
      if (tokensOf(stored).get(digest) === made.token && !expected.has(digest))
        expected.set(digest, made.token);
      begun[process] = undefined;
    }
    if (each.kind === 'undo') {
      const newest = stored.records.at(-1);
      if (newest === undefined) continue;
      const undo = (document: ConversationDocument): ConversationDocument =>
        markUndone(document, newest, { now, until: now + month });
      stored = undo(mergeDocuments(stored, mine));
      stored = mergeDocuments(stored, stored);
      copies[process] = mergeDocuments(stored, mine);
      expected.delete(newest.record.prefixDigest);
      // With it what continues it goes, which only the process that undid it had not heard of.
      for (const digest of expected.keys())
        if (!digestsOf(stored).includes(digest)) expected.delete(digest);
    }
    if (each.kind === 'erase') {
      const epoch = String(now).padStart(8, '0');
      stored = markErased(mergeDocuments(stored, mine), [], epoch, () => true).document;
      copies[process] = mergeDocuments(stored, mine);
      expected.clear();
    }
  }
  return { stored, expected };
}

const races = fc.array(step, { minLength: 5, maxLength: 60 });

it('processes that race lose nothing, keep what was first, and bring back nothing that was undone or erased', () => {
  let held = 0;
  fc.assert(
    fc.property(races, (steps) => {
      const { stored, expected } = race(steps);
      expect(tokensOf(stored)).toEqual(expected);
      expect(stored.records).toHaveLength(expected.size);
      held += expected.size;
    }),
    { numRuns: 10 * numRuns },
  );
  expect(held).toBeGreaterThan(numRuns);
});
