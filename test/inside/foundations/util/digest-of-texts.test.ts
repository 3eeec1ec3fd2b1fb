import { afterEach, expect, it, vi } from 'vitest';
import { digestTexts } from '../../../../src/foundations/util/async/digest-texts.ts';
import { sha256Hex } from '../../../../src/foundations/util/digest.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

async function digestsOf(texts: readonly string[]): Promise<readonly string[]> {
  return [await digestTexts(texts), await sha256Hex(texts.join(''))];
}

it.each([
  ['nothing', []],
  ['several texts', ['river\n', 'Fluß\n', '河\n']],
  ['a half of a character', ['\ud83d', 'x', '\ude00 and \ud800']],
  ['what is digested beside the event loop', ['long '.repeat(20_000), 'and more']],
])('%s has one digest with the hash of Node and without', async (_, texts) => {
  const withNode = await digestsOf(texts);
  vi.stubGlobal('process', undefined);
  const without = await digestsOf(texts);
  expect(new Set([...withNode, ...without]).size).toBe(1);
});
