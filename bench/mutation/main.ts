import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArguments } from './arguments.ts';
import { draw } from './draw.ts';
import type { Fault } from './fault.ts';
import { findFaults } from './find-faults.ts';
import { findReach } from './find-reach.ts';
import { openLedger, type Verdict } from './ledger.ts';
import { tryFault } from './try-fault.ts';
import { digestOf, makeWorkingCopy, repositoryFiles } from './working-copy.ts';

// Whether the tests notice faults that a tool plants in the source. Definitions: README.md of the folder above.

const root = fileURLToPath(new URL('../../', import.meta.url));
const { folders, seed, count, only, limit } = parseArguments(process.argv.slice(2));

const faults = await findFaults(root, folders.flatMap(sourceFiles));
const drawn = draw(faults, count, seed).map((fault, index) => ({ number: index + 1, fault }));
const files = repositoryFiles(root);
const name = `${digestOf(root, files)}-${seed}-${limit}-${folders.join('+').replaceAll('/', '.')}.jsonl`;
const ledger = openLedger(join(root, 'node_modules/.cache/mutation', name));
console.log(
  `${count} of ${faults.length} faults of one line in ${folders.join(', ')}; seed ${seed}\n`,
);

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interruption.abort());

const copy = makeWorkingCopy(root, files);
const trial = { copy, ledger, limit, abortSignal: interruption.signal };
try {
  if (only === undefined && ledger.reached.length < count) await findReach(trial, drawn);
  for (const numbered of drawn) {
    const { number, fault } = numbered;
    if (only !== undefined && only !== number) continue;
    const known = only === undefined ? ledger.verdicts.get(number) : undefined;
    const verdict = known ?? (await tryFault(trial, numbered));
    if (known === undefined) ledger.add({ verdict });
    print(fault, verdict);
  }
} catch (error) {
  if (!interruption.signal.aborted) throw error;
  console.error('Interrupted; the next run goes on.');
  process.exitCode = 130;
} finally {
  copy.remove();
}
printTotal();

/** @throws {Error} when there is no such folder. */
function sourceFiles(folder: string): string[] {
  if (!existsSync(join(root, folder)))
    throw new Error(
      `There is no folder ${folder}; name those to plant faults in, such as src/record.`,
    );
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path));
}

function print(fault: Fault, { number, caughtBy, seconds }: Verdict): void {
  const { file, line, column, original, replacement, mutator } = fault;
  console.log(`${String(number).padStart(3)}  ${file}:${line}:${column}  ${mutator}`);
  console.log(`     ${oneLine(original)}  becomes  ${oneLine(replacement)}`);
  const outcome = caughtBy === undefined ? 'SURVIVED' : `caught: ${caughtBy}`;
  console.log(`     ${outcome} (${seconds} s)\n`);
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
}

function printTotal(): void {
  const verdicts = [...ledger.verdicts.values()].filter(({ number }) => number <= count);
  for (const file of ledger.unreliable)
    console.log(`${file} has failed without a fault, so that it catches nothing`);
  const survivors = verdicts.filter(({ caughtBy }) => caughtBy === undefined);
  console.log(`${verdicts.length - survivors.length} of ${verdicts.length} caught`);
  if (survivors.length > 0)
    console.log(`survived: ${survivors.map(({ number }) => number).join(', ')}`);
}
