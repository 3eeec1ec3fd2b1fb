import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the app keeps its files: `DATA_FOLDER`, else `data` beside the app. Git ignores it. */
export function dataPath(name: string): string {
  const folder =
    process.env['DATA_FOLDER'] ?? join(/* turbopackIgnore: true */ process.cwd(), 'data');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(/* turbopackIgnore: true */ folder, name);
}

/**
 * A secret for one purpose, derived from the app's own: `APP_SECRET`, else one that is made at the first start and
 * lies among the data. Instances that share a database need the same `APP_SECRET`.
 */
export function secretFor(purpose: string): string {
  return createHmac('sha256', appSecret()).update(purpose).digest('hex');
}

let known: string | undefined;

function appSecret(): string {
  known ??= process.env['APP_SECRET'] ?? storedSecret(dataPath('secret'));
  return known;
}

function storedSecret(path: string): string {
  try {
    // `wx` refuses an existing file: of two processes that start at once, one makes the secret.
    writeFileSync(path, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(path, 'utf8');
}
