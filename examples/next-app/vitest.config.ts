import { defineConfig } from 'vitest/config';

// The tests of the app drive it in a real browser: `next build` comes first.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
});
