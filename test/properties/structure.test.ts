import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/index.ts';
import { configs } from './generators/config-plan.ts';
import { traces } from './generators/trace-plan.ts';
import { checkProperty } from './rig/check-property.ts';
import { deepFreeze } from './rig/deep-freeze.ts';
import { readOutcome } from './rig/read-outcome.ts';
import { stage } from './rig/run-plan.ts';
import { brokenStructure, structureChecks } from './rig/structure-checks.ts';

/** The cache breakpoints of messages. */
function marksIn(messages: readonly Message[]): number {
  return messages.filter(({ providerOptions }) => providerOptions?.['anthropic'] !== undefined)
    .length;
}

const marked = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** All that a call may have beside its prompt. */
const extras = {
  tools: [],
  toolChoice: { type: 'auto' } as const,
  headers: { 'x-test': '1' },
  providerOptions: { openai: { user: 'u' } },
  responseFormat: { type: 'text' } as const,
  stopSequences: ['stop'],
};

describe('the prompt that is sent', () => {
  it(`keeps its shape (${Object.keys(structureChecks).join(', ')}), and leaves all else as it was (P3, P4, P15, P46)`, async () => {
    const ofPrototype = Object.getOwnPropertyNames(Object.prototype);
    await checkProperty(
      fc.asyncProperty(
        traces({ huge: true, hostile: true }),
        configs(),
        fc.array(fc.nat(60), { maxLength: 7 }),
        async (plan, config, marks) => {
          const { call, params, trace } = await stage(plan, config);
          const prompt = params.prompt.map((message, index) =>
            marks.includes(index) ? { ...message, providerOptions: marked } : message,
          );
          const given = deepFreeze({ ...params, prompt, ...extras });
          const before = JSON.stringify(given);
          const outcome = await call(given);
          expect(JSON.stringify(given)).toBe(before);
          const failures = outcome.events.filter((event) => event.type === 'failed');
          expect(failures.filter(({ stage: at }) => at !== 'summarize')).toEqual([]);
          expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(ofPrototype);
          expect(Reflect.get({}, 'polluted')).toBeUndefined();
          // What cannot be made to fit is the subject of P23.
          const { sent } = outcome;
          if (sent === undefined) return;
          const reading = readOutcome(outcome, config.provider, config.placement);
          expect(brokenStructure({ trace, outcome, reading })).toEqual([]);
          expect(Object.keys(sent).toSorted()).toEqual(Object.keys(given).toSorted());
          const beside = Object.entries(extras);
          expect(beside.filter(([key, value]) => Reflect.get(sent, key) !== value)).toEqual([]);
          expect(marksIn(sent.prompt)).toBeLessThanOrEqual(Math.max(4, marksIn(prompt)));
        },
      ),
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

  it('keeps its shape where it is shortened without a summary (P1 to P16)', async () => {
    await checkProperty(
      fc.asyncProperty(
        traces({ huge: true, hostile: true }),
        configs({ fullness: [90, 400] }),
        async (plan, config) => {
          const staged = await stage(plan, config, { strategy: 'none' });
          const outcome = await staged.call(staged.params);
          if (outcome.sent === undefined) return;
          const reading = readOutcome(outcome, config.provider, config.placement);
          expect(brokenStructure({ ...staged, outcome, reading })).toEqual([]);
        },
      ),
    );
  });
});
