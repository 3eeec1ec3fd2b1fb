import type { ViteUserConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

const [usual, apart] = config.test?.projects ?? [];
if (typeof usual !== 'object' || !('test' in usual) || apart === undefined)
  throw new TypeError('The first two projects of vitest.config.ts are not those of npm test.');

/**
 * What `npm test` runs, but for what a fault fails that only types can see, such as one in a default parameter: the tests
 * of types, and the one that builds the package.
 */
const tests: ViteUserConfig = {
  ...config,
  test: {
    ...config.test,
    projects: [{ ...usual, test: { ...usual.test, typecheck: { enabled: false } } }, apart],
    exclude: [...(config.test?.exclude ?? []), '**/package-entries.test.ts'],
    // One that is slow beside other work would end the whole run; what hangs with a fault the tool ends itself.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
};

export default tests;
