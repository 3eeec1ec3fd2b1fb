import { defineConfig, type UserConfig } from 'tsdown';

const config: UserConfig = defineConfig({
  entry: {
    index: 'src/index.ts',
    'chroma/index': 'src/stores/chroma/index.ts',
    'node/index': 'src/node/index.ts',
    'testing/index': 'src/testing/index.ts',
  },
  platform: 'neutral',
  fixedExtension: false,
  loader: { '.md': 'text' },
  deps: { neverBundle: [/^node:/] },
  dts: true,
  publint: { strict: true },
  attw: { profile: 'esm-only', level: 'error' },
});

export default config;
