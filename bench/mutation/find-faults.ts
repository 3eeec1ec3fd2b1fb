import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import type { Fault } from './fault.ts';

type Mutant = Awaited<ReturnType<Instrumenter['instrument']>>['mutants'][number];

/**
 * Lists every change of one line that StrykerJS makes in the files, in the order of files and positions. What the
 * tool itself ignores is left out, and nothing else.
 */
export async function findFaults(root: string, files: readonly string[]): Promise<Fault[]> {
  const contents = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const { mutants } = await new Instrumenter(silentLogger).instrument(
    [...contents].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, ignorers: [], excludedMutations: [] },
  );
  return mutants
    .filter(
      ({ status, location }) => status === undefined && location.start.line === location.end.line,
    )
    .map((mutant) => asFault(mutant, contents.get(mutant.fileName) ?? ''))
    .toSorted(byPosition);
}

function asFault({ fileName, location, mutatorName, replacement }: Mutant, content: string): Fault {
  const { line, column } = location.start;
  const lineStart = content.split('\n', line).reduce((sum, text) => sum + text.length + 1, 0);
  const start = lineStart + column;
  const end = lineStart + location.end.column;
  return {
    file: fileName,
    line: line + 1,
    column: column + 1,
    start,
    end,
    original: content.slice(start, end),
    replacement,
    mutator: mutatorName,
  };
}

function byPosition(one: Fault, other: Fault): number {
  return (
    compareTexts(one.file, other.file) ||
    one.start - other.start ||
    one.end - other.end ||
    compareTexts(one.mutator, other.mutator) ||
    compareTexts(one.replacement, other.replacement)
  );
}

/** By code units, so that the order is the same in every locale. */
function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

const never = (): boolean => false;
const nothing = (): void => undefined;
const silentLogger = {
  isTraceEnabled: never,
  isDebugEnabled: never,
  isInfoEnabled: never,
  isWarnEnabled: never,
  isErrorEnabled: never,
  isFatalEnabled: never,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};
