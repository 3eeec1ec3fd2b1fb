import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { StorePlace } from './engines.ts';
import type { Race, Word } from './worker.ts';

/** What a race came to. */
export interface RaceResult {
  readonly bills: number;
  /** Different prompts that reached the model, of all processes. */
  readonly prompts: ReadonlySet<string>;
  readonly failures: number;
  readonly milliseconds: number;
}

const worker = fileURLToPath(new URL('worker.ts', import.meta.url));

/** Lets processes send the same conversation at once; the first that pays can be killed as it does. */
export async function runRace(
  place: StorePlace,
  {
    processes,
    killFirst = false,
    ...more
  }: Omit<Race, 'place'> & {
    readonly processes: number;
    readonly killFirst?: boolean;
  },
): Promise<RaceResult> {
  const race: Race = { place, ...more };
  const prompts = new Set<string>();
  let bills = 0;
  let failures = 0;
  let isKilled = !killFirst;
  const children = Array.from({ length: processes }, () =>
    fork(worker, [JSON.stringify(race)], { serialization: 'json' }),
  );
  const ready = children.map(
    async (child) =>
      new Promise<void>((resolve, reject) => {
        child.once('message', () => resolve());
        child.once('exit', () => reject(new Error('A process ended before it began.')));
      }),
  );
  await Promise.all(ready);
  const startedAt = performance.now();
  const ended = children.map(
    async (child) =>
      new Promise<void>((resolve) => {
        let hasSpoken = false;
        child.on('message', (word: Word) => {
          if (word.kind === 'bill') {
            bills += 1;
            if (isKilled) return;
            isKilled = true;
            hasSpoken = true;
            child.kill('SIGKILL');
          } else if (word.kind === 'end') {
            hasSpoken = true;
            for (const prompt of word.prompts) prompts.add(prompt);
            failures += word.failures;
          }
        });
        child.once('exit', () => {
          if (!hasSpoken) failures += race.requests;
          resolve();
        });
        child.send('go');
      }),
  );
  await Promise.all(ended);
  return { bills, prompts, failures, milliseconds: performance.now() - startedAt };
}
