import { ownProperty } from './tool-outcome.ts';

/** Characters of a file or a search in which facts are looked for, and names of each kind that are told. */
const readCharacters = 400_000;
const mostNames = 6;
const mostFiles = 3;

/** Behind the number of a line, where there is one: only what is not indented is offered to other files. */
const exported =
  /^(?:\s{0,8}\d{1,6}(?:\t|→|[:|] ?))?(?:export (?:default )?(?:(?:declare|abstract|async) ){0,2}(?:const|let|var|function\*?|class|interface|type|enum) |pub (?:async )?(?:fn|struct|enum|trait|type) |(?:async )?def |class )([\p{L}_$][\p{L}\p{N}_$]{0,80})/gmu;
const imported =
  /^(?:\s{0,8}\d{1,6}(?:\t|→|[:|] ?))?(?:(?:import|export|\}) ?(?:[^'"\n]{0,200}from )?['"]([^'"\n]{1,200})['"]|(?:from|import|use) ([\w.:]{1,200})|#include [<"]([^>"\n]{1,200}))/gm;

/** What a file is: its type, what it exports and imports. */
export function factsOfFile(path: string, text: string): readonly string[] {
  const [, type] = /\.(\w{1,10})$/.exec(path) ?? [];
  const read = text.slice(0, readCharacters);
  return [
    ...(type === undefined ? [] : [`Type: ${type.toLowerCase()}`]),
    ...namesIn(read, exported, 'Exports'),
    ...namesIn(read, imported, 'Imports'),
  ];
}

function namesIn(text: string, pattern: RegExp, label: string): readonly string[] {
  const found = Array.from(text.matchAll(pattern), (match) =>
    match.slice(1).find((name) => name !== undefined),
  );
  const names = [...new Set(found)];
  const more = names.length > mostNames ? `, ${names.length - mostNames} more` : '';
  return names.length === 0 ? [] : [`${label}: ${names.slice(0, mostNames).join(', ')}${more}`];
}

/** A line of a search: `src/a.ts:12:text`, `src/a.ts:3` and `src/a.ts (3 matches)` for a count. */
const foundLine = /^([^\s:(][^:\n(]{0,300}?)(?::(\d{1,7})(?:[:-]|\s*$)| ?\((\d{1,7}) match)/gm;

const pathNames = ['path', 'file', 'filename', 'filePath', 'file_path'];

/** The files that a search has found something in, and those with the most. */
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
  const lines = list?.filter((entry) => typeof entry === 'string').join('\n') ?? text;
  for (const [line, file, place, count] of lines.slice(0, readCharacters).matchAll(foundLine))
    add(file, Number(count ?? (/\d\s*$/.test(line) ? place : 1)));
  if (counts.size === 0) return [];
  const top = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, mostFiles);
  const named = top.map(([file, count]) => `${file} (${count})`).join(', ');
  return [`Files: ${counts.size}`, `Top files: ${named}`];
}
