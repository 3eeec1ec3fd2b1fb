import { basename, dirname } from 'node:path/posix';
import type { TestOrder } from './test-run.ts';

/**
 * In which order test files are tried on a fault: those that reach it, and among them the one named after its file,
 * those of its folder, then the others; among equals the quicker first.
 */
export function testOrder(
  { sourceFiles: [sourceFile = ''], reached, milliseconds }: TestOrder,
  testFiles: readonly string[],
): string[] {
  const name = basename(sourceFile, '.ts');
  const folder = dirname(sourceFile).replace(/^src/, 'test');
  const distance = (file: string): number => {
    const distant = reached.includes(file) ? 0 : 3;
    if (basename(file, '.test.ts') === name) return distant;
    return distant + (file.startsWith(`${folder}/`) ? 1 : 2);
  };
  const time = (file: string): number => milliseconds[file] ?? 0;
  return testFiles.toSorted(
    (one, other) => distance(one) - distance(other) || time(one) - time(other),
  );
}
