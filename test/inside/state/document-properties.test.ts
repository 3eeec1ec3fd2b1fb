import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8Length } from '../../../src/util/strings.ts';
import {
  emptyDocument,
  erased,
  isErasedSince,
  localBounds,
  saved,
  storedBounds,
  tidied,
  union,
  withUndone,
  type ConversationDocument,
  type Undone,
} from '../../../src/state/document.ts';
import { leastPropertyCases, propertyFactor } from '../../support/property-cases.ts';
import { digestsOf, documentOf, hour, kept, month, terms, undone } from './document-fixtures.ts';

const numRuns = leastPropertyCases * propertyFactor;
const digests = ['a', 'b', 'c', 'd', 'e'];

/** Any document that changes can have made: of a digest, there is a record or where it was undone. */
const documents: fc.Arbitrary<ConversationDocument> = fc
  .record({
    epoch: fc.constantFrom('', '1', '2'),
    records: fc.uniqueArray(
      fc.record({
        digest: fc.constantFrom(...digests),
        token: fc.constantFrom('one', 'two'),
        keptAt: fc.integer({ min: 3, max: 300 }),
        child: fc.option(fc.constantFrom(...digests), { nil: undefined }),
        prepared: fc.constantFrom(true as const, undefined),
      }),
      { selector: ({ digest }) => digest },
    ),
    undone: fc.uniqueArray(
      fc.record({ digest: fc.constantFrom(...digests), at: fc.integer({ min: 1, max: 300 }) }),
      { selector: ({ digest }) => digest },
    ),
  })
  .map(({ epoch, records, undone: all }) => {
    const held = new Set(records.map(({ digest }) => digest));
    const gone = all.filter(({ digest }) => !held.has(digest));
    const isGone = (child = ''): boolean => gone.some(({ digest }) => digest === child);
    return documentOf({
      epoch,
      records: records
        .map(({ digest, child, ...more }) =>
          kept(digest, { ...more, child: isGone(child) ? undefined : child }),
        )
        .toSorted((one, other) => one.keptAt - other.keptAt),
      undone: gone
        .map(({ digest, at }) => undone(digest, at))
        .toSorted((one, other) => one.at - other.at),
    });
  });

/** Who wrote the records of a document, by their digests. */
function tokensOf({ records }: ConversationDocument): ReadonlyMap<string, string> {
  return new Map(records.map(({ record, token }) => [record.prefixDigest, token]));
}

describe('union', () => {
  it('with what it has brought together already adds nothing', () => {
    fc.assert(
      fc.property(documents, documents, (one, other) => {
        expect(union(one, one)).toEqual(one);
        const both = union(one, other);
        expect(union(both, other)).toEqual(both);
        expect(union(both, both)).toEqual(both);
      }),
      { numRuns },
    );
  });

  it('of two epochs is the later one as it is, unless the store has lost it', () => {
    fc.assert(
      fc.property(documents, documents, (stored, mine) => {
        const whole = union(stored, mine);
        const later = stored.epoch > mine.epoch ? stored : mine;
        expect(whole.epoch).toBe(later.epoch);
        expect(whole === later).toBe(stored.epoch !== '' && stored.epoch !== mine.epoch);
      }),
      { numRuns },
    );
  });

  it('has each record once, that of the store where both have one, and none that was undone', () => {
    fc.assert(
      fc.property(documents, documents, (one, other) => {
        const [stored, mine] = [one, { ...other, epoch: one.epoch }];
        const whole = union(stored, mine);
        const lastUndone = (digest: string): number =>
          Math.max(
            0,
            ...[...stored.undone, ...mine.undone]
              .filter((each) => each.digest === digest)
              .map(({ at }) => at),
          );
        const expected = digests.flatMap((digest) => {
          const found = [stored, mine]
            .flatMap(({ records }) => records)
            .find(
              ({ record, keptAt }) => record.prefixDigest === digest && keptAt > lastUndone(digest),
            );
          return found === undefined ? [] : [[digest, found.token] as const];
        });
        expect(tokensOf(whole)).toEqual(new Map(expected));
        expect(whole.records).toHaveLength(expected.length);
        const gone = whole.undone.map(({ digest }) => digest);
        expect(gone.filter((digest) => digestsOf(whole).includes(digest))).toEqual([]);
        expect(whole.records.filter(({ child = '' }) => gone.includes(child))).toEqual([]);
      }),
      { numRuns },
    );
  });
});

describe('tidied', () => {
  it('keeps its bounds, and the newest record', () => {
    const record = fc.record({
      length: fc.integer({ min: 0, max: 30_000 }),
      child: fc.constantFrom(undefined, 'z'),
    });
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 90 }), (given) => {
        const records = given.map(({ length, child }, index) =>
          kept(String(index), { length, child: index + 1 < given.length ? child : undefined }),
        );
        const after = tidied(documentOf({ records }), 200, storedBounds);
        expect(after.records.length).toBeLessThanOrEqual(storedBounds.maxRecords);
        expect(after.records.at(-1)).toEqual(records.at(-1));
        expect(utf8Length(JSON.stringify(after))).toBeLessThanOrEqual(storedBounds.maxBytes);
        expect(digestsOf(after)).toEqual(
          digestsOf({ ...after, records }).slice(-after.records.length),
        );
        expect(tidied(after, 200, storedBounds)).toEqual(after);
      }),
      { numRuns: leastPropertyCases },
    );
  });
});

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

interface Begun {
  readonly digest: string;
  readonly parent: string | undefined;
  readonly since: string;
  readonly undoneBefore: readonly Undone[];
}

/** Processes with a copy each, which race for one document; what it is after each of their steps. */
function race(steps: readonly (readonly [number, Step])[]): {
  readonly stored: ConversationDocument;
  /** Who wrote what was kept first, by digest; none of what was undone or erased since. */
  readonly expected: ReadonlyMap<string, string>;
} {
  let stored = emptyDocument;
  const copies = [emptyDocument, emptyDocument, emptyDocument];
  const begun: (Begun | undefined)[] = [undefined, undefined, undefined];
  const expected = new Map<string, string>();
  for (const [now, [process, each]] of steps.entries()) {
    const mine = copies[process] ?? emptyDocument;
    const hear = (): void => {
      copies[process] = tidied(union(stored, copies[process] ?? mine), now, localBounds);
    };
    if (each.kind === 'begin')
      begun[process] = { ...each, since: mine.epoch, undoneBefore: mine.undone };
    if (each.kind === 'look') {
      hear();
      stored = tidied(union(stored, copies[process] ?? mine), now, storedBounds);
    }
    if (each.kind === 'save' && begun[process] !== undefined) {
      const { digest, parent, since, undoneBefore } = begun[process];
      const made = kept(digest, {
        token: `${now}`,
        keptAt: now,
        ...(parent === digest ? {} : { parentDigest: parent }),
      });
      const base = isErasedSince(stored, since) ? stored : union(stored, mine);
      const wasUndone = ({ digest: of, at }: Undone): boolean =>
        undoneBefore.some((before) => before.digest === of && before.at === at);
      const result = saved(base, made, terms(now, { since, wasUndone }));
      if (result.kept !== undefined) {
        stored = result.document;
        const copy = saved(mine, result.kept, terms(now));
        copies[process] = copy.document;
        if (!expected.has(digest)) expected.set(digest, made.token);
      }
      begun[process] = undefined;
    }
    if (each.kind === 'undo') {
      const newest = stored.records.at(-1);
      if (newest === undefined) continue;
      const undo = (document: ConversationDocument): ConversationDocument =>
        withUndone(document, newest, { now, until: now + month });
      stored = undo(stored);
      copies[process] = undo(mine);
      expected.delete(newest.record.prefixDigest);
    }
    if (each.kind === 'erase') {
      const epoch = String(now).padStart(8, '0');
      stored = erased(stored, epoch, () => true).document;
      copies[process] = erased(mine, epoch, () => true).document;
      expected.clear();
    }
  }
  return { stored, expected };
}

describe('processes that race', () => {
  const races = fc.array(step, { minLength: 5, maxLength: 60 });

  it('lose nothing, keep what was first, and bring back nothing that was undone or erased', () => {
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

  it('leave texts that nothing continues for as long as they were to stay', () => {
    fc.assert(
      fc.property(races, (steps) => {
        const { stored } = race(steps);
        const gone = new Set(stored.undone.map(({ digest }) => digest));
        const children = stored.records.flatMap(({ child = [] }) => child);
        expect(children.filter((child) => gone.has(child))).toEqual([]);
        const leaving = stored.records.filter(({ textsUntil }) => textsUntil < month - hour);
        expect(leaving.filter(({ child }) => child === undefined)).toEqual([]);
      }),
      { numRuns: 10 * numRuns },
    );
  });
});
