import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Instrumenter, type Mutant } from '@stryker-mutator/instrumenter';
import { randomNumbers } from '../cache/random.ts';
import { isInstalled } from '../../test/support/servers/find-program.ts';
import { silentLog } from '../silent-log.ts';

// Whether the tests notice faults that StrykerJS would plant in the source. Definitions: README.md of the folder above.

/** A change at a place of the source; it has a number in the source that holds all that were drawn. */
interface Fault extends Mutant {
  readonly original: string;
}

interface Reach {
  readonly file: string;
  readonly loading: Readonly<Record<string, number>>;
  readonly running: Readonly<Record<string, number>>;
}

/** What vitest reports. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

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

// Their tests need a server, which not everybody has installed.
const needsServer = new Set([
  ...(existsSync('test/servers/chroma/node_modules')
    ? []
    : ['src/state/stores/chroma-tree-store.ts']),
  ...(isInstalled('redis-server') ? [] : ['src/state/stores/redis-store.ts']),
]);
const sources = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`)).toSorted();
const drawn = draw(await faultsOf(sources.filter((name) => !needsServer.has(name))));
const directory = mkdtempSync(join(tmpdir(), 'faults-'));
process.env['FAULTS'] = join(directory, 'sources.json');
const numbers = await plant(drawn);

let limitMs = 3_600_000;
const start = performance.now();
const reachFile = join(directory, 'reach.jsonl');
const changed = new Set(drawn.map(({ fileName }) => fileName));
const brokenAnyway = await test(['related', '--run', ...changed], { FAULT_REACH: reachFile });
const tookMs = performance.now() - start;
limitMs = 2 * tookMs + 60_000;
const reaches = readFileSync(reachFile, 'utf8')
  .trim()
  .split('\n')
  .map((line): Reach => JSON.parse(line))
  .filter((reach) => !brokenAnyway.some(([file]) => file === reach.file));
console.log(`${reaches.length} test files, ${Math.round(tookMs / 1000)} s without a fault`);
for (const [file, name] of brokenAnyway) console.log(`left out, fails without: ${file}: ${name}`);

let caught = 0;
for (const [index, fault] of drawn.entries()) {
  const noticed = await whoNotices(numbers[index] ?? '');
  if (noticed !== undefined) caught += 1;
  const { fileName, location, mutatorName, original, replacement } = fault;
  const place = `${fileName}:${location.start.line + 1}:${location.start.column + 1}`;
  console.log(`${noticed === undefined ? 'LIVES ' : 'caught'} ${place} ${mutatorName}`);
  console.log(`       ${oneLine(original)}  ->  ${oneLine(replacement)}`);
  console.log(`       ${noticed ?? 'no test fails'}`);
}
rmSync(directory, { recursive: true });
console.log(`${caught} of ${drawn.length} caught, seed ${values.seed}`);

/** The changes that StrykerJS would make, but to wording: texts of more than one word, which people and models read. */
async function faultsOf(names: readonly string[]): Promise<Fault[]> {
  const { mutants } = await instrument(
    names.map((name) => ({ name, content: readFileSync(name, 'utf8'), mutate: true })),
  );
  return mutants
    .filter(({ status }) => status === undefined)
    .map((mutant) => ({ ...mutant, original: originalOf(mutant) }))
    .filter(
      ({ mutatorName, original }) => mutatorName !== 'StringLiteral' || !/\S\s+\S/.test(original),
    );
}

function originalOf({ fileName, location: { start: from, end } }: Mutant): string {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(from.line, end.line + 1);
  lines.push((lines.pop() ?? '').slice(0, end.column));
  return lines.join('\n').slice(from.column);
}

/** One fault at each of so many places, all places being alike. */
function draw(faults: readonly Fault[]): Fault[] {
  const places = [
    ...Map.groupBy(faults, ({ fileName, location }) =>
      JSON.stringify([fileName, location]),
    ).values(),
  ];
  if (places.length < count)
    throw new RangeError(`${folders.join(', ')}: ${places.length} places, fewer than ${count}.`);
  return Array.from({ length: count }, () => oneOf(places.splice(below(places.length), 1).flat()));
}

function oneOf<Item>(items: readonly Item[]): Item {
  const item = items[below(items.length)];
  if (item === undefined) throw new RangeError('There is nothing to draw from.');
  return item;
}

function below(end: number): number {
  return Math.floor(random() * end);
}

/** Writes the source that holds all faults, switched off. @returns the number of each */
async function plant(faults: readonly Fault[]): Promise<string[]> {
  const { files, mutants } = await instrument(
    [...Map.groupBy(faults, ({ fileName }) => fileName)].map(([name, inFile]) => ({
      name,
      content: readFileSync(name, 'utf8'),
      mutate: inFile.map(({ location }) => location),
    })),
  );
  const contents = files.map(({ name, content }) => [name, content]);
  writeFileSync(process.env['FAULTS'] ?? '', JSON.stringify(Object.fromEntries(contents)));
  const ids = new Map(mutants.map((mutant) => [identityOf(mutant), mutant.id]));
  return faults.map((fault) => {
    const id = ids.get(identityOf(fault));
    if (id === undefined) throw new Error(`${identityOf(fault)} cannot be planted.`);
    return id;
  });
}

function identityOf({ fileName, location, mutatorName, replacement }: Mutant): string {
  return JSON.stringify([fileName, location, mutatorName, replacement]);
}

function instrument(
  files: Parameters<Instrumenter['instrument']>[0],
): ReturnType<Instrumenter['instrument']> {
  return new Instrumenter(silentLog).instrument(files, {
    plugins: null,
    ignorers: [],
    excludedMutations: [],
  });
}

/** @returns the first test that fails with a fault */
async function whoNotices(id: string): Promise<string | undefined> {
  const hitsIn = ({ running, loading }: Reach): number => (running[id] ?? 0) + (loading[id] ?? 0);
  const most = Math.max(0, ...reaches.map(hitsIn));
  const isReached = ({ running }: Reach): boolean => id in running;
  // What is reached as a file is loaded is reached for all files that load it after.
  const others = reaches.some(({ loading }) => id in loading)
    ? reaches.filter((reach) => !isReached(reach))
    : [];
  for (const group of [reaches.filter(isReached), others]) {
    if (group.length === 0) continue;
    // First those that reach it most often: they are likely to be about it.
    const sorted = group.toSorted((a, b) => (b.running[id] ?? 0) - (a.running[id] ?? 0));
    const files = [...new Set(sorted.map(({ file }) => file))];
    const [failed] = await test(['run', '--bail=1', ...files], {
      __STRYKER_ACTIVE_MUTANT__: id,
      FAULT_HITS: String(100 * most),
      FAULT_ORDER: files.join(' '),
    });
    if (failed !== undefined) return failed.join(': ');
  }
  return undefined;
}

/**
 * Runs tests, for twice as long as all of them take without a fault, and a minute.
 *
 * @returns what failed, each file with its first test
 */
async function test(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<readonly string[][]> {
  const report = join(directory, 'report.json');
  rmSync(report, { force: true });
  const config = ['--config', 'bench/mutation/vitest.config.ts', '--root', '.'];
  const output = ['--typecheck=false', '--reporter=json', `--outputFile=${report}`];
  const child = spawn('vitest', [...parameters, ...config, ...output], {
    env: { ...process.env, ...environment },
    stdio: 'ignore',
    detached: true,
  });
  const timer = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, limitMs);
  const code = await new Promise<number | null>((settle, fail) => {
    child.on('error', fail).on('close', settle);
  });
  clearTimeout(timer);
  if (code === 0) return [];
  if (!existsSync(report)) return [['the tests', 'end early, or not at all']];
  const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'));
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, message, assertionResults }) => {
      const failed = assertionResults.find(({ status }) => status === 'failed');
      return [relative('', name), failed?.fullName ?? message];
    });
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}

/** @throws {RangeError} when a value is none. */
function integer(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new RangeError(`--${name} is an integer of at least 1, not ${text}.`);
  return value;
}
