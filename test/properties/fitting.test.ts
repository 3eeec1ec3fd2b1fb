import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  droppingOldest,
  factOf,
  historyPrompt,
  keptBytes,
  testMeasure,
  type Said,
} from '../fitting/growing-history.ts';
import { configs } from './generators/config-plan.ts';
import { traces } from './generators/trace-plan.ts';
import { checkProperty } from './rig/check-property.ts';
import { readOutcome } from './rig/read-outcome.ts';
import { rig } from './rig/run-call.ts';
import { runPlan } from './rig/run-plan.ts';
import { brokenStructure } from './rig/structure-checks.ts';

/** Sends the last states of a conversation, one step after the other, to a model that gets no summary. */
async function lastPrompts(
  steps: readonly Said[],
  limit: number,
  count: number,
): Promise<LanguageModelV4Prompt[]> {
  // A given multiplier: nothing is left free for what is estimated.
  const providers = { openai: { tokenMultiplier: 1 } };
  const { call } = rig({ contextLength: limit, strategy: 'none', providers });
  const prompts: LanguageModelV4Prompt[] = [];
  for (let length = steps.length - count + 1; length <= steps.length; length += 1) {
    const { sent, error } = await call({ prompt: historyPrompt(steps.slice(0, length)) });
    if (sent === undefined) throw error;
    prompts.push(sent.prompt);
  }
  return prompts;
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

describe('a prompt that is shortened without a summary', () => {
  it('fills the window, as dropping the oldest groups does, in every call (P72)', async () => {
    const measure = await testMeasure();
    const kept: number[] = [];
    await checkProperty(
      fc.asyncProperty(sized, async ([limit, steps]) => {
        const given = historyPrompt(steps);
        if (measure.prompt(historyPrompt(steps.slice(0, -1))) <= limit) return;
        const [first = [], second = []] = await lastPrompts(steps, limit, 2);
        const dropped = droppingOldest(given, limit, measure);
        for (const prompt of [first, second]) {
          expect(measure.prompt(prompt)).toBeLessThanOrEqual(limit);
          expect(measure.prompt(prompt)).toBeGreaterThan(limit * 0.85);
          // What the user said first goes last.
          expect(JSON.stringify(prompt)).toContain(factOf(0));
        }
        // A step of history, which the next calls grow into.
        expect(measure.prompt(second)).toBeGreaterThan(measure.prompt(dropped) - limit * 0.15);
        kept.push(keptBytes(first, second));
      }),
    );
    const mean = kept.reduce((total, share) => total + share, 0) / kept.length;
    expect(mean, `of ${kept.length} pairs of calls`).toBeGreaterThan(0.65);
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
          expect(brokenStructure({ ...run, reading })).toEqual([]);
        },
      ),
      600,
    );
  });
});
