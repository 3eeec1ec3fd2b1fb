import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A process of the example. */
export interface ExampleProcess {
  /** Resolves when it has written a line that begins so. */
  readonly wrote: (beginning: string) => Promise<void>;
  /** Ends it as a machine does that loses its power. */
  readonly kill: () => Promise<void>;
}

/** Starts a script of the example, and waits until it is ready. */
export async function startProcess(
  script: 'server.ts' | 'worker.ts',
  env: Readonly<Record<string, string>>,
): Promise<ExampleProcess> {
  const child = spawn(process.execPath, [script], {
    cwd: new URL('..', import.meta.url),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let written = '\n';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written += text));
  const wrote = async (beginning: string): Promise<void> => {
    while (!written.includes(`\n${beginning}`))
      await Promise.race([
        once(child.stdout, 'data'),
        exited.then(() => Promise.reject(new Error(`${script} ended.`))),
      ]);
  };
  await wrote('ready');
  return {
    wrote,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
