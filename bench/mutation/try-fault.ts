import type { Fault } from './fault.ts';
import type { Ledger, Verdict } from './ledger.ts';
import type { NumberedFault } from './mark-faults.ts';
import { plantFault } from './plant-fault.ts';
import { runInProcess } from './run-in-process.ts';
import type { TestOrder, TestOutcome } from './test-run.ts';
import type { WorkingCopy } from './working-copy.ts';

/** What faults are tried with. */
export interface Trial {
  readonly copy: WorkingCopy;
  readonly ledger: Ledger;
  /** Seconds without a test that ends, after which a fault counts as caught. */
  readonly limit: number;
  readonly abortSignal: AbortSignal;
}

/**
 * Plants a fault and runs the tests that import its file, up to the first that fails each time it is run with the
 * fault, and passes without.
 */
export async function tryFault(trial: Trial, numbered: NumberedFault): Promise<Verdict> {
  const startedAt = performance.now();
  const caughtBy = await findCatch(trial, numbered);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return { number: numbered.number, caughtBy, seconds };
}

async function findCatch(trial: Trial, numbered: NumberedFault): Promise<string | undefined> {
  const { ledger, limit } = trial;
  const { fault } = numbered;
  // With the fault, these fail at times and pass at others.
  const undecided: string[] = [];
  for (;;) {
    const except = [...ledger.unreliable, ...undecided];
    const outcome = await withFault(trial, fault, () => run(trial, numbered, { except }));
    if (outcome === undefined) return `no test ended for ${limit} seconds`;
    ledger.add({ milliseconds: outcome.milliseconds });
    const [failed] = outcome.failed;
    if (failed === undefined) return undefined;
    const { file, name } = failed;
    if (file === '' || (await isReliable(trial, numbered, file)))
      return [file, name].filter(Boolean).join(': ');
    undecided.push(file);
  }
}

/** Whether a test file that has failed fails again, and passes when the fault is gone. */
async function isReliable(trial: Trial, numbered: NumberedFault, file: string): Promise<boolean> {
  const only = [file];
  const again = await withFault(trial, numbered.fault, () => run(trial, numbered, { only }));
  if (again?.failed.length === 0) return false;
  if (trial.ledger.sound.has(file)) return true;
  const without = await run(trial, numbered, { only });
  const isSound = without?.failed.length === 0;
  trial.ledger.add({ [isSound ? 'sound' : 'unreliable']: only });
  return isSound;
}

async function withFault<Result>(
  { copy }: Trial,
  fault: Fault,
  work: () => Promise<Result>,
): Promise<Result> {
  const content = copy.read(fault.file);
  copy.write(fault.file, plantFault(content, fault));
  try {
    return await work();
  } finally {
    copy.write(fault.file, content);
  }
}

function run(
  { copy, ledger, limit, abortSignal }: Trial,
  { number, fault }: NumberedFault,
  { only, except = [] }: Partial<Pick<TestOrder, 'only' | 'except'>>,
): Promise<TestOutcome | undefined> {
  return runInProcess(
    {
      root: copy.root,
      sourceFiles: [fault.file],
      bail: 1,
      reached: ledger.reached[number - 1] ?? [],
      only,
      except,
      milliseconds: ledger.milliseconds,
      limit,
    },
    abortSignal,
  );
}
