import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hostileSummaries } from './suites/hostile-summaries.ts';
import { stopTime } from '../support/virtual-time.ts';
import { generations, placements } from './generations.ts';

beforeAll(stopTime);
afterAll(() => {
  vi.useRealTimers();
});

describe.each(placements)('a summariser, with the summary placed as %s, that', (placement) => {
  it.each(hostileSummaries())('$name, changes strings of the record alone', async ({ model }) => {
    const made = await generations({ placement, summarizerModelPreference: model });
    expect(made.at(-1)?.summary).toBeDefined();
    for (const { content, given } of made) {
      const said = JSON.stringify(given);
      // Rules are sentences of the user, whoever else writes some.
      for (const rule of listOf(content['constraints'])) expect(said).toContain(rule);
      expect(JSON.stringify(content).length).toBeLessThan(8000);
    }
  });
});

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
