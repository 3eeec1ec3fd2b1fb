import type { ViteUserConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

/** What `npm test` runs, without its types, and without the test that builds the package: it has no planted fault. */
const tests: ViteUserConfig = {
  ...config,
  test: {
    ...config.test,
    projects: config.test?.projects?.slice(0, 2) ?? [],
    exclude: [...(config.test?.exclude ?? []), '**/package-entries.test.ts'],
    // One that is slow beside other work would end the whole run; what hangs with a fault the tool ends itself.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
};

export default tests;
