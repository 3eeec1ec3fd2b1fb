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

/** What tests put something else in the place of, by name. */
function replaceable(): ReadonlyMap<string, unknown> {
  const timers = ['setTimeout', 'clearTimeout', 'Date', 'performance', 'MessageChannel'];
  const ofTheSdk = ['AI_SDK_DEFAULT_PROVIDER', 'AI_SDK_LOG_WARNINGS'];
  const places: readonly (readonly [object, readonly string[]])[] = [
    [globalThis, [...timers, ...ofTheSdk, 'process']],
    [performance, ['now']],
    [console, ['warn', 'error']],
    [process, ['emitWarning', 'cwd', 'getBuiltinModule']],
  ];
  const found = new Map<string, unknown>([['env', JSON.stringify(process.env)]]);
  for (const [owner, names] of places)
    for (const name of names) found.set(name, Reflect.get(owner, name));
  return found;
}

// Files share a process: each has to leave it as it was.
const before = replaceable();
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  for (const [name, value] of replaceable())
    if (!Object.is(value, before.get(name)))
      throw new Error(`This file leaves another ${name} behind.`);
});
