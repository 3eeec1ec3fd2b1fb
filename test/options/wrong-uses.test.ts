import { expect, it } from 'vitest';
import {
  countPromptTokens,
  llmStrategy,
  memoryStore,
  ruleBasedStrategy,
  summarizationMiddleware,
  SummarizationOptionError,
} from '../../src/index.ts';
import { loadSettings } from '../../src/node/index.ts';
import { summarize } from '../../src/text/index.ts';
import { untyped } from '../support/untyped.ts';

const middleware = summarizationMiddleware;
const queue = { enqueue: (): void => {} };
const price = { input: 1, cacheRead: 2, cacheWrite: 1, output: 4, cacheMinutes: 5 };
const loaded = (options: never): unknown => loadSettings('nowhere.json', options);
const summarized = (options: never): unknown => summarize('A text.', options);

/** A wrong use: what is called, with what, which option is named, and what is said of what is allowed. */
const wrongUses: readonly (readonly [
  use: (given: never) => unknown,
  given: unknown,
  option: string,
  allowed: RegExp,
])[] = [
  // A misspelt name or word.
  [middleware, { triggerRatio: 0.5 }, 'triggerRatio', /mean triggerTokenRatio\?$/],
  [middleware, { redcat: 2 }, 'redcat', /mean redact\?$/],
  [middleware, { preserverecent: 4 }, 'preserverecent', /mean preserveRecent\?$/],
  [middleware, { maxSummariesPerHour: 3 }, 'maxSummariesPerHour', /mean maxSummaryCallsPerHour\?$/],
  [middleware, { placement: 'system_merged' }, 'placement', /mean system-merged\?$/],
  [middleware, { atMaxDepth: 'rebased' }, 'atMaxDepth', /mean rebase\?$/],
  [
    middleware,
    { messageFilter: { toolResult: 'omit' } },
    'messageFilter.toolResult',
    /mean toolResults\?$/,
  ],
  [
    middleware,
    { providers: { openai: { contextLenght: 5 } } },
    'providers.openai.contextLenght',
    /mean contextLength\?$/,
  ],
  [middleware, { archive: { maxFileByte: 1 } }, 'archive.maxFileByte', /mean maxFileBytes\?$/],
  [
    middleware,
    { prompts: { toolResult: 'x {content}' } },
    'prompts.toolResult',
    /mean toolResults\?$/,
  ],
  [memoryStore, { maxbytes: 7 }, 'maxbytes', /mean maxBytes\?$/],
  [ruleBasedStrategy, { extractor: {} }, 'extractor', /mean extractors\?$/],
  [loaded, { strategy: {} }, 'strategy', /mean strategies\?$/],
  // What is beside another option.
  [middleware, { resetTokenRatio: 0.8 }, 'resetTokenRatio', /below .* is 0\.8$/],
  [
    middleware,
    { triggerTokenRatio: 0.5, resetTokenRatio: 0.5 },
    'resetTokenRatio',
    /below triggerTokenRatio, which is 0\.5$/,
  ],
  [
    middleware,
    { providers: { openai: { resetTokenRatio: 0.9 } } },
    'providers.openai.resetTokenRatio',
    /below triggerTokenRatio, which is 0\.8$/,
  ],
  [
    middleware,
    { resetTokenRatio: 0.6, providers: { openai: { triggerTokenRatio: 0.6 } } },
    'providers.openai.resetTokenRatio',
    /below triggerTokenRatio, which is 0\.6$/,
  ],
  [
    middleware,
    { triggerTokenRatio: 0.6, providers: { openai: { resetTokenRatio: 0.7 } } },
    'providers.openai.resetTokenRatio',
    /below triggerTokenRatio, which is 0\.6$/,
  ],
  [middleware, { background: queue }, 'background', /a store that other processes/],
  [middleware, { prices: { openai: price } }, 'prices.openai', /cacheRead at most input/],
  [
    middleware,
    { strategy: ruleBasedStrategy(), minUserTurns: 1 },
    'minUserTurns',
    /nothing beside a strategy object.*ruleBasedStrategy\(\{ minUserTurns \}\)/,
  ],
  // Another type, or out of bounds.
  [middleware, [], 'options', /an object/],
  [middleware, { secret: 'hunter2' }, 'secret', /at least 16 characters/],
  [middleware, { providers: { openai: 1 } }, 'providers.openai', /an object/],
  [middleware, { prompts: { toolResults: 'x' } }, 'prompts.toolResults', /\{content\}/],
  [
    middleware,
    { prompts: { maxSummaryChars: 1 } },
    'prompts.maxSummaryChars',
    /an integer of at least 10/,
  ],
  [
    middleware,
    { messageFilter: { toolResults: 'none' } },
    'messageFilter.toolResults',
    /'full' or 'summary' or 'omit'/,
  ],
  [llmStrategy, { models: 'openai/gpt-5' }, 'models', /a list of at least one model or id/],
  [llmStrategy, { maxTranscriptTokens: 10 }, 'maxTranscriptTokens', /an integer of at least 500/],
  [llmStrategy, null, 'input', /an object with options/],
  [ruleBasedStrategy, { extractors: [] }, 'extractors', /an object of functions by tool name/],
  [ruleBasedStrategy, { minUserTurns: -1 }, 'minUserTurns', /an integer of at least 0/],
  [
    summarized,
    { model: 'a/b', chunkSize: 10, chunkOverlap: 9 },
    'chunkOverlap',
    /half of chunkSize/,
  ],
  [summarized, {}, 'model', /a language model or the id of one/],
  [countPromptTokens, null, 'input', /an object with/],
];

it.each(wrongUses)('%o of %j names %s and %o', async (use, given, option, allowed) => {
  let error: unknown;
  try {
    await use(untyped<never>(given));
  } catch (thrown) {
    error = thrown;
  }
  if (!SummarizationOptionError.isInstance(error)) throw new Error(`Not refused: ${String(error)}`);
  expect(error.option).toBe(option);
  expect(error.allowed).toMatch(allowed);
  expect(error.message).toContain(`Invalid option ${option}: got `);
});

it('are 35', () => {
  expect(wrongUses).toHaveLength(35);
});
