import type { KnipConfig } from 'knip';
import { entries } from './entries.ts';

const config: KnipConfig = {
  entry: [
    ...Object.values(entries).map(({ source }) => source),
    'test/**/*.test.ts',
    'test/**/*.test-d.ts',
  ],
  ignoreDependencies: ['oxc-parser'],
  project: ['src/**/*.{ts,tsx}', 'test/**/*.ts', 'examples/agent-loop/**/*.ts'],
  ignoreExportsUsedInFile: { interface: true, type: true },
  vitest: { config: ['vitest.config.ts'], entry: ['test/setup.ts'] },
};

export default config;
