import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/tokens/fingerprint.ts';
import { randomHashKeys } from '../../src/tokens/hash-keys.ts';
import { walkJson } from '../../src/tokens/walk-json.ts';

const mixed = fingerprint();

function print(...texts: string[]): string {
  for (const text of texts) mixed.text(text);
  return Object.values(mixed.end()).join(' ');
}

describe('fingerprint', () => {
  it('is the same for the same texts, whatever came before', () => {
    const again = fingerprint();
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 100 })), (texts) => {
        again.text('something before');
        again.end();
        for (const text of texts) again.text(text);
        expect(Object.values(again.end()).join(' ')).toBe(print(...texts));
      }),
    );
  });

  it('tells a hundred thousand near duplicates apart', () => {
    const long = 'x'.repeat(40);
    const seen = new Set<string>();
    const reused = fingerprint();
    for (let index = 0; index < 100_000; index += 1) {
      reused.text(`${long}${index}${long}`);
      const { high, low } = reused.end();
      seen.add(`${high} ${low}`);
    }
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

/** The same text but for a bit of three of its bytes, which a hash by rounds of 16 bytes may lose. */
function forged(text: string, round: number): string {
  const flips = new Map([
    [3, 0x20],
    [19, 0x20],
    [30, 0x02],
  ]);
  const bytes = new TextEncoder().encode(text);
  for (const [place, bits] of flips) {
    const index = round * 16 + place;
    bytes[index] = (bytes[index] ?? 0) ^ bits;
  }
  return new TextDecoder().decode(bytes);
}

describe('a forged text', () => {
  it('is told apart under every key', () => {
    const body = fc.stringMatching(/^[a-zA-Z0-9 .,]{64,400}$/);
    fc.assert(
      fc.property(body, fc.nat({ max: 2 }), (text, round) => {
        const keyed = fingerprint(randomHashKeys());
        keyed.text(text);
        const { high, low } = keyed.end();
        keyed.text(forged(text, round));
        expect(keyed.end()).not.toEqual({ high, low });
      }),
      { numRuns: 2000 },
    );
  });
});

describe('walkJson', () => {
  it.each([
    ['an object', () => Object.assign({ a: 1 }, { self: {} })],
    ['a list', () => [[]]],
  ])('refuses %s that holds itself instead of walking for ever', (_kind, make) => {
    const value: object = make();
    for (const name of ['self', '0', '1']) Object.assign(value, { [name]: value });
    expect(() => walkJson(value, { text: () => {}, number: () => {} })).toThrow(
      'The value holds itself.',
    );
  });

  it('is linear in a value nested ten thousand levels deep', () => {
    let value: unknown = 'leaf';
    for (let depth = 0; depth < 10_000; depth += 1) value = { value };
    let characters = 0;
    walkJson(value, { text: (text) => (characters += text.length), number: () => {} });
    expect(characters).toBeGreaterThan(80_000);
  });
});
