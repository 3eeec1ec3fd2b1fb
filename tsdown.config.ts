import { defineConfig, type UserConfig } from 'tsdown';

const config: UserConfig = defineConfig({
  entry: ['src/index.ts'],
  platform: 'neutral',
  fixedExtension: false,
  loader: { '.md': 'text' },
  dts: true,
  publint: { strict: true },
  attw: { profile: 'esm-only', level: 'error' },
});

export default config;
