import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** Characters of one tool output that reach the model. */
const maxOutputChars = 4_000;

/**
 * Resolves a path that a model asked for, symbolic links included. Throws when it does not exist, when
 * it leaves `root`, or when it names version-control or environment files, which tend to hold secrets.
 */
export async function insideWorkspace(root: string, path: string): Promise<string> {
  const base = await realpath(root);
  const asked = resolve(base, path);
  // Before the file system is asked, so that the answer does not tell what exists outside.
  refuseOutside(base, asked, path);
  const real = await realpath(asked).catch(() => {
    throw new Error(`${path}: no such file or folder.`);
  });
  refuseOutside(base, real, path);
  if (
    relative(base, real)
      .split(sep)
      .some((name) => isPrivate(name))
  ) {
    throw new Error(`${path}: refused, this file is not for tools.`);
  }
  return real;
}

/** Whether a file or folder is kept from the tools: `.git`, `.env` and its variants. */
export function isPrivate(name: string): boolean {
  return /^\.(git|env.*)$/i.test(name);
}

/** Cuts a tool output to what one call may add to the conversation, and says so. */
export function capOutput(text: string): string {
  if (text.length <= maxOutputChars) return text;
  const rest = text.length - maxOutputChars;
  return `${text.slice(0, maxOutputChars).trimEnd()}\n[${rest} more characters not shown]`;
}

function refuseOutside(base: string, target: string, path: string): void {
  const way = relative(base, target);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw new Error(`${path}: refused, paths must stay inside the repository.`);
  }
}
