import { describe, expect, it } from 'vitest';
import {
  emptyDocument,
  markErased,
  figuresOf,
  isContinued,
  isWhole,
  activeLeases,
  putInPlace,
  removeLease,
  addSummary,
  isUpToDate,
  storedBounds,
  trimDocument,
  mergeDocuments,
  markUndone,
} from '../../../../src/state/conversation/document.ts';
import { digestsOf, documentOf, kept, undone, writing } from './document-fixtures.ts';

const standing = {
  lastSummarization: { depth: 0, messageCount: 12, tokenRatio: 0.4 },
  ratioIfUndone: 0.7,
};

it('activeLeases are those that are renewed, by the clock of who looks', () => {
  const seen = new Map<string, number>();
  const living = (now: number, until: number) =>
    activeLeases(documentOf({ writing: [writing('one', { until })] }), seen, now, 10);
  expect(living(100, 5)).toHaveLength(1);
  expect(living(110, 5)).toHaveLength(1);
  expect(living(111, 5)).toHaveLength(0);
  expect(living(112, 6)).toHaveLength(1);
});

it('a lease ends where it is removed', () => {
  const one = documentOf({ writing: [writing('one')] });
  expect(removeLease(one, 'one')).toEqual(emptyDocument);
  expect(removeLease(one, 'two')).toBe(one);
});

describe('addSummary', () => {
  const other = kept('a', { token: 'other' });
  const made = kept('a', { parentDigest: 'p', begunAt: 200 });
  const skeleton = { ...other, record: figuresOf(other) };
  it.each([
    ['where there is nothing', {}, ['a'], made.token],
    ['not where another was first', { records: [other] }, ['a'], 'other'],
    ['where the texts of the first have left', { records: [skeleton] }, ['a'], made.token],
    ['not once undone since it was begun', { undone: [undone('a', 250)] }, [], undefined],
    ['not once what it continues is undone', { undone: [undone('p', 250)] }, [], undefined],
  ] as const)('%s', (_what, before, digests, token) => {
    const result = addSummary(documentOf(before), made);
    expect(digestsOf(result)).toEqual(digests);
    expect(result.records.at(-1)?.token).toBe(token);
  });

  it('and its claim ends', () => {
    const before = documentOf({ writing: [writing(made.token), writing('other')] });
    expect(trimDocument(addSummary(before, made), 200, storedBounds).writing).toEqual([
      writing('other'),
    ]);
  });
});

it('putInPlace makes a prepared summary the one in use, and its parent one that it continues', () => {
  const prepared = kept('a', { prepared: true, parentDigest: 'p' });
  const before = documentOf({ records: [kept('p'), prepared] });
  const { records } = putInPlace(before, 'a', standing);
  expect(records).toEqual([kept('p'), { ...prepared, ...standing, prepared: undefined }]);
  expect(records.map((each) => isContinued(each, records))).toEqual([true, false]);
  expect(isContinued(kept('p'), before.records)).toBe(false);
});

describe('markUndone', () => {
  const child = kept('a', { parentDigest: 'p', ratioIfUndone: 0.7, begunAt: 200 });
  const parent = kept('p');
  const before = documentOf({ records: [parent, child], undone: [undone('a', 50)] });

  it('puts what it continued in its place again, and says since when', () => {
    const after = markUndone(before, child, { now: 250, until: 900 });
    expect(after.records).toEqual([{ ...parent, until: 900 }]);
    const { parentDigest } = child;
    expect(after.undone).toEqual([{ ...undone('a', 250), tokenRatio: 0.7, parentDigest }]);
  });

  it('is not before the record or one that is being written, whatever the clock says', () => {
    expect(markUndone(before, child, { now: 10, until: 900 }).undone[0]?.at).toBe(200);
    const claim = { ...before, writing: [writing('w', { begunAt: 300 })] };
    expect(markUndone(claim, child, { now: 10, until: 900 }).undone[0]?.at).toBe(300);
  });
});

it('markErased leaves nothing of the conversation but the names of what is to be removed', () => {
  const mine = kept('a', { archiveId: 'archive a', treeId: 'tree a' });
  const alike = kept('b', { archiveId: 'archive b', treeId: 'tree b' });
  const before = documentOf({
    epoch: '1',
    records: [mine, alike],
    writing: [writing('w', { archiveId: 'archive w' }), writing('v', { digest: 'b' })],
    undone: [undone('a', 1), undone('b', 2)],
    left: { archives: ['archive a', 'archive before'], trees: [] },
  });
  const { document, digests } = markErased(before, [], '2', (digest) => digest === 'a');
  expect(document).toEqual({
    ...emptyDocument,
    epoch: '2',
    records: [alike],
    undone: [undone('b', 2)],
    left: { archives: ['archive a', 'archive before', 'archive w'], trees: ['tree a'] },
  });
  expect(digests).toEqual(['a']);
});

describe('mergeDocuments', () => {
  it('of two erasures at once has nothing that was kept before either', () => {
    const mine = documentOf({
      epoch: '0000000002-b',
      records: [kept('a', { begunAt: 2 }), kept('b', { begunAt: 3 })],
    });
    const stored = documentOf({ epoch: '0000000002-a' });
    expect(digestsOf(mergeDocuments(stored, mine))).toEqual(['b']);
  });

  it('of a store that has lost an erasure has nothing that was kept before it', () => {
    const stored = documentOf({ records: [kept('a', { begunAt: 2 }), kept('b', { begunAt: 3 })] });
    expect(digestsOf(mergeDocuments(stored, documentOf({ epoch: '0000000002-a' })))).toEqual(['b']);
  });

  const first = kept('a', { token: 'first', archiveId: 'archive 1' });
  const second = kept('a', { token: 'second', archiveId: 'archive 2' });
  const bare = { ...first, record: figuresOf(first) };
  it.each([
    ['the store has lost the texts', [bare], [first], [first]],
    ['only another one has its texts', [bare], [second], [second]],
  ] as const)('%s', (_what, stored, mine, expected) => {
    const whole = mergeDocuments(documentOf({ records: stored }), documentOf({ records: mine }));
    expect(whole.records).toEqual(expected);
  });
});

describe('isUpToDate', () => {
  const a = kept('a');
  const whole = documentOf({ epoch: '1', records: [a], undone: [undone('b', 1)] });

  it.each([
    ['the same of another writer', { records: [kept('a', { token: 'x' })] }, true],
    ['the same with claims', { writing: [writing('w')] }, true],
    ['a record more', { records: [a, kept('c')] }, false],
    ['one in use', { records: [kept('a', { prepared: true })] }, false],
    ['texts', { records: [{ ...a, record: figuresOf(a) }] }, false],
  ])('%s', (_what, other, isSaid) => {
    expect(isUpToDate(whole, { ...whole, ...other })).toBe(isSaid);
  });
});

describe('trimDocument', () => {
  const hour = 60 * 60_000;

  it('leaves out what has expired, and texts that nobody goes back to', () => {
    const records = [
      kept('a', { until: 500 }),
      kept('b', { lastIds: ['x'] }),
      kept('c', { parentDigest: 'b', begunAt: 500 - hour }),
      kept('d', { parentDigest: 'c' }),
      kept('e', { parentDigest: 'd', begunAt: 500 - hour, prepared: true }),
    ];
    const before = documentOf({ records, writing: [writing('w', { until: 500 }), writing('v')] });
    const after = trimDocument(before, 500, storedBounds);
    expect(digestsOf(after)).toEqual(['b', 'c', 'd', 'e']);
    expect(after.records.map(isWhole)).toEqual([false, true, true, true]);
    expect(after.records[0]?.lastIds).toBeUndefined();
    expect(after.writing).toEqual([writing('v')]);
  });

  it('has no more than a store takes: texts that others continue go first, then the oldest', () => {
    const names = Array.from({ length: 70 }, (_, index) => `${index}`);
    const small = documentOf({
      records: names.map((name) => kept(name)),
      writing: names.map((name) => writing(name)),
      undone: names.map((name) => undone(name, 1)),
    });
    const few = trimDocument(small, 200, storedBounds);
    expect(digestsOf(few)).toEqual(names.slice(-64));
    expect(few.writing).toEqual(small.writing.slice(-16));
    expect(few.undone).toEqual(small.undone.slice(-8));
    const some = [kept('a'), kept('b', { length: 9000 }), kept('c', { parentDigest: 'b' })];
    expect(trimDocument(documentOf({ records: some }), 200, storedBounds).records).toEqual(some);
    const large = { length: 25_000 };
    const records = [kept('a'), kept('b', large), kept('c', { ...large, parentDigest: 'b' })];
    const more = documentOf({ records: [...records, kept('d', large)] });
    const three = trimDocument(more, 200, storedBounds);
    expect(three.records.map((each) => [each.record.prefixDigest, isWhole(each)])).toEqual([
      ['a', true],
      ['b', false],
      ['c', true],
      ['d', true],
    ]);
    const four = documentOf({ records: [...more.records, kept('e', { length: 60_000 })] });
    expect(digestsOf(trimDocument(four, 200, storedBounds))).toEqual(['e']);
  });
});
