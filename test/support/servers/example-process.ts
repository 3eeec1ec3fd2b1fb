import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process of an example. */
export interface ExampleProcess {
  /** Resolves when it has written a line that begins so; rejects when it ends before. */
  readonly wrote: (beginning: string) => Promise<void>;
  /** Ends it as a machine does that loses its power. */
  readonly kill: () => Promise<void>;
  /** Asks it to end, and waits until it has. */
  readonly end: () => Promise<void>;
}

/** Starts a script of an example. */
export function runExample(
  script: URL,
  env: Readonly<Record<string, string>>,
  ...given: readonly string[]
): ExampleProcess {
  const path = fileURLToPath(script);
  const child = spawn(process.execPath, [path, ...given], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let written = '\n';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written += text));
  const ended = async (): Promise<void> => {
    await exited;
    if (!child.stdout.readableEnded) await once(child.stdout, 'close');
  };
  const stop = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  return {
    wrote: async (beginning) => {
      while (!written.includes(`\n${beginning}`)) {
        if (child.exitCode !== null && child.stdout.readableEnded)
          throw new Error(`${path} ended.`);
        await Promise.race([once(child.stdout, 'data'), ended()]);
      }
    },
    kill: () => stop('SIGKILL'),
    end: () => stop('SIGTERM'),
  };
}

/** Starts a server or a worker of an example, and waits until it is ready. */
export async function startExample(
  script: URL,
  env: Readonly<Record<string, string>>,
): Promise<ExampleProcess> {
  const example = runExample(script, env);
  await example.wrote('ready');
  return example;
}
