import { describe, expect, it } from 'vitest';
import { modelFamilies } from '../../../src/tokens/context-lengths.ts';
import { tokenMultiplierOf } from '../../../src/tokens/model-family.ts';
import { billOf, expectFairBill, ratios, shapes } from '../../bills/one-call.ts';

/** Instructions take a good part of less. */
const smallWindow = 10_000;
/** Up to here, a conversation takes no time: it is tried in each share of the window. */
const quickWindow = 40_000;
/** What is larger is no other matter, and takes half a minute to count. */
const largestWindow = 450_000;

/** Windows and tokenizers of the table, with the first family that has them. */
const families = new Map(
  modelFamilies
    .toReversed()
    .map(([names, contextLength, inputLimit = contextLength]) => {
      const [modelId = ''] = names.split(' ');
      const multiplier = tokenMultiplierOf({ provider: 'test', modelId });
      return { modelId, window: Math.min(contextLength, inputLimit), multiplier };
    })
    .map((family) => [`${family.window} ${family.multiplier}`, family] as const),
);

describe('each window of the table of context lengths is summarised by its own model', () => {
  const tried = [...families.values()].filter(({ window }) => window <= largestWindow);
  it.each(tried.map((family, index) => ({ ...family, index })))(
    'of $modelId, $window tokens',
    async ({ modelId, window, index }) => {
      expect(tried.length).toBeGreaterThan(20);
      for (const [position, ratio] of ratios.entries()) {
        if (window > quickWindow && position !== index % ratios.length) continue;
        const shape = shapes[(index + position) % shapes.length] ?? 'chat';
        const isReported = (index + position) % 2 === 1;
        const bill = await billOf({ modelId, shape, ratio, isReported });
        expectFairBill(bill);
        expect(bill.calls).toBeLessThanOrEqual(window < smallWindow ? 4 : 1);
      }
    },
  );
});
