import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** A program that runs until it is ended. */
export interface RunningServer {
  /** Ends it at once, as a machine does that loses its power. */
  readonly end: () => Promise<void>;
}

/** Milliseconds a server may take to answer. */
const startTimeoutMs = 60_000;

/**
 * Ends the program when the other end of its input closes: when it is told to, and however the process dies that
 * started it.
 */
const keeper = `exec 3<&0
"$@" 3<&- </dev/null & program=$!
{ read -r _ <&3; kill -s "$SIGNAL" $program; } & wait $program
kill $! 2>/dev/null`;

/**
 * Starts a program and waits until it answers. It does not outlive this process.
 *
 * @param options.signal - What ends it at once, with all its children: `KILL`, for one.
 * @throws {Error} with what it wrote, when it ends or does not answer in time.
 */
export async function runServer(options: {
  readonly program: string;
  readonly programArguments: readonly string[];
  readonly spawnOptions?: SpawnOptions;
  readonly signal: 'KILL' | 'QUIT';
  readonly answers: () => Promise<boolean>;
}): Promise<RunningServer> {
  const { program, programArguments, spawnOptions = {}, signal, answers } = options;
  const child = spawn('sh', ['-c', keeper, 'sh', program, ...programArguments], {
    ...spawnOptions,
    env: { ...process.env, SIGNAL: signal },
    stdio: 'pipe',
  });
  let written = '';
  for (const output of [child.stdout, child.stderr])
    output?.on('data', (chunk: Buffer) => {
      written = `${written}${chunk.toString()}`.slice(-4000);
    });
  const closed = once(child, 'close');
  const end = async (): Promise<void> => {
    child.stdin?.end();
    await closed;
  };

  const giveUpAt = performance.now() + startTimeoutMs;
  while (child.exitCode === null && performance.now() < giveUpAt) {
    if (await answers()) return { end };
    await delay(20);
  }
  await end();
  throw new Error(`${program} did not start:\n${written}`);
}
