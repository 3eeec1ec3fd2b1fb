import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import * as api from '../src/index.ts';
import * as text from '../src/text/index.ts';

describe('the public API', () => {
  it('is this and nothing else', () => {
    expect(Object.keys(api).toSorted()).toMatchInlineSnapshot(`
      [
        "ContextOverflowError",
        "SummarizationError",
        "SummarizationOptionError",
        "compact",
        "compactTool",
        "contextLengthOf",
        "countPromptTokens",
        "defineStrategy",
        "eraseConversation",
        "explainSummarization",
        "forgetLearnedLimits",
        "listSummaries",
        "llmStrategy",
        "memoryStore",
        "prepareSummary",
        "readArchive",
        "readCompactCommand",
        "ruleBasedStrategy",
        "summarizationMiddleware",
        "summarizeConversation",
        "summaryRecordSchema",
        "summaryTreeId",
        "undoSummarization",
      ]
    `);
  });

  it('is this for texts', () => {
    expect(Object.keys(text).toSorted()).toEqual(['middleTruncate', 'summarize', 'summarizeTool']);
  });

  it('is tested against AI SDK 7', () => {
    const { version }: { version: string } = createRequire(import.meta.url)('ai/package.json');
    expect(version).toMatch(/^7\./);
  });
});
