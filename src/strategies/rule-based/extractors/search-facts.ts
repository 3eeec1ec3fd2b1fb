import type { ToolUse } from '../../tool-summary.ts';
import { fieldOf, ownProperty, pathFields } from './fields.ts';
import { eachLine } from './text-lines.ts';
import { fact, saysFailed, toolFacts, type ToolFacts } from './tool-facts.ts';

const maxTopFiles = 4;

const pathCharacters = /^[\w./@+-]+$/;

/** A search: pattern, matches, files, the files with most matches. */
export function searchFacts(use: ToolUse): ToolFacts {
  const { input, value } = use;
  const pattern = fieldOf(input, ['pattern', 'query', 'regex', 'search', 'search_term', 'glob']);
  const where = fieldOf(input, [...pathFields, 'directory', 'dir', 'include']);
  const failed = saysFailed(use);
  const { matches, files } =
    value === undefined ? matchesInText(use.output) : matchesInValue(value);
  const top = [...files]
    .toSorted(([, left], [, right]) => right - left)
    .slice(0, maxTopFiles)
    .map(([file]) => file);
  return toolFacts(use, {
    asked: [...fact('Pattern', pattern), ...fact('In', where)],
    found: () => [
      ...fact('Matches', matches),
      ...fact('Files', files.size),
      ...fact('Top', top.join(', ')),
    ],
    failed,
    isPartial: matches === 0,
    metadata: failed ? { pattern } : { pattern, matchCount: matches, fileCount: files.size },
  });
}

interface Matches {
  readonly matches: number;
  readonly files: ReadonlyMap<string, number>;
}

function matchesInText(text: string): Matches {
  const files = new Map<string, number>();
  let matches = 0;
  eachLine(text, (line) => {
    const alone = line.trim();
    const isAlone = pathCharacters.test(alone) && /[/.][A-Za-z]/.test(alone);
    const file = fileOfMatch(line) ?? (isAlone ? alone : undefined);
    if (file !== undefined) files.set(file, (files.get(file) ?? 0) + 1);
    if (file !== undefined || /^\s{0,8}\d+[:-]/.test(line)) matches += 1;
    return true;
  });
  return { matches, files };
}

/** The file in `src/a.ts:12:text`. */
function fileOfMatch(line: string): string | undefined {
  const colon = line.indexOf(':', 2);
  const file = colon < 0 ? '' : line.slice(0, colon);
  return pathCharacters.test(file) && /^\d/.test(line.slice(colon + 1)) && !/^\d+$/.test(file)
    ? file
    : undefined;
}

function matchesInValue(value: unknown): Matches {
  const list = [
    value,
    ...['matches', 'results', 'files', 'items'].map((key) => ownProperty(value, key)),
  ].find((candidate) => Array.isArray(candidate));
  const files = new Map<string, number>();
  const entries: readonly unknown[] = Array.isArray(list) ? list : [];
  for (const entry of entries) {
    const file = typeof entry === 'string' ? entry : fieldOf(entry, pathFields);
    if (file !== undefined) files.set(file, (files.get(file) ?? 0) + 1);
  }
  return { matches: entries.length, files };
}
