import { describe, expect, it } from 'vitest';
import { decideBySize } from '../../../src/planning/decide.ts';
import type { SizeInterval } from '../../../src/sizing/size-call.ts';
import { policy, snapshot } from './decision-cases.ts';

/** A prompt of which so many tokens are known, the limit being 1,000 and the trigger 800. */
function interval(least: number, most: number, fixedTokens = 0): SizeInterval {
  const tokens = (least + most) / 2;
  return { least, most, tokens, fixedTokens, measuredBy: 'bound', tokenizer: 'unused' };
}

describe('decideBySize', () => {
  it.each([
    {
      name: 'what cannot reach the trigger',
      sizes: [interval(0, 799)],
      asked: 1,
      decided: { act: 'none', reason: 'below-trigger' },
    },
    {
      name: 'the first interval that cannot reach it',
      sizes: [interval(0, 5000), interval(100, 900), interval(200, 700), interval(600, 600)],
      asked: 3,
      decided: { act: 'none', reason: 'below-trigger' },
    },
    {
      name: 'what is beyond the trigger but not at the last word',
      sizes: [interval(700, 900), interval(790, 810), interval(805, 805)],
      asked: 3,
      decided: { act: 'summarize', reason: 'token-ratio' },
    },
    {
      name: 'nothing of what acts before the last interval',
      sizes: [interval(1000, 2000), interval(1500, 1500)],
      asked: 2,
      decided: { act: 'emergency', reason: 'context-overflow' },
    },
    {
      name: 'the last interval at its upper end',
      sizes: [interval(700, 1000)],
      asked: 1,
      decided: { act: 'emergency', reason: 'context-overflow' },
    },
    {
      name: 'the fixed part where it is known',
      sizes: [interval(900, 900, 850)],
      asked: 1,
      decided: { act: 'none', reason: 'fixed-overhead' },
    },
    {
      name: 'one reason at both ends',
      snapshot: { last: { depth: 0, messageCount: 28, tokenRatio: 0.4 } },
      sizes: [interval(790, 900), interval(810, 990), interval(990, 990)],
      asked: 2,
      decided: { act: 'none', reason: 'cooldown' },
    },
    {
      name: 'at once what no size changes',
      snapshot: { standAside: 'disabled' as const },
      sizes: [interval(0, 5000), interval(10, 10)],
      asked: 1,
      decided: { act: 'none', reason: 'disabled' },
    },
  ])('decides on $name', async ({ sizes, asked, decided, snapshot: given }) => {
    let count = 0;
    let isClosed = false;
    async function* measured(): AsyncGenerator<SizeInterval, void, void> {
      try {
        for (const size of sizes) {
          count += 1;
          yield size;
        }
      } finally {
        isClosed = true;
      }
    }
    const { decision, size } = await decideBySize(measured(), { ...snapshot, ...given }, policy);
    expect(decision).toEqual(decided);
    expect(size).toBe(sizes[asked - 1]);
    expect({ count, isClosed }).toEqual({ count: asked, isClosed: true });
  });

  it('refuses a call without a size', async () => {
    async function* none(): AsyncGenerator<SizeInterval, void, void> {}
    await expect(decideBySize(none(), snapshot, policy)).rejects.toThrow(RangeError);
  });
});
