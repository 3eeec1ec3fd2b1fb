import { expect, it } from 'vitest';
import { explore } from './explore.ts';

const { CHAOS_OPERATIONS, CHAOS_SEED } = process.env;

/** Operations that are performed at least. */
const floor = 2000;

it('keeps its promises whatever clients, stores, summarizers and providers do', async () => {
  const operations = Number(CHAOS_OPERATIONS ?? floor);
  const seed = Number(CHAOS_SEED ?? 20_261_121);
  const explored = await explore({
    operations,
    seed,
    onRound: (performed, nextSeed) => {
      if (operations > floor) console.info(`${performed} operations; next seed ${nextSeed}`);
    },
  });
  expect(explored.counterexample).toBeUndefined();
  expect(explored.operations).toBeGreaterThanOrEqual(operations);
}, 14_400_000);
