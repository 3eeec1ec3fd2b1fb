import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TokenMeasure } from '../../../src/sizing/token-measure.ts';
import { configs } from '../../properties/generators/config-plan.ts';
import { traces } from '../../properties/generators/trace-plan.ts';
import { checkProperty } from '../../properties/rig/check-property.ts';
import { readOutcome } from '../../properties/rig/read-outcome.ts';
import { rig } from '../../properties/rig/run-call.ts';
import { runPlan } from '../../properties/rig/run-plan.ts';
import { brokenStructure } from '../../properties/rig/structure-checks.ts';
import { bareRecordTokens, droppingOldest, keptOf } from '../fitting/dropping-oldest.ts';
import {
  factOf,
  historyPrompt,
  keptBytes,
  type Said,
  testMeasure,
} from '../fitting/growing-history.ts';

/** A given multiplier: nothing is left free for what is estimated. */
const providers = { openai: { tokenMultiplier: 1 } };

/** A call that had to be shortened: the prompt as it was given, as it was sent, and the room it had. */
interface Shortened {
  readonly given: LanguageModelV4Prompt;
  readonly prompt: LanguageModelV4Prompt;
  readonly target: number;
}

/** Sends the last states of a conversation, one step after the other, to a model that gets no summary. */
async function lastCalls(
  steps: readonly Said[],
  limit: number,
  count: number,
): Promise<Shortened[]> {
  const { call } = rig({ contextLength: limit, strategy: 'none', providers });
  const calls: Shortened[] = [];
  for (let length = steps.length - count + 1; length <= steps.length; length += 1) {
    const given = historyPrompt(steps.slice(0, length));
    const { sent, error } = await call({ prompt: given });
    if (sent === undefined) throw error;
    calls.push({ given, prompt: sent.prompt, target: limit });
  }
  return calls;
}

/** Share of the window that may stay empty so that the next calls leave out the same, or take a message more. */
const spareShare = 0.25;

/** What a prompt keeps too little of, compared with dropping the oldest groups behind a record without words. */
function shortfallOf({ given, prompt, target }: Shortened, measure: TokenMeasure): string[] {
  const plain = droppingOldest(given, target - bareRecordTokens(measure), measure);
  const fewer = keptOf(plain, measure) - keptOf(prompt, measure);
  return [
    ...(measure.prompt(prompt) > target ? ['more than the target'] : []),
    ...(fewer > spareShare * target ? [`${fewer} tokens fewer`] : []),
  ];
}

/** Steps that are small beside the window, the first one the user's. */
const agents = (limit: number): fc.Arbitrary<Said[]> => {
  const step: fc.Arbitrary<Said> = fc.record({
    kind: fc.constantFrom('tool', 'tool', 'tool', 'answer', 'user'),
    words: fc.integer({ min: 5, max: Math.floor(limit / 40) }),
  });
  return fc
    .array(step, { minLength: 70, maxLength: 110 })
    .map((steps) => [{ kind: 'user', words: 30 } as const, ...steps]);
};

const limits = [2000, 3000, 4000];
const sized = fc
  .constantFrom(...limits)
  .chain((limit) => fc.tuple(fc.constant(limit), agents(limit)));

/** Steps of all sizes, the larger ones of a fifth of the window: few of them fill it. */
const anyAgents = (limit: number): fc.Arbitrary<Said[]> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom('tool', 'tool', 'answer', 'user'),
      words: fc.oneof(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 40, max: Math.floor(limit / 8) }),
      ),
    }),
    { minLength: 30, maxLength: 80 },
  );
const anySized = fc
  .constantFrom(...limits)
  .chain((limit) => fc.tuple(fc.constant(limit), anyAgents(limit)));

describe('a prompt that is shortened without a summary', () => {
  it('fills the window and keeps most of the prompt before it (P72)', async () => {
    const measure = await testMeasure();
    const kept: number[] = [];
    await checkProperty(
      fc.asyncProperty(sized, async ([limit, steps]) => {
        fc.pre(measure.prompt(historyPrompt(steps.slice(0, -1))) > limit);
        const [first, second] = await lastCalls(steps, limit, 2);
        if (first === undefined || second === undefined) throw new Error('Two calls were made.');
        for (const { prompt } of [first, second]) {
          expect(measure.prompt(prompt)).toBeLessThanOrEqual(limit);
          expect(measure.prompt(prompt)).toBeGreaterThan(limit * 0.85);
          // What the user said first goes last.
          expect(JSON.stringify(prompt)).toContain(factOf(0));
        }
        kept.push(keptBytes(first.prompt, second.prompt));
      }),
    );
    const mean = kept.reduce((total, share) => total + share, 0) / kept.length;
    expect(mean, `of ${kept.length} pairs of calls`).toBeGreaterThan(0.8);
  });

  it('keeps nearly as much as dropping the oldest groups would (P72)', async () => {
    const measure = await testMeasure();
    await checkProperty(
      fc.asyncProperty(anySized, async ([limit, steps]) => {
        fc.pre(measure.prompt(historyPrompt(steps.slice(0, -1))) > limit);
        for (const call of await lastCalls(steps, limit, 2))
          expect(shortfallOf(call, measure)).toEqual([]);
      }),
    );
  });

  it('keeps its shape (P1 to P16)', async () => {
    await checkProperty(
      fc.asyncProperty(
        traces({ huge: true, hostile: true }),
        configs({ fullness: [90, 400] }),
        async (plan, config) => {
          const run = await runPlan(plan, config, { strategy: 'none' });
          // What cannot be made to fit is the subject of P23.
          if (run.outcome.sent === undefined) return;
          const reading = readOutcome(run.outcome, config.provider, config.placement);
          const bs = brokenStructure({ ...run, reading });
          expect(JSON.stringify(bs)).toEqual('[]');
        },
      ),
      600,
    );
  });
});
