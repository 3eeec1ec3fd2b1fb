import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  plugins: [
    {
      // Prompts are Markdown files imported as text; the build inlines them, the tests need the same.
      name: 'markdown-as-text',
      transform: {
        filter: { id: /\.md$/ },
        handler: (code: string) => `export default ${JSON.stringify(code)}`,
      },
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'] },
    setupFiles: ['test/setup.ts'],
    coverage: { include: ['src/**/*.ts'], exclude: ['src/**/*.d.ts', 'src/index.ts'] },
  },
});

export default config;
