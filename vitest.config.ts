import { globSync, readFileSync } from 'node:fs';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { sdk6, testsOfBoth } from './test/ai-6/sdk-6.ts';

/** The slowest of what looks at one thing each. */
export const slowest: string[] = [
  'test/ai-6/both/wire.test.ts',
  'test/examples/agent-loop/loop.test.ts',
  'test/malformed/malformed-messages.test.ts',
  'test/middleware/{cost,long-conversations,redaction,waiting}.test.ts',
  'test/stores/chroma/chroma-tree-store.test.ts',
  'test/stores/postgres/postgres-server.test.ts',
  'test/stores/redis/*.test.ts',
];

/** What takes minutes: `npm run test:long`. */
const long = [
  'test/hostile/*.test.ts',
  'test/{properties,inside/properties}/*.test.ts',
  'test/wire/legality/*.test.ts',
  'test/wire/random.test.ts',
  'test/archive/{on-engines,four-processes,schedules}.test.ts',
  'test/archive/erased-is-gone.test.ts',
  'test/middleware/state/alike.test.ts',
  'test/middleware/huge-json.test.ts',
  'test/summary-quality/*.test.ts',
  ...slowest,
];

/** What looks for histories that nobody has seen: `npm run bench -- chaos`. */
const byCommand = ['test/chaos/*.test.ts'];

/** What talks for sixty turns to each kind of server: `npm run test:models`. */
const models = ['test/models/*.test.ts'];

/** What runs the built package in processes of its own: `npm run test:examples`. */
const examples = ['test/examples/servers/*.test.ts', 'test/workers/*.test.ts'];

const usual = ['test/**/*.test.ts'];
/** What has an installation of its own: `npm run test:hosts`. */
const hosts = ['test/hosts/**'];

/** What applications reach their databases by, which has an installation of its own: `npm run test:clients`. */
const clients = ['test/clients/*.test.ts'];

const otherwise = [...long, ...byCommand, ...models, ...examples, ...hosts, 'test/clients/**'];

/**
 * What mocks modules, or loads them anew, must not meet those that others have loaded, nor what sets variables that
 * provider packages read when they load; and what counts timers, or runs them all, not what others have begun.
 */
const apartOf = (tests: readonly string[], exclude: readonly string[] = []): string[] =>
  globSync(tests, { exclude: [...exclude, '**/node_modules/**'] }).filter((file) =>
    /\bvi\.(?:mock|doMock|resetModules|stubEnv|getTimerCount|runAllTimersAsync)\(/.test(
      readFileSync(file, 'utf8'),
    ),
  );
const apart = apartOf(usual, otherwise);
const apartOf6 = apartOf(testsOfBoth);

/** For tests of hundreds of cases, and of servers and processes that have to start first. */
const patient = { testTimeout: 300_000, hookTimeout: 300_000 };

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
    // Only what hangs runs into it: no test waits for a clock.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: { include: ['src/**/*.ts'], exclude: ['src/**/*.d.ts', 'src/index.ts'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'usual',
          include: usual,
          exclude: [...otherwise, ...apart],
          // Files share their modules: loading them anew for each took half of the time.
          isolate: false,
          typecheck: { enabled: true, include: ['test/**/*.test-d.ts'] },
        },
      },
      { extends: true, test: { name: 'apart', include: apart } },
      { extends: true, test: { name: 'long', include: long, ...patient } },
      { extends: true, test: { name: 'chaos', include: byCommand, ...patient } },
      { extends: true, test: { name: 'models', include: models, ...patient } },
      { extends: true, test: { name: 'clients', include: clients, ...patient } },
      { extends: true, test: { name: 'examples', include: examples, ...patient } },
      {
        extends: true,
        plugins: [sdk6],
        test: { name: 'ai-6', include: testsOfBoth, exclude: apartOf6, isolate: false },
      },
      { extends: true, plugins: [sdk6], test: { name: 'ai-6-apart', include: apartOf6 } },
    ],
  },
});

export default config;
