// Holds the language of the repository to its rules: `npm run check:words`. CONTRIBUTING.md says which. `counts.json` says
// how many faults an area may have, which may only go down: `npm run check:words -- --lower` writes the smaller counts.
// `npm run check:words -- AREA` lists the faults of an area.

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { areas } from './areas.ts';
import counts from './counts.json' with { type: 'json' };
import { faultsOfCode, faultsOfDocument, kinds, type Fault } from './find-words.ts';

/** Faults of an area that are lines where it has too many. */
const mostShown = 20;

const root = path.resolve(import.meta.dirname, '../..');
const chosen = process.argv.slice(2).find((word) => !word.startsWith('--'));
const stored: Readonly<Record<string, Readonly<Record<string, number>>>> = counts;
const lowered: Record<string, Record<string, number>> = {};

for (const { name, files, except = [], titlesOnly = false } of areas) {
  const faults = globSync([...files], { cwd: root, exclude: [...except, '**/node_modules/**'] })
    .toSorted()
    .flatMap((file) => faultsIn(file, titlesOnly).map((fault) => ({ ...fault, file })));
  const figures = kinds.map((kind) => {
    const figure = faults.filter((fault) => fault.kind === kind).length;
    const most = stored[name]?.[kind] ?? 0;
    (lowered[name] ??= {})[kind] = Math.min(figure, most);
    return { kind, figure, most };
  });
  console.log(
    `${name.padEnd(28)} ${figures.map(({ kind, figure, most }) => `${kind} ${figure} of ${most}`).join(', ')}`,
  );
  for (const { kind, figure, most } of figures) {
    if (figure > most) process.exitCode = 1;
    const own = faults.filter((fault) => fault.kind === kind);
    // All of an area that was asked for; else enough to see what is meant.
    const lines = chosen === name ? own : figure > most ? own.slice(-mostShown) : [];
    for (const fault of lines)
      console.error(`  ${fault.file}:${fault.line}: ${kind}: ${fault.text}`);
  }
}

if (process.argv.includes('--lower'))
  writeFileSync(
    path.join(import.meta.dirname, 'counts.json'),
    `${JSON.stringify(lowered, null, 2)}\n`,
  );
if (process.exitCode === 1)
  console.error(
    'An area has more faults of language than it may: see "How to write" in CONTRIBUTING.md.',
  );

function faultsIn(file: string, titlesOnly: boolean): readonly Fault[] {
  const source = readFileSync(path.join(root, file), 'utf8');
  return file.endsWith('.md')
    ? faultsOfDocument(source)
    : faultsOfCode(file, source, { titlesOnly });
}
