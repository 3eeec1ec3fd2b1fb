import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { configs } from './generators/config-plan.ts';
import { hostileFragments } from './generators/texts.ts';
import { traces, type TracePlan } from './generators/trace-plan.ts';
import { checkProperty } from './rig/check-property.ts';
import { readOutcome } from './rig/read-outcome.ts';
import { stage } from './rig/run-plan.ts';

const forced = { summarization: { force: true } };

/** Puts a text into every text of a conversation. */
function withExtra(plan: TracePlan, extra: string): TracePlan {
  const copy: TracePlan = JSON.parse(JSON.stringify(plan), (key, value: unknown) =>
    key === 'extra' ? extra : value,
  );
  return copy;
}

it('what a conversation says never decides what is kept (P44, P45)', async () => {
  await checkProperty(
    fc.asyncProperty(
      traces({ minTurns: 4 }),
      // Far below the limit, so that sizes decide nothing: what is kept is a matter of counting.
      configs({ fullness: [2, 4], ratioOnly: true }),
      fc.constantFrom(...hostileFragments),
      async (plan, config, fragment) => {
        const alike = { ...config, preserveRecentTokenRatio: 0, triggerTokenRatio: 1 };
        const keptOf = async (extra: string): Promise<readonly number[] | undefined> => {
          const { call, params } = await stage(withExtra(plan, extra), alike);
          const outcome = await call({ ...params, providerOptions: forced });
          // So little to cover that the size of the texts decides whether it pays.
          if (outcome.events.every(({ type }) => type !== 'end')) return undefined;
          const { kept, tail } = readOutcome(outcome, config.provider, config.placement);
          return [...kept, ...tail].map(({ index }) => index);
        };
        const [tame, wild] = [await keptOf('harmless'), await keptOf(fragment)];
        expect(wild ?? tame).toEqual(tame ?? wild);
      },
    ),
  );
});
