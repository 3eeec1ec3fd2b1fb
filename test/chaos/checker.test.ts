import { expect, it } from 'vitest';
import { explore } from './explore.ts';
import { plantedDefects } from './planted-defects.ts';

it.each(plantedDefects)('the explorer notices what %s (%s)', async (_name, noticedBy, plant) => {
  const { counterexample } = await explore({ operations: 10_000, seed: 1, plant, noticedBy });
  expect(counterexample).toContain(`${noticedBy}:`);
});
