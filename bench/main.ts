// Runs a benchmark: `npm run bench -- NAME`, with the benchmark's own words after its name. Without a name it lists them.

import { spawnSync } from 'node:child_process';
import path from 'node:path';

interface Bench {
  /** Folders whose packages are installed first. */
  readonly installs?: readonly string[];
  /** Whether the built package is measured, so that it is built first. */
  readonly isOfBuild: boolean;
  /** The command; words of the caller are added to it. */
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const vitest = ['vitest', 'run', '--typecheck=false', '--project'];

const benches: Readonly<Record<string, Bench>> = {
  accuracy: { ...ofBuild('accuracy'), installs: ['bench'] },
  answers: ofBuild('answers'),
  bill: ofBuild('bill'),
  cache: { ...ofBuild('cache'), installs: ['bench'] },
  chaos: {
    isOfBuild: false,
    command: [...vitest, 'chaos', 'test/chaos/explore.test.ts'],
    environment: { CHAOS_OPERATIONS: process.env['CHAOS_OPERATIONS'] ?? '100000' },
  },
  eval: { ...ofBuild('eval'), installs: ['bench/eval'] },
  load: ofBuild('load', '--expose-gc'),
  models: { isOfBuild: false, command: [...vitest, 'models'], environment: { RESULTS: '1' } },
  mutation: { ...ofBuild('mutation'), installs: ['bench/mutation'], isOfBuild: false },
  quality: ofBuild('quality'),
  recall: ofBuild('recall'),
  rivals: { ...ofBuild('rivals'), installs: ['bench', 'test/hosts'] },
  speed: ofBuild('speed'),
  state: ofBuild('state'),
  wait: ofBuild('wait'),
  way: { ...ofBuild('way'), isOfBuild: false },
};

function ofBuild(name: string, ...flags: readonly string[]): Bench {
  return { isOfBuild: true, command: ['node', ...flags, `bench/${name}/main.ts`] };
}

const root = path.resolve(import.meta.dirname, '..');

/** Runs a command in the root of the repository; ends this process with its code if it fails. */
function run(
  [program = '', ...words]: readonly string[],
  environment: Bench['environment'] = {},
): void {
  const env = { ...process.env, ...environment };
  const { status, error } = spawnSync(program, words, { cwd: root, stdio: 'inherit', env });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
// The hosts are installed as `test:hosts` installs them.
const installing = (folder: string): readonly string[] =>
  folder === 'test/hosts' ? ['install', '--no-save'] : ['ci'];

const [name = '', ...words] = process.argv.slice(2);
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (bench === undefined) {
  console.error(`npm run bench -- NAME, where NAME is ${Object.keys(benches).join(', ')}.`);
  process.exit(1);
}
for (const folder of bench.installs ?? [])
  run(['npm', '--prefix', folder, ...installing(folder), ...quiet]);
if (bench.isOfBuild) run(['tsdown', '--logLevel', 'error']);
run([...bench.command, ...words], bench.environment);
