import type { CipherGCM } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { sha256Hex } from '../../../../src/foundations/util/digest.ts';
import { boundedMap } from '../../../../src/foundations/util/maps/bounded-map.ts';
import { digestOnce, oncePerTexts } from '../../../../src/foundations/util/async/digest-texts.ts';

const node = process.getBuiltinModule('node:crypto');

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const digestOf = async (...texts: readonly string[]): Promise<string> => digestOnce(texts);

/** A text that takes several turns of a buffer. */
const long = 'river '.repeat(10_000);

it('recognizes texts that were digested before, however they are divided', async () => {
  const digest = await digestOf('Fluß\n', long, '河', '\ud83d');
  const hash = vi.spyOn(node, 'createHash');
  expect(digest).toBe(await sha256Hex(JSON.parse(`"Fluß\\n${long}河\ufffd"`)));
  hash.mockClear();
  expect(await digestOf('Fluß\n', long, '河', '\ud83d')).toBe(digest);
  expect(await digestOf('Fluß\n', `${long}河`, '\ud83d')).toBe(digest);
  expect(hash).not.toHaveBeenCalled();
});

it.each([
  ['at its beginning', (text: string) => `R${text.slice(1)}`],
  ['where a buffer ends', (text: string) => `${text.slice(0, 8191)}R${text.slice(8192)}`],
  ['where a buffer begins', (text: string) => `${text.slice(0, 8192)}R${text.slice(8193)}`],
  ['at its end', (text: string) => `${text.slice(0, -1)}\0`],
  ['in length', (text: string) => `${text}\0`],
  ['in the upper half of a character', (text: string) => text.replace('r', '\u0172')],
])('tells a text from one that differs %s', async (_, change) => {
  await digestOf(long);
  expect(await digestOf(change(long))).toBe(await sha256Hex(change(long)));
});

it.each([
  ['ciphers', () => vi.spyOn(node, 'createCipheriv').mockImplementation(() => unsupported())],
  ['modules of Node', () => vi.stubGlobal('process', undefined)],
  [
    'ciphers that read all pieces',
    () => vi.spyOn(node, 'createCipheriv').mockImplementation(ofLast),
  ],
])('digests texts each time without %s', async (_, remove) => {
  remove();
  vi.resetModules();
  const fresh = await import('../../../../src/foundations/util/async/digest-texts.ts');
  for (const text of [long, `R${long.slice(1)}`])
    expect(await fresh.digestOnce([text])).toBe(await sha256Hex(text));
});

function unsupported(): never {
  throw new Error('createCipheriv is not implemented');
}

/** A cipher whose tag is of the last piece only. */
function ofLast(): CipherGCM {
  let last: NodeJS.ArrayBufferView = Buffer.alloc(0);
  const cipher = {
    setAAD: (piece: NodeJS.ArrayBufferView) => {
      last = piece;
      return cipher;
    },
    final: () => Buffer.alloc(0),
    getAuthTag: () => Buffer.from(last.buffer, last.byteOffset, last.byteLength),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is asked of it
  return cipher as unknown as CipherGCM;
}

it.each([
  ['with', () => {}],
  ['without', () => vi.stubGlobal('process', undefined)],
])('a value is computed once for the same lists of texts, %s Node', async (_, prepare) => {
  prepare();
  const values = boundedMap<number>(100);
  let runs = 0;
  const valueOf = async (about: string, ...lists: readonly (readonly string[])[]) =>
    oncePerTexts(values, about, lists, async () => (runs += 1));
  const all = [
    () => valueOf('o200k', ['a', 'b'], ['c']),
    () => valueOf('o200k', ['a'], ['b', 'c']),
    () => valueOf('o200k', ['ab'], ['c']),
    () => valueOf('o200k', ['a', 'b', 'c']),
    () => valueOf('o200k', ['a', 'b'], ['c'], []),
    () => valueOf('cl100k', ['a', 'b'], ['c']),
  ];
  for (const round of [1, 2])
    for (const [index, value] of all.entries())
      expect(await value(), `round ${round}`).toBe(index + 1);
});
