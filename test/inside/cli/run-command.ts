import { Readable } from 'node:stream';
import { runCommandLine } from '../../../src/cli/inspect.ts';

/** What came of a command. */
export interface CommandRun {
  /** What it wrote. */
  readonly output: string;
  /** How far it said to have come. */
  readonly progress: readonly string[];
}

/** Runs the command line with a text as standard input. */
export async function runCommand(text: string, ...given: readonly string[]): Promise<CommandRun> {
  let output = '';
  const progress: string[] = [];
  await runCommandLine(given, {
    stdin: Readable.from([text]),
    write: (written) => {
      output += written;
    },
    progress: (line) => progress.push(line),
    columns: 80,
  });
  return { output, progress };
}
