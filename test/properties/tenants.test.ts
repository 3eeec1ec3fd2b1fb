import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../src/index.ts';
import { configs } from './generators/config-plan.ts';
import { traces } from './generators/trace-plan.ts';
import { checkProperty } from './rig/check-property.ts';
import { runPlan } from './rig/run-plan.ts';

describe('tenants of one store', () => {
  it('read nothing that another one stored (P42)', async () => {
    await checkProperty(
      fc.asyncProperty(
        traces({ minTurns: 4 }),
        configs({ fullness: [90, 130], ratioOnly: true }),
        async (plan, config) => {
          const store = memoryStore();
          const first = await runPlan(plan, config, { store, namespace: 'tenant-a' });
          const second = await runPlan(plan, config, { store, namespace: 'tenant-b' });
          expect(second.strategy.inputs).toHaveLength(first.strategy.inputs.length);
        },
      ),
    );
  });
});
