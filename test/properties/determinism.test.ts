import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { memoryStore } from '../../src/index.ts';
import { configs } from './generators/config-plan.ts';
import { traces } from './generators/trace-plan.ts';
import { writeTrace } from './generators/write-trace.ts';
import { checkProperty } from './rig/check-property.ts';
import { knownStrategy } from './rig/known-strategy.ts';
import { rig } from './rig/run-call.ts';
import { runPlan } from './rig/run-plan.ts';

describe('the same conversation', () => {
  it('gives the same bytes in another process at another time, but for ids that are others (P21, P29)', async () => {
    await checkProperty(
      fc.asyncProperty(traces({ huge: true, hostile: true }), configs(), async (plan, config) => {
        const { options, outcome } = await runPlan(plan, config);
        vi.setSystemTime(new Date('2040-01-01T00:00:00Z'));
        const other = rig({ ...options, strategy: knownStrategy() }, config.provider);
        const { prompt } = writeTrace(plan, 'renamed-');
        const renamed = await other.call({ ...outcome.given, prompt });
        const there = await runPlan(plan, config);
        vi.useRealTimers();
        const sent = JSON.stringify(outcome.sent);
        expect(JSON.stringify(renamed.sent)?.replaceAll('renamed-', 'call')).toBe(sent);
        expect(JSON.stringify(there.outcome.sent)).toBe(sent);
        expect(String(there.outcome.error)).toBe(String(outcome.error));
      }),
    );
  });

  it('gives the same bytes from a store that another instance filled, and no other tenant (P29, P42)', async () => {
    await checkProperty(
      fc.asyncProperty(traces({ hostile: true }), configs(), async (plan, config) => {
        const store = memoryStore();
        const first = await runPlan(plan, config, { store });
        const second = await runPlan(plan, config, { store });
        const ofOther = await runPlan(plan, config, { store, namespace: 'another tenant' });
        expect(ofOther.strategy.inputs).toHaveLength(first.strategy.inputs.length);
        const stored = first.outcome.events.some(({ type }) => type === 'end');
        const isStored = stored && first.outcome.sent !== undefined;
        expect(isStored ? second.strategy.inputs.length : 0).toBeLessThanOrEqual(1);
        if (second.outcome.events.some(({ type }) => type === 'start')) return;
        expect(JSON.stringify(second.outcome.sent)).toBe(JSON.stringify(first.outcome.sent));
      }),
    );
  });
});
