import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/tokens/fingerprint.ts';
import { walkJson } from '../../src/tokens/walk-json.ts';

function print(...texts: string[]): string {
  const mixed = fingerprint();
  for (const text of texts) mixed.text(text);
  return Object.values(mixed.end()).join(' ');
}

describe('fingerprint', () => {
  it('is the same for the same texts and begins anew', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 100 })), (texts) => {
        const again = fingerprint();
        again.text('something before');
        again.end();
        again.begin();
        for (const text of texts) again.text(text);
        expect(Object.values(again.end()).join(' ')).toBe(print(...texts));
      }),
    );
  });

  it('tells a hundred thousand near duplicates apart', () => {
    const long = 'x'.repeat(40);
    const seen = new Set<string>();
    for (let index = 0; index < 100_000; index += 1) seen.add(print(`${long}${index}${long}`));
    expect(seen.size).toBe(100_000);
  });

  it.each([
    ['one character late in a long text', ['a'.repeat(50_000)], [`${'a'.repeat(49_999)}b`]],
    ['where one text ends', ['ab', 'c'], ['a', 'bc']],
    ['an empty text', ['a'], ['a', '']],
    ['zeros at the end', ['a'.repeat(30)], [`${'a'.repeat(30)}\0`]],
    ['characters beyond Latin', ['日本'.repeat(20)], ['日木'.repeat(20)]],
  ])('tells apart %s', (_, first, second) => {
    expect(print(...first)).not.toBe(print(...second));
  });
});

describe('walkJson', () => {
  it('is linear in a value nested ten thousand levels deep', () => {
    let value: unknown = 'leaf';
    for (let depth = 0; depth < 10_000; depth += 1) value = { value };
    let characters = 0;
    walkJson(value, { text: (text) => (characters += text.length), number: () => {} });
    expect(characters).toBeGreaterThan(80_000);
  });
});
