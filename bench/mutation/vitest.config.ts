import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { sdk6 } from '../../test/ai-6/sdk-6.ts';
import config, { slowest } from '../../vitest.config.ts';

const [usual, apart] = config.test?.projects ?? [];
if (typeof usual !== 'object' || !('test' in usual) || apart === undefined)
  throw new TypeError('The first two projects of vitest.config.ts are not those of npm test.');

/** The source with faults in it, by path: `__STRYKER_ACTIVE_MUTANT__` names the one that is switched on. */
const planted = new Map<string, string>();
const file = process.env['FAULTS'];
if (file !== undefined)
  for (const [name, content] of Object.entries<string>(JSON.parse(readFileSync(file, 'utf8'))))
    planted.set(resolve(name), content);

/** Files in the order in which they are to run. */
const order = process.env['FAULT_ORDER']?.split(' ') ?? [];

function placeOf({ moduleId }: TestSpecification): number {
  return order.indexOf(relative('', moduleId));
}

class Ordered extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

/**
 * What `npm test` runs, the slowest beside it, and what only AI SDK 6 reaches. Without the
 * tests of types and of the built package, which see no fault that is planted as a module is read.
 */
const tests: ViteUserConfig = {
  ...config,
  plugins: [
    ...(config.plugins ?? []),
    { name: 'faults', enforce: 'pre', transform: (_code, id) => planted.get(id) },
  ],
  test: {
    ...config.test,
    setupFiles: ['bench/mutation/reach.ts', 'test/setup.ts'],
    projects: [
      { ...usual, test: { ...usual.test, typecheck: { enabled: false } } },
      apart,
      { extends: true, test: { name: 'slowest', include: slowest } },
      {
        extends: true,
        plugins: [sdk6],
        test: { name: 'ai-6', include: ['test/ai-6/both/*.test.ts'] },
      },
    ],
    exclude: [...(config.test?.exclude ?? []), '**/package-entries.test.ts'],
    sequence: order.length > 0 ? { sequencer: Ordered } : {},
    // One that is slow beside other work would pass for one that has noticed a fault.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
};

export default tests;
