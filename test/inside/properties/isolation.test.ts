import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyContent } from '../../support/empty-content.ts';
import type { SummaryRecord } from '../../../src/index.ts';
import { renderSummary } from '../../../src/composing/render-summary.ts';
import { visibleText } from '../../../src/cleaning/visible-text.ts';
import { storeKeys } from '../../../src/stores/store-keys.ts';
import { configs } from '../../properties/generators/config-plan.ts';
import { hostileFragments } from '../../properties/generators/texts.ts';
import { traces, type TracePlan } from '../../properties/generators/trace-plan.ts';
import { checkProperty } from '../../properties/rig/check-property.ts';
import { parseEnvelope } from '../../properties/rig/parse-envelope.ts';
import { readOutcome } from '../../properties/rig/read-outcome.ts';
import { runPlan, stage } from '../../properties/rig/run-plan.ts';

const hostileTexts = fc
  .array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...hostileFragments)), {
    maxLength: 6,
  })
  .map((parts) => parts.join(' '));

describe('a summary in the prompt', () => {
  it('is one record whatever texts it holds (P43)', () => {
    const list = fc.array(hostileTexts, { maxLength: 3 });
    const records = fc.record({
      id: fc.constant('0123456789abcdef'),
      depth: fc.nat(9),
      summary: hostileTexts,
      keyPoints: list,
      context: fc.record({
        participants: list,
        decisions: list,
        actionItems: fc.array(fc.record({ task: hostileTexts, owner: hostileTexts })),
        unresolved: list,
        domainEntities: list,
        constraints: list,
      }),
    });
    fc.assert(
      fc.property(records, list, (record, userMessages) => {
        const rendered = renderSummary(record, userMessages);
        const parsed = parseEnvelope(rendered);
        expect(parsed.depth).toBe(record.depth);
        expect(parsed.content['summary']).toBe(visibleText(record.summary));
        expect(parsed.content['keyPoints'] ?? []).toEqual(record.keyPoints.map(visibleText));
      }),
      { numRuns: 1000 },
    );
  });

  it('reaches the model whole (P43)', async () => {
    await checkProperty(
      fc.asyncProperty(
        traces({ huge: true, hostile: true, minTurns: 3 }),
        configs(),
        fc.array(hostileTexts, { maxLength: 5 }),
        async (plan, config, userMessages) => {
          const content = {
            summary: `s ${userMessages.join(' ')}`,
            keyPoints: userMessages,
            context: emptyContext,
          };
          const usage = { inputTokens: 0, outputTokens: 0 };
          const { outcome } = await runPlan(plan, config, {
            strategy: { name: 'any', summarize: () => Promise.resolve({ content, usage }) },
          });
          if (outcome.sent === undefined) return;
          const { summary } = readOutcome(outcome, config.provider, config.placement);
          expect(summary === undefined ? 0 : parseEnvelope(summary).depth).toBeGreaterThanOrEqual(
            0,
          );
        },
      ),
      400,
    );
  });
});

describe('what a conversation says', () => {
  it('never decides what is kept (P44, P45)', async () => {
    const forced = { summarization: { force: true } };
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
});

const anyNames = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'a', 'a:b', '\0'));

describe('store keys', () => {
  it('of two namespaces never meet, whatever their fields are (P42)', async () => {
    const fields = fc.array(anyNames, { maxLength: 3 });
    await checkProperty(
      fc.asyncProperty(anyNames, anyNames, fields, fields, async (a, b, fieldsA, fieldsB) => {
        fc.pre(a !== b);
        const keyA = await storeKeys('one secret', a).key(...fieldsA);
        const keyB = await storeKeys('one secret', b).key(...fieldsB);
        expect(keyA).not.toBe(keyB);
      }),
      500,
    );
  });
});

const emptyContext: SummaryRecord['context'] = emptyContent('').context;

/** Puts a text into every text of a conversation. */
function withExtra(plan: TracePlan, extra: string): TracePlan {
  const copy: TracePlan = JSON.parse(JSON.stringify(plan), (key, value: unknown) =>
    key === 'extra' ? extra : value,
  );
  return copy;
}
