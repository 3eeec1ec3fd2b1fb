import { Readable } from 'node:stream';
import type { Terminal } from '../../../src/cli/command/terminal.ts';

/** What came of a command. */
export interface CommandRun<Result> {
  /** What it wrote. */
  readonly output: string;
  /** How far it said to have come. */
  readonly progress: readonly string[];
  readonly result: Result;
}

/** Runs a command whose standard input is a text. */
export async function runCommand<Result>(
  text: string,
  command: (terminal: Terminal) => Promise<Result>,
): Promise<CommandRun<Result>> {
  let output = '';
  const progress: string[] = [];
  const result = await command({
    stdin: Readable.from([text]),
    write: (written) => {
      output += written;
    },
    progress: (line) => progress.push(line),
    columns: 80,
  });
  return { output, progress, result };
}
