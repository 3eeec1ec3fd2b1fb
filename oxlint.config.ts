import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { defineConfig, type OxlintConfig, type OxlintOverride } from 'oxlint';
import { entries } from './entries.ts';

const base: OxlintConfig & { overrides: OxlintOverride[] } = JSON.parse(
  readFileSync(new URL('oxlint.base.json', import.meta.url), 'utf8'),
);

/** A folder of `src/` with its modules. */
interface Layer {
  readonly name: string;
  /** Whether its modules measure, decide, select and compose: no I/O, no model. */
  readonly isPure?: boolean;
  readonly modules: readonly string[];
}

/**
 * The layers of `src/` and their modules, both from the bottom to the top: a module imports, types included, only from
 * itself and from modules before it.
 */
const layers: readonly Layer[] = [
  {
    name: 'foundations',
    isPure: true,
    modules: ['util', 'util/maps', 'util/async', 'record', 'errors', 'checks', 'telemetry'],
  },
  { name: 'prompt', isPure: true, modules: ['cleaning', 'messages', 'sdk', 'identity'] },
  { name: 'sizes', isPure: true, modules: ['tokens', 'overflow'] },
  { name: 'planning', isPure: true, modules: ['selection', 'composing', 'plan', 'sizing'] },
  {
    name: 'state',
    modules: [
      'stores',
      'archive',
      'conversation/stored-values',
      'conversation/prefixes',
      'conversation/lookup',
      'conversation/changes',
      'conversation',
    ],
  },
  {
    name: 'summaries',
    modules: [
      'templates',
      'strategies',
      'messages',
      'rule-based',
      'models',
      'grounding',
      'transcript',
      'levels',
      'llm',
    ],
  },
  { name: 'call', modules: ['fitting', 'report', 'writing', 'options', 'run', 'retry'] },
  {
    name: 'entries',
    modules: [
      'text',
      'api',
      'handoff',
      'durable',
      'recall',
      'node',
      'cli',
      'testing',
      'ui',
      'react',
    ],
  },
];

/** Modules that use the entry as users do. */
const aboveEntry: ReadonlySet<string> = new Set(['entries/cli']);

const modules = layers.flatMap(({ name: layer, isPure = false, modules: inner }) =>
  inner.map((module) => ({ name: `${layer}/${module}`, isPure })),
);

function overrideOf(
  { name, isPure }: (typeof modules)[number],
  above: readonly string[],
): OxlintOverride {
  const folder = posix.relative(name, '.');
  const outside = ['middleware', 'index'].map((file) => `${folder}/${file}.ts`);
  const patterns = [
    ...above.map((module) => ({
      regex: `^${escaped(specifier(name, module))}/[^/]+$`,
      message: `A module imports only from modules below it: ${module} is above ${name}.`,
    })),
    ...(aboveEntry.has(name) ? [] : [{ group: outside, message: `The entry is above ${name}.` }]),
    ...(isPure ? pureImports : []),
  ];
  return {
    files: [`src/${name}/*.{ts,tsx}`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
}

const pureImports = [
  { group: ['node:*'], allowTypeImports: true, message: 'This layer is pure: no I/O.' },
  { group: ['ai'], allowTypeImports: true, message: 'This layer is pure: no model.' },
];

function specifier(from: string, to: string): string {
  const path = posix.relative(from, to);
  return path.startsWith('.') ? path : `./${path}`;
}

function escaped(text: string): string {
  return text.replaceAll('.', String.raw`\.`);
}

/** Tests go through the entries of the package; those that know more of it stand in `test/inside`. */
const outsideTests: OxlintOverride = {
  files: ['test/**'],
  excludeFiles: ['test/inside/**'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            group: ['**/src/**', ...Object.values(entries).map(({ source }) => `!**/${source}`)],
            message: 'Tests outside test/inside import entries of the package alone.',
          },
          { group: ['**/inside/**'], message: 'test/inside knows more than other tests may.' },
        ],
      },
    ],
  },
};

const names = modules.map(({ name }) => name);

function foldersWithSource(folder: string): readonly string[] {
  const found = readdirSync(folder, { withFileTypes: true });
  const own = found.some((entry) => entry.isFile()) ? [folder] : [];
  const inner = found.filter((entry) => entry.isDirectory());
  return [...own, ...inner.flatMap(({ name }) => foldersWithSource(posix.join(folder, name)))];
}

const homeless = foldersWithSource('src').filter(
  (folder) => folder !== 'src' && !names.includes(posix.relative('src', folder)),
);
if (homeless.length > 0)
  throw new Error(`Give these folders their place among the modules: ${homeless.join(', ')}`);

const config: OxlintConfig = defineConfig({
  ...base,
  overrides: [
    ...base.overrides,
    {
      files: ['src/**'],
      rules: {
        'import/no-cycle': ['error', { ignoreTypes: false }],
        'max-lines': ['error', { max: 500 }],
        'max-lines-per-function': ['error', { max: 150, skipBlankLines: true, skipComments: true }],
      },
    },
    outsideTests,
    ...modules.map((module, index) => overrideOf(module, names.slice(index + 1))),
  ],
});

export default config;
