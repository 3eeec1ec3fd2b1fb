import { Readable } from 'node:stream';
import { runCommandLine } from '../../../src/cli/inspect.ts';

/** Runs the command line with a text as standard input, and gives what it wrote. */
export async function runCommand(text: string, ...given: readonly string[]): Promise<string> {
  return runCommandLine(given, Readable.from([text]));
}
