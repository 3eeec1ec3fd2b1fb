import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../src/index.ts';
import { brokenStores } from './suites/broken-stores.ts';
import { hostileSummaries } from './suites/hostile-summaries.ts';
import { hostileCarriers, hostileTexts } from './suites/hostile-texts.ts';

describe('the hostile suites', () => {
  it('hold as many behaviours, texts and carriers as they promise, each once', () => {
    const stores = brokenStores(() => memoryStore()).map(({ name }) => name);
    const summaries = hostileSummaries().map(({ name }) => name);
    const carriers = hostileCarriers.map(({ name }) => name);
    const counts = {
      summaries: summaries.length,
      texts: hostileTexts.length,
      carriers: carriers.length,
      stores: stores.length,
    };
    console.info(counts);
    for (const names of [stores, summaries, hostileTexts, carriers])
      expect(new Set(names).size).toBe(names.length);
    expect(counts.summaries).toBeGreaterThanOrEqual(250);
    expect(counts.stores).toBeGreaterThanOrEqual(250);
    expect(counts.texts).toBeGreaterThanOrEqual(150);
    expect(counts.carriers).toBeGreaterThanOrEqual(15);
  });
});
