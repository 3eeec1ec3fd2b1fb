import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { defineConfig, type OxlintConfig, type OxlintOverride } from 'oxlint';
import { entries } from './entries.ts';

const base: OxlintConfig & { overrides: OxlintOverride[] } = JSON.parse(
  readFileSync(new URL('oxlint.base.json', import.meta.url), 'utf8'),
);

/**
 * The rooms of `src/` from the bottom to the top: a room imports, types included, only from itself and from
 * rooms before it. `pure` rooms measure, decide, select and compose: no I/O, no model. What stands `above` the entry
 * uses it as users do.
 */
const rooms: readonly {
  readonly name: string;
  readonly pure?: boolean;
  readonly above?: boolean;
}[] = [
  { name: 'util' },
  { name: 'util/maps' },
  { name: 'util/async' },
  { name: 'record', pure: true },
  { name: 'errors', pure: true },
  { name: 'checks', pure: true },
  { name: 'cleaning', pure: true },
  { name: 'prompt', pure: true },
  { name: 'sdk', pure: true },
  { name: 'tokens', pure: true },
  { name: 'identity', pure: true },
  { name: 'prompts', pure: true },
  { name: 'stores' },
  { name: 'selection', pure: true },
  { name: 'composing', pure: true },
  { name: 'overflow', pure: true },
  { name: 'telemetry' },
  { name: 'strategies' },
  { name: 'strategies/messages' },
  { name: 'strategies/rule-based' },
  { name: 'strategies/models' },
  { name: 'strategies/grounding' },
  { name: 'strategies/transcript' },
  { name: 'strategies/levels' },
  { name: 'strategies/llm' },
  { name: 'planning', pure: true },
  { name: 'sizing' },
  { name: 'fitting' },
  { name: 'report' },
  { name: 'archive' },
  { name: 'state/stored-values' },
  { name: 'state/prefixes' },
  { name: 'state/lookup' },
  { name: 'state/changes' },
  { name: 'state' },
  { name: 'summaries' },
  { name: 'options' },
  { name: 'text' },
  { name: 'call' },
  { name: 'retry' },
  { name: 'api' },
  { name: 'handoff' },
  { name: 'durable' },
  { name: 'recall' },
  { name: 'node' },
  { name: 'cli', above: true },
  { name: 'testing' },
  { name: 'ui' },
  { name: 'react' },
];

function overrideOf(
  { name, pure = false, above: isAboveEntry = false }: (typeof rooms)[number],
  above: readonly string[],
): OxlintOverride {
  const folder = posix.relative(name, '.');
  const outside = ['middleware', 'index'].map((file) => `${folder}/${file}.ts`);
  const patterns = [
    ...above.map((room) => ({
      regex: `^${escaped(specifier(name, room))}/[^/]+$`,
      message: `A room imports only from rooms below it: ${room} is above ${name}.`,
    })),
    ...(isAboveEntry ? [] : [{ group: outside, message: `The entry is above ${name}.` }]),
    ...(pure ? pureImports : []),
  ];
  return {
    files: [`src/${name}/*.{ts,tsx}`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
}

const pureImports = [
  { group: ['node:*'], message: 'This room is pure: no I/O.' },
  { group: ['ai'], allowTypeImports: true, message: 'This room is pure: no model.' },
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

const names = rooms.map(({ name }) => name);

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
  throw new Error(`Give these folders their place among the rooms: ${homeless.join(', ')}`);

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
    ...rooms.map((room, index) => overrideOf(room, names.slice(index + 1))),
  ],
});

export default config;
