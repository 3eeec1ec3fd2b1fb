// Holds the source to its size: `npm run check:house`. What is too large to see cannot be judged.

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../src');
const texts = new Map(
  globSync('**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.d.ts'] }).map((file) => [
    file,
    readFileSync(path.join(root, file), 'utf8'),
  ]),
);

/** Lines that are neither blank nor comment, as the formatter leaves them. */
function codeLines(text: string): number {
  const uncommented = text.replaceAll(/^\s*\/\*[\s\S]*?\*\/$/gm, '');
  return uncommented.split('\n').filter((line) => !/^\s*(?:\/\/.*)?$/.test(line)).length;
}

/** What files take of each other, types included. */
const imports = [...texts].flatMap(([file, text]) =>
  Array.from(
    text.matchAll(
      /(?:import|export)\s+(?:type\s+)?([^'";]*?)\s*from\s*'(\.[^']+)'|import\('(\.[^']+)'\)/g,
    ),
    ([, names = '', from = '', lazy = '']) => ({
      file,
      target: path.join(path.dirname(file), from || lazy),
      names: (/\{([^}]*)\}/.exec(names)?.[1] ?? '*').split(',').map(
        (name) =>
          name
            .trim()
            .replace(/^type\s+/, '')
            .split(/\s+as\s+/)[0] ?? '',
      ),
    }),
  ),
);

function usedOnce(): number {
  const users = new Map<string, Set<string>>();
  for (const { file, target, names } of imports)
    // The root lists what users import: it uses nothing itself.
    for (const name of file === 'index.ts' ? [] : names) {
      const key = `${target}#${name}`;
      users.set(key, (users.get(key) ?? new Set()).add(file));
    }
  return [...texts].flatMap(([file, text]) =>
    Array.from(
      text.matchAll(/^export (?:async )?(?:function\*?|const|class|let) (\w+)/gm),
      ([, name]) => users.get(`${file}#${name}`)?.size,
    ).filter((size) => size === 1),
  ).length;
}

/** Files from which a way leads back to them, lazy imports included, which lint does not follow. */
function inCircles(): readonly string[] {
  const next = Map.groupBy(imports, ({ file }) => file);
  const reached = (from: string, seen = new Set<string>()): ReadonlySet<string> => {
    for (const { target } of next.get(from) ?? [])
      if (!seen.has(target)) reached(target, seen.add(target));
    return seen;
  };
  return [...texts.keys()].filter((file) => reached(file).has(file));
}

const lines = [...texts.values()].map((text) => text.split('\n').length - 1);
const ofCode = [...texts.values()].reduce((sum, text) => sum + codeLines(text), 0);
/** What there is, and the most there may be: 5 % over what stood when it was drawn, so that a fix is no matter of lines. */
const measured: readonly (readonly [what: string, figure: number, most: number])[] = [
  ['code lines', ofCode, 21_600],
  ['files', texts.size, 195],
  ['lines of the longest file', Math.max(...lines), 500],
  ['exported values that one other file uses', usedOnce(), 239],
  ['circles of imports', inCircles().length, 0],
];
for (const [what, figure, most] of measured) {
  console.log(`${String(figure).padStart(6)} of ${most} ${what}`);
  if (figure > most) process.exitCode = 1;
}
if (process.exitCode === 1) console.error('The source is larger than it may be.');
