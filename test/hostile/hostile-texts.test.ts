import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hostileCarriers, hostileTexts } from './suites/hostile-texts.ts';
import { answer, summarizerModel } from '../support/models.ts';
import { stopTime } from '../support/virtual-time.ts';
import { generations, placements } from './generations.ts';

beforeAll(stopTime);
afterAll(() => {
  vi.useRealTimers();
});

const texts = hostileTexts.map((text, index) => ({
  text,
  index,
  shown: JSON.stringify(text).slice(0, 60),
}));

describe.each(placements)('with the summary placed as %s', (placement) => {
  it.each(texts)('text $index stays data in every carrier: $shown', async ({ text, index }) => {
    const payload = hostileCarriers.flatMap(({ carry }) => carry(text));
    const parrot = summarizerModel(
      answer({ summary: `They said: ${text}`, keyPoints: [text], context: { decisions: [text] } }),
    );
    // Three times in 15 places, so that nothing has to be shortened.
    const contextLength = 8000 + 4 * 45 * text.length;
    const writer =
      index % 2 === 0
        ? { summarizerModelPreference: parrot }
        : ({ strategy: 'rule-based' } as const);
    const made = await generations({ placement, contextLength, ...writer }, payload);
    for (const { summary } of made) expect(summary).toBeDefined();
  });
});
