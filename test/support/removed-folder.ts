import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder, and what removes it: also for processes that run no tests. */
export function removedFolder(): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'summarization-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
