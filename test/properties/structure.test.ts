import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/index.ts';
import { configs } from './generators/config-plan.ts';
import { traces } from './generators/trace-plan.ts';
import { checkProperty } from './rig/check-property.ts';
import { deepFreeze } from './rig/deep-freeze.ts';
import { readOutcome } from './rig/read-outcome.ts';
import { runPlan, stage } from './rig/run-plan.ts';
import { brokenStructure, structureChecks } from './rig/structure-checks.ts';

/** The cache breakpoints of messages. */
function marksIn(messages: readonly Message[]): number {
  return messages.filter(({ providerOptions }) => providerOptions?.['anthropic'] !== undefined)
    .length;
}

describe('the prompt that is sent', () => {
  it(`keeps its shape (${Object.keys(structureChecks).join(', ')})`, async () => {
    await checkProperty(
      fc.asyncProperty(traces({ huge: true, hostile: true }), configs(), async (plan, config) => {
        const run = await runPlan(plan, config);
        // What cannot be made to fit is the subject of P23.
        if (run.outcome.sent === undefined) return;
        const reading = readOutcome(run.outcome, config.provider, config.placement);
        expect(brokenStructure({ ...run, reading })).toEqual([]);
      }),
      1000,
    );
  });

  it('keeps its shape with messages pinned (P7, P9, P16)', async () => {
    await checkProperty(
      fc.asyncProperty(
        traces({ hostile: true }),
        configs({ fullness: [60, 150] }),
        fc.array(fc.integer({ min: -30, max: 40 }), { maxLength: 4 }),
        async (plan, config, pin) => {
          const staged = await stage(plan, config);
          const providerOptions = { summarization: { pin } };
          const outcome = await staged.call({ ...staged.params, providerOptions });
          if (outcome.sent === undefined) return;
          const reading = readOutcome(outcome, config.provider, config.placement);
          expect(brokenStructure({ ...staged, outcome, reading })).toEqual([]);
          const sent = new Set([...reading.kept, ...reading.tail].map(({ index }) => index));
          const { length } = reading.conversation;
          const wanted = pin.map((given) => (given < 0 ? length + given : given));
          const known = wanted.filter((index) => index >= 0 && index < length);
          expect(known.filter((index) => !sent.has(index))).toEqual([]);
          expect(outcome.sent.providerOptions).toEqual({});
        },
      ),
    );
  });

  it('leaves what was given as it was, even frozen (P3)', async () => {
    await checkProperty(
      fc.asyncProperty(traces({ huge: true, hostile: true }), configs(), async (plan, config) => {
        const { call, params } = await stage(plan, config);
        const before = JSON.stringify(params);
        const { events } = await call(deepFreeze(params));
        expect(JSON.stringify(params)).toBe(before);
        const failures = events.filter((event) => event.type === 'failed');
        expect(failures.filter(({ stage: at }) => at !== 'summarize')).toEqual([]);
      }),
    );
  });

  it('goes out with everything else of the call by reference (P4)', async () => {
    const extras = {
      tools: [],
      toolChoice: { type: 'auto' } as const,
      headers: { 'x-test': '1' },
      providerOptions: { openai: { user: 'u' } },
      responseFormat: { type: 'text' } as const,
      stopSequences: ['stop'],
    };
    await checkProperty(
      fc.asyncProperty(traces(), configs(), async (plan, config) => {
        const { call, params } = await stage(plan, config);
        const given = { ...params, ...extras };
        const { sent } = await call(given);
        if (sent === undefined) return;
        expect(Object.keys(sent).toSorted()).toEqual(Object.keys(given).toSorted());
        for (const [key, value] of Object.entries(extras))
          expect({ key, isSame: Reflect.get(sent, key) === value }).toEqual({ key, isSame: true });
      }),
    );
  });

  it('carries no more cache breakpoints than it had, or four (P15)', async () => {
    const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
    await checkProperty(
      fc.asyncProperty(
        traces(),
        configs(),
        fc.array(fc.nat(60), { maxLength: 7 }),
        async (plan, config, marked) => {
          const { call, params } = await stage(plan, config);
          const prompt = params.prompt.map((message, index) =>
            marked.includes(index) ? { ...message, providerOptions } : message,
          );
          const { sent } = await call({ ...params, prompt });
          if (sent === undefined) return;
          expect(marksIn(sent.prompt)).toBeLessThanOrEqual(Math.max(4, marksIn(prompt)));
        },
      ),
    );
  });
});
