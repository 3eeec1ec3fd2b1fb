import * as fc from 'fast-check';

// `generateObject` warns that it is deprecated; the warning is the SDK's, not the subject of a test.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

// What decides whether a change lands must not depend on chance: the usual run always tries the same
// inputs. `PROPERTY_SEED` names others, and a longer run (`PROPERTY_RUNS`) draws its own.
const { PROPERTY_RUNS, PROPERTY_SEED } = globalThis.process?.env ?? {};
if (PROPERTY_SEED !== undefined || PROPERTY_RUNS === undefined) {
  fc.configureGlobal({ seed: Number(PROPERTY_SEED ?? 20_261_121) });
}
