import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { sdk6, testsOfBoth } from './test/ai-6/sdk-6.ts';

/** What takes minutes: `npm run test:long`. */
const long = [
  'test/hostile/hostile-texts.test.ts',
  'test/hostile/hostile-summaries.test.ts',
  'test/hostile/broken-stores.test.ts',
  'test/{properties,inside/properties}/*.test.ts',
  'test/wire/matrix/*.test.ts',
  'test/wire/random.test.ts',
  'test/wire/carried-state.test.ts',
  'test/wire/variants.test.ts',
  'test/stores/redis/*.test.ts',
  'test/stores/postgres/postgres-server.test.ts',
  'test/archive/on-engines.test.ts',
  'test/archive/erased-is-gone.test.ts',
  'test/middleware/state/alike.test.ts',
  'test/middleware/huge-json.test.ts',
  'test/stores/markdown/dying-writers.test.ts',
  'test/inside/strategies/rule-based/hostile-input.test.ts',
  'test/wire/next-request.test.ts',
  'test/inside/bills/every-family.test.ts',
];

/** What looks for histories that nobody has seen: `npm run bench:chaos`. */
const byCommand = ['test/chaos/*.test.ts'];

/** What runs the built package in processes of its own: `npm run test:examples`. */
const examples = ['test/examples/servers/*.test.ts', 'test/workers/*.test.ts'];

const config: ViteUserConfig = defineConfig({
  plugins: [
    {
      // Prompts are Markdown files imported as text; the build inlines them, the tests need the same.
      name: 'markdown-as-text',
      transform: {
        filter: { id: /\.md$/ },
        handler: (code: string) => `export default ${JSON.stringify(code)}`,
      },
    },
  ],
  test: {
    setupFiles: ['test/setup.ts'],
    // All cores: the default leaves one to an editor, which is half of a small machine.
    maxWorkers: '100%',
    // Only what hangs runs into it: no test waits for a clock, and a busy machine may be slow.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    coverage: { include: ['src/**/*.ts'], exclude: ['src/**/*.d.ts', 'src/index.ts'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'usual',
          include: ['test/**/*.test.ts'],
          exclude: [...long, ...byCommand, ...examples],
          typecheck: { enabled: true, include: ['test/**/*.test-d.ts'] },
        },
      },
      { extends: true, test: { name: 'long', include: long } },
      { extends: true, test: { name: 'chaos', include: byCommand } },
      { extends: true, test: { name: 'examples', include: examples } },
      {
        extends: true,
        plugins: [sdk6],
        test: { name: 'ai-6', include: testsOfBoth },
      },
    ],
  },
});

export default config;
