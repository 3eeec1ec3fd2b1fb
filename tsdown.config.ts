import { defineConfig, type UserConfig } from 'tsdown';

const config: UserConfig = defineConfig({
  entry: { index: 'src/index.ts', 'node/index': 'src/node/index.ts' },
  platform: 'neutral',
  fixedExtension: false,
  loader: { '.md': 'text' },
  deps: { neverBundle: [/^node:/] },
  dts: true,
  publint: { strict: true },
  attw: { profile: 'esm-only', level: 'error' },
});

export default config;
