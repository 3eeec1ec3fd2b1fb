import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What came of one fault. */
export interface Verdict {
  /** Which fault of the draw, from 1. */
  readonly number: number;
  /** The test that failed, or the time limit; `undefined` when the fault survived. */
  readonly caughtBy: string | undefined;
  readonly seconds: number;
}

/** What a run knows, kept on disk so that it can be interrupted. */
export interface Ledger {
  readonly verdicts: ReadonlyMap<number, Verdict>;
  /** Test files that pass without a fault. */
  readonly sound: ReadonlySet<string>;
  /** Test files that have failed without a fault. */
  readonly unreliable: ReadonlySet<string>;
  /** Of each fault, from the first on, the test files that reach it; empty when nobody has looked. */
  readonly reached: readonly (readonly string[])[];
  /** What each test file has taken, in milliseconds. */
  readonly milliseconds: Readonly<Record<string, number>>;
  readonly add: (entry: Entry) => void;
}

interface Entry {
  readonly reached?: Ledger['reached'];
  readonly verdict?: Verdict;
  readonly sound?: readonly string[];
  readonly unreliable?: readonly string[];
  readonly milliseconds?: Readonly<Record<string, number>>;
}

/** Opens a file of JSON Lines; later lines hold over earlier ones. */
export function openLedger(path: string): Ledger {
  const verdicts = new Map<number, Verdict>();
  const sound = new Set<string>();
  const unreliable = new Set<string>();
  const milliseconds: Record<string, number> = {};
  let reached: Ledger['reached'] = [];
  const take = (entry: Entry): void => {
    if (entry.verdict !== undefined) verdicts.set(entry.verdict.number, entry.verdict);
    for (const file of entry.sound ?? []) sound.add(file);
    reached = entry.reached ?? reached;
    for (const file of entry.unreliable ?? []) unreliable.add(file);
    Object.assign(milliseconds, entry.milliseconds);
  };
  if (existsSync(path))
    for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean))
      take(JSON.parse(line));
  mkdirSync(dirname(path), { recursive: true });
  return {
    verdicts,
    sound,
    unreliable,
    get reached() {
      return reached;
    },
    milliseconds,
    add: (entry) => {
      appendFileSync(path, `${JSON.stringify(entry)}\n`);
      take(entry);
    },
  };
}
