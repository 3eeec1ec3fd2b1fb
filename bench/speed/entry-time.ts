import { execFileSync } from 'node:child_process';
import { lowerQuartile } from './harness.ts';

/** Milliseconds that a fresh process takes to import the root entry, after other modules. */
export function entryTime(after: readonly string[]): number {
  const entry = new URL('../../dist/index.js', import.meta.url).href;
  const source = `
    ${after.map((name) => `await import(${JSON.stringify(name)});`).join('\n')}
    const startedAt = performance.now();
    await import(${JSON.stringify(entry)});
    process.stdout.write(String(performance.now() - startedAt));`;
  const cwd = new URL('../../', import.meta.url);
  const times = Array.from({ length: 9 }, () =>
    Number(
      execFileSync(process.execPath, ['--input-type=module', '--eval', source], {
        cwd,
        encoding: 'utf8',
      }),
    ),
  );
  return lowerQuartile(times);
}
