import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';

const script = fileURLToPath(new URL('child.ts', import.meta.url));

/** Another process at work on a file. */
export interface OtherProcess {
  /** Lets it go on, and gives what it printed when it has ended. */
  readonly goOn: () => Promise<string>;
  readonly kill: () => Promise<void>;
}

const running = new Set<OtherProcess>();

afterEach(async () => {
  for (const other of running) await other.kill();
});

/** Starts another process on a job of `child.ts`; resolves when it is ready or has ended. */
export async function otherProcess(job: string, path: string, name = ''): Promise<OtherProcess> {
  const child = spawn(process.execPath, ['--no-warnings', script, job, path, name], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  // One that has ended by itself, before it is noticed here, reads no more.
  child.stdin.on('error', () => {});
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const other: OtherProcess = {
    goOn: async () => {
      if (child.exitCode === null) child.stdin.write('go on');
      await ended;
      running.delete(other);
      return output.replace('ready\n', '').trim();
    },
    kill: async () => {
      running.delete(other);
      child.kill('SIGKILL');
      await ended;
    },
  };
  running.add(other);
  await Promise.race([once(child.stdout, 'data'), ended]);
  return other;
}
