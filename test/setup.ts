import * as fc from 'fast-check';
import { afterAll, expect, vi } from 'vitest';
import { leastPropertyCases, propertyFactor } from './support/property-cases.ts';

// `generateObject` warns that it is deprecated; the warning is the SDK's, not the subject of a test.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

// What decides whether a change lands must not depend on chance: the usual run always tries the same
// inputs. `PROPERTY_SEED` names others, and a longer run (`PROPERTY_RUNS`) draws its own.
const seed = globalThis.process?.env['PROPERTY_SEED'];
fc.configureGlobal({
  numRuns: leastPropertyCases * propertyFactor,
  ...(seed === undefined && propertyFactor > 1 ? {} : { seed: Number(seed ?? 20_261_121) }),
  // What failed is said beside the case that it failed with.
  includeErrorInReport: true,
  // Says how many cases there were, and lets nothing undercut the least number of them.
  reporter: (details) => {
    if (details.failed) throw new Error(fc.defaultReportMessage(details));
    const cases = details.numRuns;
    if (cases < leastPropertyCases)
      throw new Error(`Only ${cases} cases were tried; ${leastPropertyCases} are the least.`);
    console.info(`${cases} cases: ${expect.getState().currentTestName}`);
  },
});

/** What tests put something else in the place of. */
function replaceable(): Readonly<Record<string, unknown>> {
  const { setTimeout, clearTimeout, Date, performance, process } = globalThis;
  const { AI_SDK_DEFAULT_PROVIDER, AI_SDK_LOG_WARNINGS } = globalThis;
  return {
    ...{ setTimeout, clearTimeout, Date, performance, process },
    ...{ AI_SDK_DEFAULT_PROVIDER, AI_SDK_LOG_WARNINGS },
    'performance.now': performance.now,
    'console.warn': console.warn,
    'process.emitWarning': process?.emitWarning,
    'process.cwd': process?.cwd,
    'process.env': JSON.stringify(process?.env),
  };
}

// Files share a process: each has to leave it as it was.
const before = replaceable();
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  const after = replaceable();
  expect(Object.keys(before).filter((name) => !Object.is(after[name], before[name]))).toEqual([]);
});
