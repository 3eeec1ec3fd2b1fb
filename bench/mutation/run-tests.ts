import { join, relative } from 'node:path';
import { inspect } from 'node:util';
import { createVitest, type TestModule, type TestSpecification } from 'vitest/node';
import { testOrder } from './test-order.ts';
import type { FailedTest, TestOrder, TestOutcome, TestReport } from './test-run.ts';

// The process that runs tests on a fault, up to the first that fails. It is one of its own, so that it can be
// ended when a fault keeps it running for ever.

process.once('disconnect', () => process.exit());
await runTests(JSON.parse(process.argv[2] ?? ''));

function report(message: TestReport): void {
  process.send?.(message);
}

async function runTests(given: TestOrder): Promise<void> {
  const { root, sourceFiles, bail, only, except, limit } = given;
  const pathOf = ({ moduleId }: { readonly moduleId: string }): string => relative(root, moduleId);
  const inOrder = (specifications: TestSpecification[]): TestSpecification[] => {
    const order = testOrder(given, specifications.map(pathOf));
    return specifications.toSorted(
      (one, other) => order.indexOf(pathOf(one)) - order.indexOf(pathOf(other)),
    );
  };
  const vitest = await createVitest(
    'test',
    {
      root,
      watch: false,
      project: ['usual', 'apart'],
      // A fault must be met by every file, whatever those before it have loaded.
      isolate: true,
      related: sourceFiles.map((file) => join(root, file)),
      bail,
      maxWorkers: 2,
      testTimeout: limit * 1000,
      hookTimeout: limit * 1000,
      fsModuleCachePath: join(root, '.vitest-cache'),
      reporters: [
        {
          onTestCaseResult: () => report({ type: 'progress' }),
          onTestModuleEnd: () => report({ type: 'progress' }),
        },
      ],
      sequence: {
        sequencer: class {
          shard = inOrder;
          sort = inOrder;
        },
      },
    },
    { cacheDir: join(root, '.vite') },
  );
  const related = await vitest.getRelevantTestSpecifications();
  const chosen = related.filter(
    (specification) =>
      // Types that do not fit are no failing test.
      specification.pool !== 'typescript' &&
      (only === undefined || only.includes(pathOf(specification))) &&
      !except.includes(pathOf(specification)),
  );
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen);
  report({ type: 'outcome', outcome: outcomeOf(testModules, unhandledErrors, pathOf) });
  await vitest.close();
}

function outcomeOf(
  testModules: readonly TestModule[],
  unhandledErrors: readonly unknown[],
  pathOf: (module: TestModule) => string,
): TestOutcome {
  const passed = testModules.filter((module) => module.state() === 'passed');
  const failed = testModules
    .filter((module) => module.state() === 'failed')
    .map((module): FailedTest => {
      const [test] = module.children.allTests('failed');
      return { file: pathOf(module), name: test?.fullName ?? '' };
    });
  return {
    failed: failed.length > 0 ? failed : unhandledErrors.map(failureOutside),
    passed: passed.map(pathOf),
    milliseconds: Object.fromEntries(
      passed.map((module) => [pathOf(module), Math.round(module.diagnostic().duration)]),
    ),
  };
}

/** An error that no test has awaited fails a run too. */
function failureOutside(error: unknown): FailedTest {
  return { file: '', name: `unhandled ${inspect(error, { depth: 0 }).split('\n', 1)[0]}` };
}
