import { expect, it } from 'vitest';
import { LocalCache } from '../../../../src/state/conversation/local-cache.ts';
import { digestsOf, documentOf, kept, undone } from './document-fixtures.ts';

it('a process knows as much as has room, of each namespace what was used last', () => {
  const copy = new LocalCache();
  // Of 24 MiB each takes a little more than an eighth, as two bytes a character.
  const document = (digest: string) =>
    documentOf({
      records: [kept(digest, { length: 1_600_000, until: Infinity })],
      undone: [{ ...undone('u', 1), count: 3 }],
    });
  const names = Array.from('baaaaaaaa', (tenant, index) => tenant.repeat(16) + index);
  for (const name of names) copy.change(name, () => document(name));
  expect(copy.keys('')).toEqual(names.toSpliced(1, 2));
  expect(copy.keys('b')).toEqual(names.slice(0, 1));
  const held = names.map((name) => digestsOf(copy.get(name)).length);
  expect(held).toEqual([1, 0, 0, 1, 1, 1, 1, 1, 1]);
  expect(copy.leastCovered).toBe(3);
});
