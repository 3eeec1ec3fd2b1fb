import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configs } from '../../properties/generators/config-plan.ts';
import { traces } from '../../properties/generators/trace-plan.ts';
import { checkProperty } from '../../properties/rig/check-property.ts';
import { readOutcome } from '../../properties/rig/read-outcome.ts';
import { rig } from '../../properties/rig/run-call.ts';
import { runPlan } from '../../properties/rig/run-plan.ts';
import { brokenStructure } from '../../properties/rig/structure-checks.ts';
import {
  factOf,
  historyPrompt,
  keptBytes,
  type Said,
  testMeasure,
} from '../fitting/growing-history.ts';

/** A given multiplier: nothing is left free for what is estimated. */
const providers = { openai: { tokenMultiplier: 1 } };

/** Sends the last states of a conversation, one step after the other, to a model that gets no summary. */
async function lastCalls(
  steps: readonly Said[],
  limit: number,
  count: number,
): Promise<LanguageModelV4Prompt[]> {
  const { call } = rig({ contextLength: limit, strategy: 'none', providers });
  const calls: LanguageModelV4Prompt[] = [];
  for (let length = steps.length - count + 1; length <= steps.length; length += 1) {
    const given = historyPrompt(steps.slice(0, length));
    const { sent, error } = await call({ prompt: given });
    if (sent === undefined) throw error;
    calls.push(sent.prompt);
  }
  return calls;
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
  it('fills the window and keeps most of the prompt before it (P72)', async () => {
    const measure = await testMeasure();
    const kept: number[] = [];
    await checkProperty(
      fc.asyncProperty(sized, async ([limit, steps]) => {
        fc.pre(measure.prompt(historyPrompt(steps.slice(0, -1))) > limit);
        const [first, second] = await lastCalls(steps, limit, 2);
        if (first === undefined || second === undefined) throw new Error('Two calls were made.');
        for (const prompt of [first, second]) {
          expect(measure.prompt(prompt)).toBeLessThanOrEqual(limit);
          expect(measure.prompt(prompt)).toBeGreaterThan(limit * 0.85);
          // What the user said first goes last.
          expect(JSON.stringify(prompt)).toContain(factOf(0));
        }
        kept.push(keptBytes(first, second));
      }),
    );
    const mean = kept.reduce((total, share) => total + share, 0) / kept.length;
    expect(mean, `of ${kept.length} pairs of calls`).toBeGreaterThan(0.8);
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
