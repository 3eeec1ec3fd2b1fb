import { readFile, writeFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { messageOf } from '../util/errors.ts';

/** Something that the user of the command can mend: said in one line, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Where a command reads and writes. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream;
  readonly write: (text: string) => void;
  /** Shows how far the work has come; nothing where nobody looks on. */
  readonly progress: (text: string) => void;
  readonly columns: number;
}

/**
 * The text of a file; `-` is standard input.
 *
 * @throws {CommandError} where it cannot be read.
 */
export async function contentOf(file: string, stdin: NodeJS.ReadableStream): Promise<string> {
  try {
    return file === '-' ? await textOf(stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${messageOf(error)}`);
  }
}

/** @throws {CommandError} where the file cannot be written. */
export async function written(file: string, content: string): Promise<void> {
  try {
    await writeFile(file, content);
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${messageOf(error)}`);
  }
}
