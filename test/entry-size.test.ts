import { expect, it } from 'vitest';
import { entrySize } from './support/entry-size.ts';

it('the root entry loads no more than 82 kB, compressed and without its dependencies', async () => {
  const { compressed } = await entrySize();
  expect(compressed).toBeLessThanOrEqual(82_000);
});
