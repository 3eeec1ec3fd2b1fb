import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A token of o200k: stands in the tokenizer's tables and nowhere else. */
export const tokenizerMark = ' Bundesregierung';

/** Scripts of a folder, and of those in it, that hold a text. */
export async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const scripts = files.filter(({ name }) => name.endsWith('.js'));
  const found = await Promise.all(
    scripts.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return (await readFile(path, 'utf8')).includes(text) ? [path] : [];
    }),
  );
  return found.flat();
}
