import { describe, expect, it } from 'vitest';
import {
  addPrefix,
  emptyIndex,
  erasePrefixes,
  parsePrefixIndex,
} from '../../../../src/state/prefixes/prefix-index.ts';

const entry = { count: 1, digest: 'a' };
const entries = Array.from({ length: 64 }, (_, index) => ({ count: 1, digest: `${index}` }));
const counts = Array.from({ length: 64 }, (_, index) => index + 1);

describe('parsePrefixIndex', () => {
  it.each([
    ['of nothing', emptyIndex],
    ['with the least entry', { entries: [entry], counts: [1] }],
    ['as full as it becomes', { entries, counts }],
    ['of what was erased', { entries: [], counts: [], erasure: 'e' }],
  ])('reads an index %s', (_name, index) => {
    expect(parsePrefixIndex(JSON.stringify(index))).toEqual(index);
  });

  it.each([
    ['more entries than it keeps', { entries: [...entries, entry], counts }],
    ['more counts than it keeps', { entries, counts: [...counts, 65] }],
    ['an entry of no message', { entries: [{ ...entry, count: 0 }], counts: [] }],
    ['half a message', { entries: [{ ...entry, count: 1.5 }], counts: [] }],
    ['a count that is a text', { entries: [{ ...entry, count: '1' }], counts: [] }],
    ['a count beyond what is exact', { entries: [{ ...entry, count: 2 ** 53 }], counts: [] }],
    ['a digest that is a number', { entries: [{ ...entry, digest: 7 }], counts: [] }],
    ['no digest', { entries: [{ count: 1 }], counts: [] }],
    ['null among entries', { entries: [entry, null], counts: [] }],
    ['a text among entries', { entries: [entry, 'a'], counts: [] }],
    ['a text among counts', { entries: [], counts: ['1'] }],
    ['no counts', { entries: [entry] }],
    ['no entries', { counts: [1] }],
    ['entries that are an object', { entries: { 0: entry, length: 1 }, counts: [] }],
  ])('takes an index with %s for empty', (_name, index) => {
    expect(parsePrefixIndex(JSON.stringify(index))).toEqual(emptyIndex);
  });

  it.each(['[{', 'null', '[]', '7', ''])('takes %s for an empty index', (text) => {
    expect(parsePrefixIndex(text)).toEqual(emptyIndex);
  });
});

describe('addPrefix', () => {
  it('adds the newest one last', () => {
    const newest = { count: 3, digest: 'b' };
    expect(addPrefix({ entries: [entry], counts: [] }, newest).entries).toEqual([entry, newest]);
  });

  it('changes nothing where the entry is there', () => {
    const index = { entries: [entry], counts: [] };
    expect(addPrefix(index, { ...entry })).toBe(index);
  });

  it('remembers of the oldest one, which falls out of a full index, how many messages it is', () => {
    const full = { entries: entries.with(0, { count: 9, digest: '0' }), counts: [9, 4] };
    expect(addPrefix(full, entry)).toEqual({
      entries: [...entries.slice(1), entry],
      counts: [4, 9],
    });
  });

  it('keeps an index readable, however many entries it is given', () => {
    let index = emptyIndex;
    for (let count = 1; count <= 200; count += 1)
      index = addPrefix(index, { count, digest: `${count}` });
    expect(parsePrefixIndex(JSON.stringify(index))).toEqual(index);
    expect(index.entries.at(-1)).toEqual({ count: 200, digest: '200' });
    expect(index.counts.at(-1)).toBe(136);
  });

  it('keeps the erasure', () => {
    expect(addPrefix({ ...emptyIndex, erasure: 'e' }, entry).erasure).toBe('e');
  });
});

describe('erasePrefixes', () => {
  it('leaves what was not named', () => {
    const other = { count: 2, digest: 'b' };
    const index = { entries: [entry, other], counts: [3], erasure: 'e' };
    expect(erasePrefixes(index, new Set(['a']))).toEqual({
      entries: [other],
      counts: [3],
      erasure: 'e',
    });
  });
});
