import { describe, expect, it } from 'vitest';
import { modelFamilies } from '../../../src/tokens/context-lengths.ts';
import { tokenMultiplierOf } from '../../../src/tokens/model-family.ts';
import { billOf, expectFairBill, ratios, shapes } from '../../bills/one-call.ts';

/** Instructions take a good part of less. */
const smallWindow = 10_000;

/** From here on, one of those that read alike is enough. */
const largeWindow = 150_000;

/** One model of each family. */
const families = modelFamilies.flatMap(([names, contextLength, inputLimit = contextLength]) => {
  const [modelId = ''] = names.split(' ');
  const multiplier = tokenMultiplierOf({ provider: 'test', modelId });
  return { modelId, window: Math.min(contextLength, inputLimit), multiplier };
});
const unlike = families.filter(({ window, multiplier }, index) => {
  const first = families.findIndex(
    (other) => other.window === window && other.multiplier === multiplier,
  );
  return window < largeWindow || first === index;
});

describe('every family of the table of context lengths summarises its own prompt', () => {
  it.each(unlike.map((family, index) => ({ ...family, index })))(
    'of $modelId',
    async ({ modelId, window, index }) => {
      for (const [position, ratio] of ratios.entries()) {
        const shape = shapes[(index + position) % shapes.length] ?? 'chat';
        const isReported = (index + position) % 2 === 1;
        const bill = await billOf({ modelId, shape, ratio, isReported });
        expectFairBill(bill);
        expect(bill.calls, `${shape} at ${ratio}`).toBeLessThanOrEqual(
          window < smallWindow ? 4 : 1,
        );
      }
    },
  );
});
