import { fileURLToPath } from 'node:url';
import type { ViteUserConfig } from 'vitest/config';

const standIns = new Map([
  ['ai', 'current-names.ts'],
  ['ai/test', 'mock-models.ts'],
  ['@ai-sdk/google', 'google.ts'],
]);

/**
 * Lets the package find AI SDK 6, and tests too, under the names of AI SDK 7, with the providers of its era.
 */
export const sdk6: NonNullable<ViteUserConfig['plugins']>[number] = {
  name: 'ai-sdk-6',
  enforce: 'pre',
  async resolveId(source, importer) {
    const standIn = importer?.includes('/test/') === true ? standIns.get(source) : undefined;
    if (standIn !== undefined) return fileURLToPath(new URL(standIn, import.meta.url));
    if (source === 'ai') return this.resolve('ai-6', importer);
    const provider = /^@ai-sdk\/(openai|anthropic)$/.exec(source)?.[1];
    return provider === undefined ? undefined : this.resolve(`${provider}-provider-6`, importer);
  },
};

/** The tests that run against AI SDK 6 too: of what it does otherwise, and of each way into the package. */
export const testsOfBoth: string[] = [
  'test/ai-6/both/*.test.ts',
  'test/archive/{in-memory,listing-and-erasing,read-archive,undo-summarization}.test.ts',
  'test/middleware/{answers,asking-for-a-summary,background,on-demand}.test.ts',
  'test/middleware/{compact-tool,composition,continuity,failures,measuring}.test.ts',
  'test/middleware/{rules-of-the-user,summarize,summary-trees}.test.ts',
  'test/middleware/{waiting,without-a-model}.test.ts',
  'test/own-calls/{summarizer-length,wrapped-summarizer}.test.ts',
  'test/recall/*.test.ts',
  'test/retry/*.test.ts',
  'test/testing/harness.test.ts',
  'test/{arguments-without-types,count-prompt-tokens,explain-summarization}.test.ts',
  'test/{prepare-summary,summarize-conversation}.test.ts',
];
