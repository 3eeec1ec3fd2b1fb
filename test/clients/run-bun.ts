import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Runs `in-bun.ts` in Bun, and gives what it says. */
export async function runBun(...given: readonly string[]): Promise<string> {
  const [program, script] = ['@oven/bun-linux-x64/bin/bun', '../in-bun.ts'].map((path) =>
    fileURLToPath(new URL(`node_modules/${path}`, import.meta.url)),
  );
  const { stdout } = await promisify(execFile)(program ?? '', [script ?? '', ...given]);
  return stdout;
}
