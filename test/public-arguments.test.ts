import { describe, expect, it } from 'vitest';
import { chromaTreeStore } from '../src/stores/chroma-tree-store.ts';
import {
  contextLengthOf,
  forgetLearnedLimits,
  memoryStore,
  summarizationMiddleware,
  SummarizationOptionError,
  summaryTreeId,
} from '../src/index.ts';
import { middleTruncate, type MiddleTruncateOptions } from '../src/text/index.ts';
import { summarizationMetadata, summaryDataParts } from '../src/ui/index.ts';
import {
  ensurePromptTemplates,
  ensureSettings,
  loadLevelTemplates,
  loadPromptTemplates,
  loadSettings,
  markdownTreeStore,
  type LoadSettingsOptions,
} from '../src/node/index.ts';
import { untyped } from './support/untyped.ts';

const fractions = [
  [{ headFraction: -1 }, 'headFraction', /a number of at least 0/],
  [{ tailFraction: Number.NaN }, 'tailFraction', /a number of at least 0/],
  [{ headFraction: 0, tailFraction: 0 }, 'headFraction', /above 0 unless tailFraction is/],
] as const;

/** Functions, a name that they do not know, and one that they do. */
const misspelt: readonly (readonly [
  name: string,
  call: (argument: never) => unknown,
  given: string,
  known: string,
])[] = [
  ['memoryStore', memoryStore, 'maxbytes', 'maxBytes'],
  [
    'middleTruncate',
    (options: MiddleTruncateOptions) => middleTruncate('text', 2, options),
    'head',
    'headFraction',
  ],
  ['loadPromptTemplates', loadPromptTemplates, 'prompt', 'prompts'],
  ['loadLevelTemplates', loadLevelTemplates, 'prompt', 'prompts'],
  [
    'loadSettings',
    (options: LoadSettingsOptions) => loadSettings('nowhere.json', options),
    'strategy',
    'strategies',
  ],
  ['summarizationMetadata', summarizationMetadata, 'continue', 'continues'],
];

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
  ...fractions.map(
    ([given, option, allowed]) =>
      [
        'middleTruncate',
        (options: MiddleTruncateOptions) => middleTruncate('text', 2, options),
        given,
        option,
        allowed,
      ] as const,
  ),
  ['summaryDataParts', summaryDataParts, undefined, 'writer', /createUIMessageStream/],
  ['summarizationMetadata', summarizationMetadata, null, 'input', /an object with continues/],
  // What was not awaited, and what has no names to be read.
  ...[Promise.resolve({ contextLength: 1000 }), new Map(), new Date()].flatMap((given) => [
    ['options', summarizationMiddleware, given, 'options', /allowed is an object/] as const,
    ...['archive', 'messageFilter', 'prices', 'prompts', 'providers', 'telemetry'].map(
      (option) =>
        [option, summarizationMiddleware, { [option]: given }, option, /an object/] as const,
    ),
  ]),
  [
    'options',
    summarizationMiddleware,
    Promise.resolve({}),
    'options',
    /got a promise, allowed is an object/,
  ],
  ...misspelt.map(
    ([name, call, given, known]) =>
      [name, call, { [given]: {} }, given, new RegExp(`one of these names: .*${known}`)] as const,
  ),
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
