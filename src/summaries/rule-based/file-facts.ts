import { ownProperty } from './tool-outcome.ts';

/** Characters of a file or a search in which facts are looked for, and names of each kind that are listed. */
const readCharacters = 400_000;
const mostNames = 6;
const mostFiles = 3;

/** The line number that a file is shown with. */
const lineNumber = /^ {0,8}\d{1,6}(?:\t|→|[:|] ?)/;

/** Exports of a file, after keywords: only lines without indentation are offered to other files. */
const exported =
  /^(?:export (?:[a-z]+\*? ){1,4}|pub (?:async )?[a-z]+ |(?:async )?def |class )([\p{L}_$][\p{L}\p{N}_$]*)/u;
const imported =
  /^(?:(?:import |\} from |export \* from )[^'"\n]*['"]([^'"\n]+)['"]|(?:from|import|use) ([\w.:]+)|#include [<"]([^>"\n]+))/;

/** Describes a file: its type, exports and imports. */
export function factsOfFile(path: string, text: string): readonly string[] {
  const [, type] = /\.(\w{1,10})$/.exec(path) ?? [];
  const lines = linesOf(text).map((line) => line.replace(lineNumber, ''));
  return [
    ...(type === undefined ? [] : [`Type: ${type.toLowerCase()}`]),
    ...namesIn(lines, exported, 'Exports'),
    ...namesIn(lines, imported, 'Imports'),
  ];
}

function linesOf(text: string): readonly string[] {
  return text.slice(0, readCharacters).split('\n');
}

function namesIn(lines: readonly string[], pattern: RegExp, label: string): readonly string[] {
  const found = lines.flatMap((line) => {
    const [, ...groups] = pattern.exec(line) ?? [];
    return groups.filter((name) => name !== undefined);
  });
  const names = [...new Set(found)];
  const more = names.length > mostNames ? `, ${names.length - mostNames} more` : '';
  return names.length === 0 ? [] : [`${label}: ${names.slice(0, mostNames).join(', ')}${more}`];
}

/** A line of a search: `src/a.ts:12:text`, `src/a.ts:3` and `src/a.ts (3 matches)` for a count. */
const foundLine = /^([^\s:(][^:(\n]*)(?::(\d{1,7})(?:[:-]|$)|\((\d{1,7}) match)/;

/** Names of arguments and fields with the path of a file. */
export const pathNames: readonly string[] =
  'path file_path filePath filename file_name file target_file targetFile'.split(' ');

/** Counts the files with results of a search, and names those with the most. */
export function factsOfSearch(
  text: string,
  list: readonly unknown[] | undefined,
): readonly string[] {
  const counts = new Map<string, number>();
  const add = (file: unknown, count: number): void => {
    if (typeof file === 'string') counts.set(file, (counts.get(file) ?? 0) + count);
  };
  for (const entry of list ?? [])
    add(pathNames.map((name) => ownProperty(entry, name)).find(Boolean), 1);
  const strings = list?.filter((entry) => typeof entry === 'string').join('\n');
  for (const line of linesOf(strings ?? text)) {
    const [said = '', file, place, count] = foundLine.exec(line) ?? [];
    add(file?.trim(), Number(count ?? (/\d$/.test(said) ? place : 1)));
  }
  if (counts.size === 0) return [];
  const top = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, mostFiles);
  const named = top.map(([file, count]) => `${file} (${count})`).join(', ');
  return [`Files: ${counts.size}`, `Top files: ${named}`];
}
