import { describe, expect, it } from 'vitest';
import { tokenMultiplierOf } from '../../src/tokens/token-multiplier-of.ts';
import { billOf, expectFairBill, families, modelOf, ratios, shapes } from './one-call.ts';

/** Instructions take a good part of less. */
const smallWindow = 10_000;

/** From here on, one of those that read alike is enough. */
const largeWindow = 150_000;

const each = families.filter(({ modelId, window }, index) => {
  const kind = (id: string): number => tokenMultiplierOf({ provider: 'test', modelId: id });
  const isFirst = families.findIndex(
    (other) => other.window === window && kind(other.modelId) === kind(modelId),
  );
  return window < largeWindow || isFirst === index;
});

describe('every family of the table of context lengths summarises its own prompt', () => {
  it.each(each.map((family, index) => ({ ...family, index })))(
    'of $modelId with one call',
    async ({ modelId, window, index }) => {
      for (const [position, ratio] of ratios.entries()) {
        const isReported = (index + position) % 2 === 1;
        const bill = await billOf({
          model: modelOf(modelId, isReported),
          shape: shapes[(index + position) % shapes.length] ?? 'chat',
          tokens: ratio * window,
          isReported,
        });
        expectFairBill(bill);
        expect(bill.calls).toBeLessThanOrEqual(window < smallWindow ? 4 : 1);
      }
    },
  );
});
