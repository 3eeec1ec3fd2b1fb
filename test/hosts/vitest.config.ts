import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['*.test.ts', 'sdk-6/*.test.ts'],
    globalSetup: 'install-package.ts',
    testTimeout: 200_000,
    hookTimeout: 200_000,
  },
});
