import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { randomNumbers } from '../cache/random.ts';
import { silentLog } from '../silent-log.ts';

// Whether the tests notice faults that StrykerJS plants in the source. Definitions: README.md of the folder above.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '7' },
  },
});
const folders = positionals.length > 0 ? positionals : ['src'];
const count = integer('count', values.count);
const random = randomNumbers(integer('seed', values.seed));

const places = await placesOf(globSync(folders.map((folder) => `${folder}/**/*.ts`)).toSorted());
if (places.length < count)
  throw new RangeError(`${folders.join(', ')}: ${places.length} places, fewer than ${count}.`);
const drawn = Array.from({ length: count }, () =>
  places.splice(Math.floor(random() * places.length), 1),
).flat();

const results = await new Stryker({
  mutate: drawn,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'bench/mutation/vitest.config.ts' },
  coverageAnalysis: 'perTest',
  // What runs as a module loads is reached by every test: one such fault takes as long as all of them.
  ignoreStatic: true,
  concurrency: 2,
  dryRunTimeoutMinutes: 30,
  timeoutMS: 60_000,
  // Only its types: the compiler is not one that the tool knows.
  tsconfigFile: 'none.json',
  ignorePatterns: ['**/node_modules', 'dist', 'coverage', '**/.next'],
  reporters: ['clear-text'],
  clearTextReporter: { reportTests: false, reportScoreTable: false, allowColor: false },
  tempDirName: '.stryker-tmp',
}).runMutationTest();

const tried = results.filter(({ status }) => status !== 'Ignored');
const caught = tried.filter(({ status }) => status === 'Killed' || status === 'Timeout');
console.log(`${caught.length} of ${tried.length} caught, at ${count} places, seed ${values.seed}`);

/** Where the tool makes a change within one line. */
async function placesOf(files: readonly string[]): Promise<string[]> {
  const { mutants } = await new Instrumenter(silentLog).instrument(
    files.map((name) => ({ name, content: readFileSync(name, 'utf8'), mutate: true })),
    { plugins: null, ignorers: [], excludedMutations: [] },
  );
  const within = mutants.filter(
    ({ status, location: { start, end } }) => status === undefined && start.line === end.line,
  );
  const ranges = within.map(
    ({ fileName, location: { start, end } }) =>
      `${fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`,
  );
  return [...new Set(ranges)];
}

/** @throws {RangeError} when a value is none. */
function integer(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new RangeError(`--${name} is an integer of at least 1, not ${text}.`);
  return value;
}
