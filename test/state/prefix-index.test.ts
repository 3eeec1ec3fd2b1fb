import { describe, expect, it } from 'vitest';
import { addPrefix, parsePrefixIndex } from '../../src/summaries/prefix-index.ts';

const entry = { count: 1, length: 0, digest: 'a' };
const entries = Array.from({ length: 128 }, (_, index) => ({ ...entry, digest: `${index}` }));

describe('parsePrefixIndex', () => {
  it.each([
    ['no entry', []],
    ['the least entry', [entry]],
    ['as many as an index keeps', entries],
  ])('reads %s', (_name, index) => {
    expect(parsePrefixIndex(JSON.stringify(index))).toEqual(index);
  });

  it.each([
    ['more than an index keeps', [...entries, entry]],
    ['an entry of no message', [{ ...entry, count: 0 }]],
    ['half a message', [{ ...entry, count: 1.5 }]],
    ['a count that is a text', [{ ...entry, count: '1' }]],
    ['a negative length', [{ ...entry, length: -1 }]],
    ['a length beyond what is exact', [{ ...entry, length: 2 ** 53 }]],
    ['no length', [{ count: 1, digest: 'a' }]],
    ['a digest that is a number', [{ ...entry, digest: 7 }]],
    ['no digest', [{ count: 1, length: 0 }]],
    ['null among entries', [entry, null]],
    ['a text among entries', [entry, 'a']],
    ['an object', { 0: entry, length: 1 }],
    ['null', null],
  ])('takes an index with %s for empty', (_name, index) => {
    expect(parsePrefixIndex(JSON.stringify(index))).toEqual([]);
  });

  it('takes what is no JSON for an empty index', () => {
    expect(parsePrefixIndex('[{')).toEqual([]);
  });
});

describe('addPrefix', () => {
  it('adds the newest one last', () => {
    const newest = { ...entry, digest: 'b' };
    expect(addPrefix([entry], newest)).toEqual([entry, newest]);
  });

  it('lets the oldest one go from a full index', () => {
    const index = addPrefix(entries, entry);
    expect(index).toEqual([...entries.slice(1), entry]);
    expect(parsePrefixIndex(JSON.stringify(index))).toEqual(index);
  });
});
