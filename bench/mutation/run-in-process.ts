import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestOrder, TestOutcome, TestReport } from './test-run.ts';

const program = fileURLToPath(new URL('run-tests.ts', import.meta.url));

/**
 * Runs tests in a process of their own.
 *
 * @returns What came of them; `undefined` when for the time limit no test ended.
 * @throws {Error} when the process ends by itself without an outcome.
 */
export async function runInProcess(
  order: TestOrder,
  abortSignal: AbortSignal,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestOutcome | undefined> {
  abortSignal.throwIfAborted();
  // Detached, it is the first of a group, and its workers can be ended with it.
  const child = fork(program, [JSON.stringify(order)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached: true,
  });
  const errors: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
  const end = (): void => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL');
  };
  const { promise, resolve, reject } = Promise.withResolvers<TestOutcome | undefined>();
  const watch = setTimeout(() => resolve(undefined), order.limit * 1000);
  child.on('message', (report: TestReport) => {
    if (report.type === 'outcome') resolve(report.outcome);
    else watch.refresh();
  });
  child.once('error', reject);
  child.once('exit', () =>
    reject(new Error(`The tests did not run:\n${Buffer.concat(errors).toString()}`)),
  );
  const stop = (): void => reject(abortSignal.reason);
  abortSignal.addEventListener('abort', stop);
  try {
    return await promise;
  } finally {
    clearTimeout(watch);
    abortSignal.removeEventListener('abort', stop);
    end();
  }
}
