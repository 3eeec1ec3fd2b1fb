import { afterEach, describe, expect, it, vi } from 'vitest';
import { plantInDocuments, withDefects } from './document-defects.ts';
import { explore } from './explore.ts';
import { plantedDefects } from './planted-defects.ts';

// oxlint-disable no-restricted-imports -- what is planted there stands for mistakes inside
vi.mock(import('../../src/state/document.ts'), async (load) => withDefects(await load()));

afterEach(() => {
  plantInDocuments(undefined);
});

describe('the explorer', () => {
  it.each(plantedDefects)('notices what $name', async ({ plant, noticedBy }) => {
    plantInDocuments(plant.documents);
    const { counterexample } = await explore({ operations: 10_000, seed: 1, plant, noticedBy });
    expect(counterexample).toContain(`${noticedBy}:`);
  });
});
