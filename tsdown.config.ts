import { defineConfig, type UserConfig } from 'tsdown';
import { builtPath, entries } from './entries.ts';

const config: UserConfig = defineConfig({
  entry: {
    ...Object.fromEntries(
      Object.entries(entries).map(([name, { source }]) => [builtPath(name), source]),
    ),
    'cli/main': 'src/entries/cli/main.ts',
  },
  platform: 'neutral',
  fixedExtension: false,
  loader: { '.md': 'text' },
  deps: { neverBundle: [/^node:/] },
  dts: true,
  // Editors read comments in the declarations. Maps with the sources would be more than half of what is installed.
  outputOptions: { comments: { jsdoc: false, legal: false, annotation: true } },
  sourcemap: false,
  publint: { strict: true },
  attw: { profile: 'esm-only', level: 'error' },
});

export default config;
