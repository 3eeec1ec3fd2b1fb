import { describe, expect, it } from 'vitest';
import {
  claimed,
  emptyDocument,
  erased,
  figuresOf,
  isWhole,
  livingClaims,
  localBounds,
  putInPlace,
  released,
  saved,
  says,
  storedBounds,
  superseded,
  tidied,
  union,
  withUndone,
} from '../../../src/state/document.ts';
import {
  digestsOf,
  documentOf,
  hour,
  kept,
  month,
  terms,
  undone,
  writing,
} from './document-fixtures.ts';

const standing = {
  lastSummarization: { depth: 0, messageCount: 12, tokenRatio: 0.4 },
  ratioIfUndone: 0.7,
};

describe('claimed and released', () => {
  const one = documentOf({ writing: [writing('one')] });

  it.each([
    ['beside that of another', writing('two'), ['one', 'two']],
    ['once for each who writes', writing('one', { digest: 'b' }), ['one']],
  ])('a claim stands %s', (_what, claim, tokens) => {
    const document = claimed(one, claim);
    expect(document.writing.map(({ token }) => token)).toEqual(tokens);
    expect(document.writing.at(-1)).toBe(claim);
  });

  it('a claim that is none any more leaves what it does not change as it is', () => {
    expect(released(one, 'one')).toEqual(emptyDocument);
    expect(released(one, 'two')).toBe(one);
  });
});

describe('livingClaims', () => {
  it('are those that are renewed, by the clock of who looks', () => {
    const seen = new Map<string, number>();
    const living = (now: number, until: number) =>
      livingClaims(documentOf({ writing: [writing('one', { until })] }), seen, now, 10);
    expect(living(100, 5)).toHaveLength(1);
    expect(living(110, 5)).toHaveLength(1);
    expect(living(111, 5)).toHaveLength(0);
    expect(living(112, 6)).toHaveLength(1);
  });
});

describe('saved', () => {
  const other = kept('a', { token: 'other' });
  const made = kept('a', { parentDigest: 'p' });
  const skeleton = { ...other, record: figuresOf(other) };
  const table = [
    ['where there is nothing', {}, {}, 'kept', ['a']],
    ['beside another one', { records: [kept('b')] }, {}, 'kept', ['b', 'a']],
    ['once more', { records: [made] }, {}, 'kept', ['a']],
    ['not where another was first', { records: [other] }, {}, 'taken', ['a']],
    ['where the texts of the first have left', { records: [skeleton] }, {}, 'kept', ['a']],
    ['not after an erasure', { epoch: '2' }, { since: '1' }, 'erased', []],
    ['not after the first erasure', { epoch: '1' }, { since: '' }, 'erased', []],
    ['in its epoch', { epoch: '1' }, { since: '1' }, 'kept', ['a']],
    ['where the store has lost its epoch', {}, { since: '1' }, 'kept', ['a']],
    ['where nobody knows when it was begun', { epoch: '1' }, {}, 'kept', ['a']],
    ['not once undone', { undone: [undone('a', 150)] }, {}, 'undone', []],
    [
      'again, if that was known',
      { undone: [undone('a', 150)] },
      { wasUndone: () => true },
      'kept',
      ['a'],
    ],
    ['not once what it continues is undone', { undone: [undone('p', 150)] }, {}, 'undone', []],
    [
      'not even if it was heard of before the claim',
      { undone: [undone('p', 150)] },
      { wasUndone: () => true },
      'undone',
      [],
    ],
  ] as const;

  it.each(table)('%s', (_what, before, own, state, digests) => {
    const result = saved(documentOf(before), made, terms(200, own));
    expect(digestsOf(result.document)).toEqual(digests);
    const writers = { kept: made.token, taken: 'other', erased: undefined, undone: undefined };
    expect(result.kept?.token).toBe(writers[state]);
  });

  it.each([
    ['what it was begun in, where the store has lost it', '', '1', '1'],
    ['what it was begun in', '1', '1', '1'],
    ['that of the store, where nobody knows when it was begun', '1', undefined, '1'],
  ])('the epoch is %s', (_what, epoch, since, expected) => {
    const { document } = saved(documentOf({ epoch }), made, terms(200, { since }));
    expect(document.epoch).toBe(expected);
  });

  it('ends its claim', () => {
    const before = documentOf({ writing: [writing(made.token), writing('other')] });
    const { document } = saved(before, made, terms(200));
    expect(document.writing).toEqual([writing('other')]);
  });

  it('not where what it continues was undone meanwhile', () => {
    const before = documentOf({ undone: [undone('p', 150)] });
    expect(saved(before, { ...made, parentDigest: 'p' }, terms(200)).kept).toBe(undefined);
  });

  it('later than what undid the one before, whatever the clock says', () => {
    const before = documentOf({ undone: [undone('a', 500)] });
    const result = saved(before, made, terms(200, { wasUndone: () => true }));
    expect(result.kept?.keptAt).toBe(501);
    expect(result.document.undone).toEqual([]);
  });

  it.each([
    ['in use: the texts of what it continues leave soon', {}, 'a', 200 + hour],
    ['prepared: not before it is in place', { prepared: true } as const, undefined, 100 + month],
  ])('%s', (_what, more, child, textsUntil) => {
    const before = documentOf({ records: [kept('p')] });
    const next = saved(before, { ...made, parentDigest: 'p', ...more }, terms(200));
    expect(next.document.records[0]).toMatchObject({ textsUntil });
    expect(next.document.records[0]?.child).toBe(child);
  });
});

describe('superseded', () => {
  it.each([
    ['sooner than it would have', 100 + month, 500, 500],
    ['never later', 300, 500, 300],
  ])('its texts leave %s', (_what, textsUntil, given, expected) => {
    const document = documentOf({ records: [kept('p', { textsUntil }), kept('q')] });
    const [first, second] = superseded(document, 'p', 'a', given).records;
    expect(first).toMatchObject({ child: 'a', textsUntil: expected });
    expect(second).toEqual(kept('q'));
  });
});

describe('putInPlace', () => {
  const prepared = kept('a', { prepared: true, parentDigest: 'p' });

  it('makes a prepared summary the one in use, and its parent one that it continues', () => {
    const before = documentOf({ records: [kept('p'), prepared] });
    const [parent, child] = putInPlace(before, 'a', standing, 500).records;
    expect(parent).toMatchObject({ child: 'a', textsUntil: 500 });
    expect(child).toEqual({ ...prepared, ...standing, prepared: undefined });
  });

  it.each([
    ['one that is unknown', documentOf({ records: [kept('p')] })],
    ['one that is in use', documentOf({ records: [kept('a')] })],
  ])('leaves %s as it is', (_what, document) => {
    expect(putInPlace(document, 'a', standing, 500)).toBe(document);
  });
});

describe('withUndone', () => {
  const child = kept('a', { parentDigest: 'p', ratioIfUndone: 0.7, keptAt: 200 });
  const parent = kept('p', { child: 'a', textsUntil: 300 });
  const before = documentOf({ records: [parent, child], undone: [undone('a', 50)] });

  it('puts what it continued in its place again, and says since when', () => {
    const after = withUndone(before, child, { now: 250, until: 900 });
    expect(after.records).toEqual([{ ...parent, child: undefined, textsUntil: 900, until: 900 }]);
    expect(after.undone).toEqual([{ ...undone('a', 250), tokenRatio: 0.7 }]);
  });

  it('gives the texts back that have left', () => {
    const left = { ...parent, record: figuresOf(parent) };
    const document = documentOf({ records: [left, child] });
    const after = withUndone(document, child, { now: 250, until: 900, parent: parent.record });
    expect(after.records[0]?.record).toEqual(parent.record);
  });

  it('is not before the record, whatever the clock says', () => {
    expect(withUndone(before, child, { now: 10, until: 900 }).undone[0]?.at).toBe(200);
  });
});

describe('erased', () => {
  const mine = kept('a', { archiveId: 'archive a', treeId: 'tree a' });
  const alike = kept('b', { archiveId: 'archive b', treeId: 'tree b' });
  const before = documentOf({
    epoch: '1',
    records: [mine, alike],
    writing: [writing('w', { archiveId: 'archive w' }), writing('v', { digest: 'b' })],
    undone: [undone('a', 1), undone('b', 2)],
    left: { archives: ['archive a', 'archive before'], trees: [] },
  });

  it('leaves nothing of the conversation but the names of what is to be removed', () => {
    const { document, records, begun } = erased(before, '2', (digest) => digest === 'a');
    expect(document).toEqual({
      ...emptyDocument,
      epoch: '2',
      records: [alike],
      undone: [undone('b', 2)],
      left: { archives: ['archive a', 'archive before', 'archive w'], trees: ['tree a'] },
    });
    expect(records).toEqual([mine]);
    expect(begun).toEqual(['archive a', 'archive before', 'archive w']);
  });
});

describe('union', () => {
  it('of two erasures at once has nothing that was kept before either', () => {
    const mine = documentOf({
      epoch: '0000000002-b',
      records: [kept('a', { keptAt: 2 }), kept('b', { keptAt: 3 })],
    });
    const stored = documentOf({ epoch: '0000000002-a' });
    expect(digestsOf(union(stored, mine))).toEqual(['b']);
  });

  const first = kept('a', { token: 'first', archiveId: 'archive 1' });
  const second = kept('a', {
    token: 'second',
    archiveId: 'archive 2',
    child: 'b',
    textsUntil: 500,
  });
  const bare = { ...first, record: figuresOf(first) };
  const table = [
    ['both know different ones', [kept('a')], [kept('b')], [kept('a'), kept('b')]],
    [
      'the newest is last',
      [kept('a')],
      [kept('b', { keptAt: 50 })],
      [kept('b', { keptAt: 50 }), kept('a')],
    ],
    ['the store was first', [first], [second], [{ ...first, child: 'b', textsUntil: 500 }]],
    ['the store has lost the texts', [bare], [first], [first]],
    [
      'the texts are those of another',
      [bare],
      [second],
      [{ ...bare, child: 'b', textsUntil: 500 }],
    ],
    [
      'it has been put in place here',
      [{ ...first, prepared: true as const }],
      [{ ...first, ...standing }],
      [{ ...first, lastSummarization: standing.lastSummarization }],
    ],
  ] as const;

  it.each(table)('%s', (_what, stored, mine, expected) => {
    const whole = union(documentOf({ records: stored }), documentOf({ records: mine }));
    expect(whole.records).toEqual(expected);
  });

  it.each([
    ['the later one, of the store', '2', '1', '2', ['a']],
    ['the later one, of this process', '1', '2', '2', ['b']],
    ['the first one of the store', '1', '', '1', ['a']],
    ['both, where the store has lost it', '', '1', '1', ['a', 'b']],
    ['both, where it is the same', '1', '1', '1', ['a', 'b']],
  ])('of epochs: %s', (_what, stored, mine, epoch, digests) => {
    const whole = union(
      documentOf({ epoch: stored, records: [kept('a')] }),
      documentOf({ epoch: mine, records: [kept('b')] }),
    );
    expect(whole.epoch).toBe(epoch);
    expect(digestsOf(whole)).toEqual(digests);
  });

  it.each([
    ['of the store', { undone: [undone('a', 100)] }, { records: [kept('a')] }],
    ['of this process', { records: [kept('a')] }, { undone: [undone('a', 150)] }],
  ])('leaves out what was undone, %s', (_what, stored, mine) => {
    const whole = union(documentOf(stored), documentOf(mine));
    expect(whole.records).toEqual([]);
    expect(digestsOf(whole)).toEqual([]);
    expect(whole.undone).toHaveLength(1);
  });

  it('has what was made again since', () => {
    const again = kept('a', { token: 'again', keptAt: 200 });
    const whole = union(
      documentOf({ records: [kept('a')], undone: [] }),
      documentOf({ undone: [undone('a', 150)] }),
    );
    const both = union(whole, documentOf({ records: [again] }));
    expect(both).toMatchObject({ records: [again], undone: [] });
  });

  it.each(['store', 'process'])('keeps what is in its place again, whatever the %s says', (old) => {
    const before = documentOf({
      records: [kept('p', { child: 'a', textsUntil: 300 }), kept('a', { parentDigest: 'p' })],
    });
    const after = withUndone(before, kept('a', { parentDigest: 'p' }), { now: 250, until: month });
    const whole = old === 'store' ? union(before, after) : union(after, before);
    expect(whole.records).toMatchObject([{ record: { prefixDigest: 'p' } }]);
    expect(whole.records[0]?.child).toBeUndefined();
    expect(whole.records[0]?.textsUntil).toBeGreaterThanOrEqual(month);
  });
});

describe('says', () => {
  const whole = documentOf({ epoch: '1', records: [kept('a')], undone: [undone('b', 1)] });
  const table = [
    ['the same', whole, true],
    ['another token', { ...whole, records: [kept('a', { token: 'x' })] }, true],
    ['claims', { ...whole, writing: [writing('w')] }, true],
    ['another epoch', { ...whole, epoch: '2' }, false],
    ['a record more', { ...whole, records: [kept('a'), kept('c')] }, false],
    ['one in use', { ...whole, records: [kept('a', { prepared: true })] }, false],
    ['texts', { ...whole, records: [{ ...kept('a'), record: figuresOf(kept('a')) }] }, false],
    ['what continues it', { ...whole, records: [kept('a', { child: 'c' })] }, false],
    ['what was undone', { ...whole, undone: [] }, false],
  ] as const;

  it.each(table)('%s', (_what, other, expected) => {
    expect(says(whole, other)).toBe(expected);
  });
});

describe('tidied', () => {
  it('leaves out what has expired', () => {
    const records = [
      kept('a', { until: 500, textsUntil: 500 }),
      kept('b', { textsUntil: 500, lastIds: ['x'] }),
      kept('c'),
    ];
    const before = documentOf({ records, writing: [writing('w', { until: 500 }), writing('v')] });
    const after = tidied(before, 500, storedBounds);
    expect(digestsOf(after)).toEqual(['b', 'c']);
    expect(after.records.map(isWhole)).toEqual([false, true]);
    expect(after.records[0]?.lastIds).toBeUndefined();
    expect(after.writing).toEqual([writing('v')]);
  });

  it.each([
    [
      'texts of what others continue first, the oldest first',
      [true, true, false],
      [false, true, true],
    ],
    ['then records, the oldest first', [false, false, false], [true, true]],
  ])('of what is too large goes %s', (_what, continued, whole) => {
    const records = ['a', 'b', 'c'].map((digest, index) =>
      kept(digest, { length: 20_000, ...(continued[index] === true ? { child: 'z' } : {}) }),
    );
    const after = tidied(documentOf({ records }), 200, storedBounds);
    expect(after.records.map(isWhole)).toEqual(whole);
  });

  it('a process keeps what is too large for a store', () => {
    const records = ['a', 'b', 'c'].map((digest) => kept(digest, { length: 40_000 }));
    expect(tidied(documentOf({ records }), 200, localBounds).records).toEqual(records);
  });

  it('keeps the newest, however large', () => {
    const records = [kept('a'), kept('b', { length: 90_000 })];
    expect(digestsOf(tidied(documentOf({ records }), 200, storedBounds))).toEqual(['b']);
  });
});
