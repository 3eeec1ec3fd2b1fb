import { describe, expect, it } from 'vitest';
import { chromaTreeStore } from '../src/stores/chroma/index.ts';
import {
  contextLengthOf,
  forgetLearnedLimits,
  memoryStore,
  SummarizationOptionError,
  summaryTreeId,
} from '../src/index.ts';
import { middleTruncate } from '../src/text/index.ts';
import {
  ensurePromptTemplates,
  ensureSettings,
  loadPromptTemplates,
  loadSettings,
  markdownTreeStore,
} from '../src/node/index.ts';
import { untyped } from './support/untyped.ts';

/** What a caller without types may do, and the name and the rule that he is told. */
const mistakes: readonly (readonly [
  name: string,
  call: (argument: never) => unknown,
  given: unknown,
  option: string,
  allowed: RegExp,
])[] = [
  ...[undefined, null, 7, 'gpt-5', []].flatMap(
    (given) =>
      [['contextLengthOf', contextLengthOf, given, 'input', /an object with provider/]] as const,
  ),
  ['contextLengthOf', contextLengthOf, {}, 'provider', /a string/],
  ['contextLengthOf', contextLengthOf, { provider: 'openai' }, 'modelId', /a string/],
  ['forgetLearnedLimits', forgetLearnedLimits, null, 'input', /an object with provider/],
  ['memoryStore', memoryStore, null, 'input', /an object with maxBytes/],
  ['memoryStore', memoryStore, 7, 'input', /an object with maxBytes/],
  ...[undefined, null, 7, {}].flatMap(
    (given) =>
      [
        ['middleTruncate', (text: string) => middleTruncate(text, 5), given, 'text', /a string/],
      ] as const,
  ),
  [
    'middleTruncate',
    (text: string) => middleTruncate(text, untyped(undefined)),
    'a',
    'budgetChars',
    /a number/,
  ],
  [
    'middleTruncate',
    (text: string) => middleTruncate(text, Number.NaN),
    'a',
    'budgetChars',
    /a number/,
  ],
  [
    'middleTruncate',
    (text: string) => middleTruncate(text, 1, untyped(null)),
    'a',
    'input',
    /an object/,
  ],
  ...[undefined, null, 7, 'chat'].flatMap(
    (given) => [['summaryTreeId', summaryTreeId, given, 'input', /conversationId/]] as const,
  ),
  ['summaryTreeId', summaryTreeId, {}, 'conversationId', /a string/],
  ['summaryTreeId', summaryTreeId, { conversationId: 'a', namespace: 7 }, 'namespace', /a string/],
  ['chromaTreeStore', chromaTreeStore, undefined, 'input', /an object with client and embed/],
  ['markdownTreeStore', markdownTreeStore, null, 'input', /an object with folder/],
  ['markdownTreeStore', markdownTreeStore, {}, 'folder', /a string that is not empty/],
  [
    'ensurePromptTemplates',
    ensurePromptTemplates,
    undefined,
    'directory',
    /a string that is not empty/,
  ],
  ['ensureSettings', ensureSettings, {}, 'path', /a string that is not empty/],
  ['loadPromptTemplates', loadPromptTemplates, null, 'input', /an object with prompts/],
  ['loadSettings', loadSettings, 7, 'path', /a string that is not empty/],
];

function errorOf(call: (argument: never) => unknown, given: unknown): unknown {
  try {
    return call(untyped(given));
  } catch (error) {
    return error;
  }
}

describe('public functions that are called without types', () => {
  it.each(mistakes)('%s names the argument: %#', (_, call, given, option, allowed) => {
    const error = errorOf(call, given);
    if (!SummarizationOptionError.isInstance(error))
      throw new Error('Not refused.', { cause: error });
    expect(error.option).toBe(option);
    expect(error.message).toMatch(allowed);
  });
});
