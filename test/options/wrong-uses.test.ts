import { expect, it } from 'vitest';
import { createStorage } from 'unstorage';
import {
  compactTool,
  contextLengthOf,
  countPromptTokens,
  llmStrategy,
  memoryStore,
  ruleBasedStrategy,
  summarizationMiddleware,
  SummarizationOptionError,
  summaryTreeId,
} from '../../src/index.ts';
import {
  ensurePromptTemplates,
  ensureSettings,
  loadPromptTemplates,
  loadSettings,
  markdownTreeStore,
} from '../../src/entries/node/index.ts';
import { chromaTreeStore } from '../../src/state/stores/chroma-tree-store.ts';
import { postgresStore } from '../../src/state/stores/postgres-store.ts';
import { unstorageStore } from '../../src/state/stores/unstorage-store.ts';
import { middleTruncate, summarize } from '../../src/entries/text/index.ts';
import { summarizationMetadata, summaryDataParts } from '../../src/entries/ui/index.ts';
import { untyped } from '../support/untyped.ts';

it('an older runtime is told at once', () => {
  const descriptor = Object.getOwnPropertyDescriptor(Promise, 'withResolvers') ?? {};
  Reflect.deleteProperty(Promise, 'withResolvers');
  try {
    expect(() => summarizationMiddleware()).toThrow(/runtime: got "v\d.*Node\.js 22\.13 or newer/);
  } finally {
    Object.defineProperty(Promise, 'withResolvers', descriptor);
  }
});

/** What is given, which option is named, and what is said of what is allowed. */
type Misuse = readonly [given: unknown, option: string, allowed: RegExp];

/** The error of a function that is called with what its types forbid, or with the two that a list holds. */
async function refusalOf(
  use: (given: never, more: never) => unknown,
  [given]: Misuse,
): Promise<SummarizationOptionError> {
  const [one, more] = Array.isArray(given) ? given : [given];
  try {
    await use(untyped<never>(one), untyped<never>(more));
  } catch (error) {
    if (SummarizationOptionError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

function toldOf([, option, allowed]: Misuse): object {
  const message = expect.stringMatching(/^Invalid option (?!.*password).*: got /);
  return { option, allowed: expect.stringMatching(allowed), message };
}

const queue = { enqueue: (): void => {} };
const price = { input: 1, cacheRead: 2, cacheWrite: 1, output: 4, cacheMinutes: 5 };
const above = /below triggerTokenRatio, which is 0\.8$/;

const asMode = (toolResults: string): object => ({ messageFilter: { toolResults } });
const misspelt = { providers: { openai: { contextLenght: 5 } } };
const crossed = { resetTokenRatio: 0.6, providers: { o: { triggerTokenRatio: 0.6 } } };
const ofMode = 'messageFilter.toolResults';

it.each<Misuse>([
  // A misspelled name or word, of which two in five pairs of letters are right.
  [asMode('OMx'), ofMode, /^did you mean omit\? Allowed is 'full' or 'summary' or 'omit'$/],
  [asMode('omxy'), ofMode, /^'full' or 'summary' or 'omit'$/],
  [asMode('summomit'), ofMode, /^did you mean omit\? Allowed is /],
  [asMode('omit'.repeat(10)), ofMode, /^did you mean omit\? Allowed is /],
  [asMode('omit'.repeat(11)), ofMode, /'omit'$/],
  [
    { triggerRatio: 0.5 },
    'triggerRatio',
    /^did you mean triggerTokenRatio\? Allowed is one of these names: /,
  ],
  [
    { maxSummariesPerHour: 3 },
    'maxSummariesPerHour',
    /^did you mean maxSummaryCallsPerHour\? Allowed is /,
  ],
  [{ placement: 'system_merged' }, 'placement', /^did you mean system-merged\? Allowed is /],
  [
    { messageFilter: { toolResult: 'omit' } },
    'messageFilter.toolResult',
    /^did you mean toolResults\? Allowed is /,
  ],
  [misspelt, 'providers.openai.contextLenght', /^did you mean contextLength\? Allowed is /],
  // What is beside another option.
  [{ resetTokenRatio: 0.8 }, 'resetTokenRatio', above],
  [{ triggerTokenRatio: 0.5, resetTokenRatio: 0.5 }, 'resetTokenRatio', /which is 0\.5$/],
  [{ providers: { o: { resetTokenRatio: 0.9 } } }, 'providers.o.resetTokenRatio', above],
  [crossed, 'providers.o.resetTokenRatio', /which is 0\.6$/],
  [{ background: queue }, 'background', /a store that other processes share, and its secret/],
  [{ prices: { openai: price } }, 'prices.openai', /cacheRead at most input/],
  // Another type, or out of bounds.
  [{ prompts: { toolResults: 'x' } }, 'prompts.toolResults', /\{content\}/],
  [{ prompts: { maxSummaryChars: 1 } }, 'prompts.maxSummaryChars', /an integer of at least 10/],
])('summarizationMiddleware refuses %j', async (...misuse) => {
  const error = await refusalOf(summarizationMiddleware, misuse);
  expect(error).toMatchObject(toldOf(misuse));
});

const none = async (): Promise<never> => Promise.reject(new Error('unused'));
const chroma = { getOrCreateCollection: none };
const ofStorage = /createStorage of the package unstorage/;
const ofTable = /letters, digits and underscores/;
const ofClient = /query\(text, values\) or unsafe/;
const tables = ['', 'a b', 'a"b', 'a.b.c', '.a', 'a.', '1a', 'a'.repeat(51), 'ä', 'a;b', null];

const uses: readonly (readonly [(given: never, more: never) => unknown, ...Misuse[]])[] = [
  [
    contextLengthOf,
    [undefined, 'input', /an object with provider/],
    ['gpt-5', 'input', /an object with provider/],
    [{ provider: 'openai' }, 'modelId', /a string/],
  ],
  [countPromptTokens, [null, 'input', /an object with/]],
  [
    summaryTreeId,
    [undefined, 'input', /conversationId/],
    [{}, 'conversationId', /a string/],
    [{ conversationId: 'a', namespace: 7 }, 'namespace', /a string/],
  ],
  [
    memoryStore,
    [7, 'input', /an object with maxBytes/],
    [{ maxbytes: 7 }, 'maxbytes', /^did you mean maxBytes\? Allowed is /],
    [{ maxBytes: 1.5 }, 'maxBytes', /an integer of at least 1/],
  ],
  [compactTool, [{ description: '' }, 'description', /not empty/]],
  [
    llmStrategy,
    [null, 'input', /an object with options/],
    [{ models: 'openai/gpt-5' }, 'models', /a list of at least one model or id/],
    [{ maxTranscriptTokens: 10 }, 'maxTranscriptTokens', /an integer of at least 500/],
  ],
  [
    ruleBasedStrategy,
    [{ extractors: new Map() }, 'extractors', /an object of functions by tool name/],
    [{ minUserTurns: -1 }, 'minUserTurns', /an integer of at least 0/],
  ],
  [
    summarize,
    [['A text.', {}], 'model', /a language model or the id of one/],
    [
      ['A text.', { model: 'a/b', chunkSize: 10, chunkOverlap: 9 }],
      'chunkOverlap',
      /half of chunkSize/,
    ],
  ],
  [
    (text: never, budget: never) => middleTruncate(text, budget, untyped({ head: 1 })),
    [[7, 5], 'text', /a string/],
    [['a', Number.NaN], 'budgetChars', /a number/],
    [['a', 2], 'head', /these names: .*headFraction/],
  ],
  [
    (headFraction: never, tailFraction: never) =>
      middleTruncate('a', 2, { headFraction, tailFraction }),
    [[-1, 1], 'headFraction', /at least 0/],
    [[1, Number.NaN], 'tailFraction', /at least 0/],
    [[0, 0], 'headFraction', /above 0 unless tailFraction is/],
  ],
  [
    chromaTreeStore,
    [undefined, 'input', /an object with client and embed/],
    [{ embed: none }, 'client', /package chromadb/],
    [{ client: chroma }, 'embed', /a function/],
    [{ client: chroma, embed: none, collectionName: '' }, 'collectionName', /not empty/],
  ],
  [
    postgresStore,
    [null, 'input', /client/],
    [{ client: 'postgres://user:password@example.com' }, 'client', ofClient],
    [{ client: { execute: none } }, 'client', ofClient],
    ...tables.map((table): Misuse => [{ client: { query: none }, table }, 'table', ofTable]),
  ],
  [
    unstorageStore,
    [undefined, 'storage', ofStorage],
    [createStorage, 'storage', ofStorage],
    [{ ...createStorage(), getItem: 1 }, 'storage', ofStorage],
  ],
  [markdownTreeStore, [{}, 'folder', /a string that is not empty/]],
  [ensurePromptTemplates, [undefined, 'directory', /a string that is not empty/]],
  [ensureSettings, [{}, 'path', /a string that is not empty/]],
  [loadPromptTemplates, [{ prompt: {} }, 'prompt', /these names: .*prompts/]],
  [
    loadSettings,
    [['no.json', { strategy: {} }], 'strategy', /^did you mean strategies\? Allowed is /],
  ],
  [summaryDataParts, [undefined, 'writer', /createUIMessageStream/]],
  [summarizationMetadata, [{ continue: {} }, 'continue', /names: .*continues/]],
];

it.each(uses.map(([use, ...misuses]) => ({ name: use.name, use, misuses })))(
  'called without types, $name names the argument',
  async ({ use, misuses }) => {
    for (const misuse of misuses)
      expect(await refusalOf(use, misuse)).toMatchObject(toldOf(misuse));
  },
);
