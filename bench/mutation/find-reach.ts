import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markFaults, type NumberedFault } from './mark-faults.ts';
import { runInProcess } from './run-in-process.ts';
import type { TestOutcome } from './test-run.ts';
import type { Trial } from './try-fault.ts';

const collector = fileURLToPath(new URL('reach-collector.ts', import.meta.url));
const setUpFile = 'test/setup.ts';

/**
 * Runs all tests of the files once without a fault and notes which of them reach which fault, and which pass: those that
 * reach a fault are tried on it first, and those that do not pass cannot catch any.
 *
 * @throws {Error} when for the time limit no test ends, or an error is thrown that belongs to no test.
 */
export async function findReach(trial: Trial, drawn: readonly NumberedFault[]): Promise<void> {
  const { copy, ledger } = trial;
  const faultsOf = Map.groupBy(drawn, ({ fault }) => fault.file);
  const sourceFiles = [...faultsOf.keys()];
  const before = [...sourceFiles, setUpFile].map((file) => ({ file, content: copy.read(file) }));
  for (const { file, content } of before)
    copy.write(file, markFaults(content, faultsOf.get(file) ?? []));
  copyFileSync(collector, join(copy.root, 'test/reach-collector.ts'));
  copy.write(setUpFile, `${copy.read(setUpFile)}\nimport './reach-collector.ts';\n`);
  const reachedPath = join(copy.root, 'reached.jsonl');
  let outcome: TestOutcome | undefined;
  try {
    outcome = await runAll(trial, sourceFiles, reachedPath);
  } finally {
    for (const { file, content } of before) copy.write(file, content);
  }
  if (outcome === undefined)
    throw new Error(`Without a fault, no test ended for ${trial.limit} seconds.`);
  const outside = outcome.failed.find(({ file }) => file === '');
  if (outside !== undefined) throw new Error(`Without a fault: ${outside.name}`);
  const pairs = readReach(reachedPath, copy.root);
  ledger.add({
    sound: outcome.passed,
    unreliable: outcome.failed.map(({ file }) => file),
    milliseconds: outcome.milliseconds,
    reached: drawn.map(({ number }) =>
      pairs.filter((pair) => pair.number === number).map(({ testFile }) => testFile),
    ),
  });
}

function runAll(
  { copy, limit, abortSignal }: Trial,
  sourceFiles: readonly string[],
  reachedPath: string,
): Promise<TestOutcome | undefined> {
  const root = copy.root;
  return runInProcess(
    { root, sourceFiles, bail: 0, reached: [], except: [], milliseconds: {}, limit },
    abortSignal,
    { REACHED_FAULTS: reachedPath },
  );
}

function readReach(path: string, root: string): { number: number; testFile: string }[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.flatMap((line) => {
    const { testPath, reached }: { testPath: string; reached: number[] } = JSON.parse(line);
    return reached.map((number) => ({ number, testFile: relative(root, testPath) }));
  });
}
