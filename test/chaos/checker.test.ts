import { describe, expect, it } from 'vitest';
import { explore } from './explore.ts';
import { plantedDefects } from './planted-defects.ts';

describe('the explorer', () => {
  it.each(plantedDefects)('notices what $name', async ({ plant, noticedBy }) => {
    const { counterexample } = await explore({ operations: 10_000, seed: 1, plant, noticedBy });
    expect(counterexample).toContain(`${noticedBy}:`);
  });
});
