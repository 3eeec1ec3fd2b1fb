import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the app keeps its files: `DATA_FOLDER`, else `data` beside the app. */
export function dataPath(...names: readonly string[]): string {
  const folder =
    process.env['DATA_FOLDER'] ?? join(/* turbopackIgnore: true */ process.cwd(), 'data');
  return join(/* turbopackIgnore: true */ folder, ...names);
}

/** Writes a file whole or not at all: a reader never meets half of it. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  const draft = `${path}.${crypto.randomUUID()}`;
  await writeFile(draft, text);
  await rename(draft, path);
}
