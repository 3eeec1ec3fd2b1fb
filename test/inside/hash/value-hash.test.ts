import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/index.ts';
import { valueHash, valueHashes } from '../../../src/hash/value-hash.ts';
import { plainHashMemory } from '../../../src/hash/hash-block.ts';
import { wasmHashMemory } from '../../../src/hash/hash-block-wasm.ts';
import { messageHash } from '../../../src/tokens/message-hash.ts';
import { universalHash } from '../../../src/hash/universal-hash.ts';
import { walkJson } from '../../../src/json/walk-json.ts';

function hash(...texts: string[]): string {
  const mixed = valueHash();
  for (const text of texts) mixed.text(text);
  return Object.values(mixed.end()).join(' ');
}

describe('valueHash', () => {
  it('is the same for the same texts, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 100 })), (texts) => {
        const first = hash(...texts);
        hash('something before');
        expect(hash(...texts)).toBe(first);
      }),
    );
  });

  it('is the same after a message that could not be read', () => {
    const message: Message = { role: 'user', content: [{ type: 'text', text: 'Hello.' }] };
    const first = messageHash(message);
    expect(() =>
      messageHash({
        role: 'user',
        content: [
          {
            type: 'text',
            get text(): string {
              throw new Error('No.');
            },
          },
        ],
      }),
    ).toThrow('No.');
    expect(messageHash(message)).toEqual(first);
  });

  it('tells a hundred thousand near duplicates apart', () => {
    const long = 'x'.repeat(40);
    const seen = new Set<string>();
    for (let index = 0; index < 100_000; index += 1) {
      seen.add(hash(`${long}${index}${long}`));
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
    expect(hash(...first)).not.toBe(hash(...second));
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
  it.each([
    ['with WebAssembly', wasmHashMemory()],
    ['without WebAssembly', plainHashMemory()],
  ])('is told apart under every key %s', (_where, memory) => {
    const body = fc.stringMatching(/^[a-zA-Z0-9 .,]{64,400}$/);
    fc.assert(
      fc.property(body, fc.nat({ max: 2 }), (text, round) => {
        const keyed = valueHashes(universalHash(memory));
        const printOf = (value: string): object => {
          const mixed = keyed();
          mixed.text(value);
          return mixed.end();
        };
        expect(printOf(forged(text, round))).not.toEqual(printOf(text));
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
