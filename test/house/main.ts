// Holds the source to its size: `npm run check:house`. Source that nobody can see whole cannot be judged.

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
  const code = text.replaceAll(/^\s*\/\*[\s\S]*?\*\/$/gm, '');
  return code.split('\n').filter((line) => !/^\s*(?:\/\/.*)?$/.test(line)).length;
}

/**
 * Parts of the source by the beginnings of their paths, and the most code lines of each: 5 % over those that it had when
 * this was drawn, so that a fix is no matter of lines. The first part that fits has a file: optional entries, stores of
 * databases and the levels of texts stand apart from the core.
 */
const layers: readonly (readonly [name: string, most: number, paths: readonly string[]])[] = [
  [
    'levels of texts, trees',
    938,
    [
      'entries/text/',
      'summaries/levels/',
      'state/stores/summary-trees',
      'state/stores/chroma-',
      'state/stores/markdown-',
    ],
  ],
  [
    'stores of databases',
    635,
    ['database', 'postgres', 'redis', 'sqlite', 'unstorage'].map((name) => `state/stores/${name}-`),
  ],
  ['functions of the root', 1214, ['entries/api/']],
  ['other entries', 2480, ['entries/']],
  ['foundations', 1632, ['foundations/', 'markdown.d.ts']],
  ['prompt', 1037, ['prompt/']],
  ['sizes', 1652, ['sizes/']],
  ['planning', 1780, ['planning/']],
  ['state', 2440, ['state/']],
  ['summaries', 4430, ['summaries/']],
  ['call', 5145, ['call/', 'index.ts', 'middleware.ts']],
];

function linesOfLayers(): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const [file, text] of texts) {
    const layer = layers.find(([, , paths]) => paths.some((each) => file.startsWith(each)));
    if (layer === undefined) throw new Error(`Give ${file} its layer in test/house/main.ts.`);
    lines.set(layer[0], (lines.get(layer[0]) ?? 0) + codeLines(text));
  }
  return lines;
}

/**
 * Counts the fields of the largest interface, with those of the interfaces that it extends. The options of the middleware
 * are not meant: users know each of them by its name.
 */
function fieldsOfLargest(): number {
  const interfaces = new Map<string, { readonly own: number; readonly bases: readonly string[] }>();
  const pattern =
    /^(?:export )?interface (\w+)(?:<[^{]*?>)?(?:\s+extends\s+([^{]+?))?\s*\{\n([^]*?)^\}/gm;
  for (const text of texts.values())
    for (const [, name = '', bases = '', body = ''] of text.matchAll(pattern)) {
      const pickCount =
        bases
          .match(/Pick<[^>]*>/g)
          ?.join('')
          .match(/'\w+'/g)?.length ?? 0;
      const fields = body.match(/^  (?:readonly )?[\w'-]+\??[:(]/gm)?.length ?? 0;
      const whole = bases.replaceAll(/\w+<[^>]*>/g, '').match(/\w+/g) ?? [];
      interfaces.set(name, { own: pickCount + fields, bases: whole });
    }
  const sizeOf = (name: string): number => {
    const { own = 0, bases = [] } = interfaces.get(name) ?? {};
    return bases.reduce((sum, base) => sum + sizeOf(base), own);
  };
  interfaces.delete('SummarizationOptions');
  return Math.max(...[...interfaces.keys()].map(sizeOf));
}

/** Counts the fields of the class that has the most fields that change. */
function mutableFields(): number {
  const counts = [...texts.values()].flatMap((text) =>
    Array.from(
      text.matchAll(/^(?:export )?class [^]*?^\}/gm),
      ([body]) => body.match(/^  (?!readonly )#?\w+(?:: [^(]*?)? = /gm)?.length ?? 0,
    ),
  );
  return Math.max(...counts);
}

/** Imports between files, types included. */
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
const ofLayers = linesOfLayers();
/** Figures of the source and their limits. */
const figures: readonly (readonly [what: string, figure: number, most: number])[] = [
  ...layers.map(
    ([name, most]) => [`code lines of ${name}`, ofLayers.get(name) ?? 0, most] as const,
  ),
  ['files', texts.size, 195],
  ['lines of the longest file', Math.max(...lines), 500],
  ['exported values that one other file uses', usedOnce(), 244],
  ['fields of the largest object that is no options', fieldsOfLargest(), 35],
  ['fields that change, of one class', mutableFields(), 2],
  ['circles of imports', inCircles().length, 0],
];
for (const [what, figure, most] of figures) {
  console.log(`${String(figure).padStart(6)} of ${most} ${what}`);
  if (figure > most) process.exitCode = 1;
}
if (process.exitCode === 1) console.error('The source is larger than it may be.');
