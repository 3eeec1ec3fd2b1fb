import type { KnipConfig } from 'knip';
import { entries } from './entries.ts';

const config: KnipConfig = {
  entry: [
    ...Object.values(entries).map(({ source }) => source),
    'test/**/*.test.ts',
    'test/**/*.test-d.ts',
    'bench/*/main.ts',
    'test/ai-6/{current-names,google,mock-models}.ts',
    'test/packed/project/*',
    'test/documents/{run-blocks,stand-ins}.ts',
    'test/workers/{stores,worker}.ts',
    'examples/{durable,hono-redis,join-late}/*.ts',
  ],
  // The providers of AI SDK 6 are found by the name that a test's plugin puts together.
  ignoreDependencies: [
    // The embedded model of the example finds words by it; tests run that model here.
    'stemmer',
    'oxc-parser',
    // Packages of the benchmarks.
    '@langchain/core',
    '@stryker-mutator/instrumenter',
    'anthropic-provider-6',
    'openai-provider-6',
  ],
  project: [
    'src/**/*.{ts,tsx}',
    'test/**/*.ts',
    'examples/{agent-loop,durable,hono-redis,join-late}/**/*.ts',
  ],
  // Installations of their own.
  ignore: ['test/clients/**', 'test/hosts/**'],
  ignoreExportsUsedInFile: { interface: true, type: true },
  vitest: { config: ['vitest.config.ts'], entry: ['test/setup.ts'] },
};

export default config;
