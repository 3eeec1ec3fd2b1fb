// Holds the source to its size: `npm run check:house`. What is too large to see cannot be judged.

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The most there may be: a change that needs more takes as much away elsewhere. Lines are what there is (18,000 are
 * meant), and only go down.
 */
const budgets = {
  'code lines': 17_900,
  files: 170,
  'lines of the longest file': 500,
  'exported values that one other file uses': 185,
  'circles of imports': 0,
} as const;

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
    for (const name of names) {
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

/** Files from which a way leads back to them. */
function inCircles(): readonly string[] {
  const next = Map.groupBy(imports, ({ file }) => file);
  const reaches = (from: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const open = [from];
    for (let file = open.pop(); file !== undefined; file = open.pop())
      for (const { target } of next.get(file) ?? [])
        if (!seen.has(target)) {
          seen.add(target);
          open.push(target);
        }
    return seen;
  };
  return [...texts.keys()].filter((file) => reaches(file).has(file));
}

const lines = [...texts.values()].map((text) => text.split('\n').length - 1);
const measured: Readonly<Record<keyof typeof budgets, number>> = {
  'code lines': [...texts.values()].reduce((sum, text) => sum + codeLines(text), 0),
  files: texts.size,
  'lines of the longest file': Math.max(...lines),
  'exported values that one other file uses': usedOnce(),
  'circles of imports': inCircles().length,
};

for (const [name, budget] of Object.entries(budgets)) {
  const figure = Object.entries(measured).find(([other]) => other === name)?.[1] ?? 0;
  console.log(`${String(figure).padStart(6)} of ${budget} ${name}`);
  if (figure > budget) process.exitCode = 1;
}
if (process.exitCode === 1) console.error('The source is larger than it may be.');
