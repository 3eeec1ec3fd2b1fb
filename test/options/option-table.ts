import { memoryStore } from '../../src/index.ts';
import { chatModel } from '../support/models.ts';

const strategy = { name: 's', summarize: () => Promise.reject(new Error('unused')) };
const anything = { name: 's' };
const noop = (): void => {};
const long = 'x'.repeat(16);
/** What is no number to calculate with. */
export const notNumbers: readonly unknown[] = [Number.NaN, Number.POSITIVE_INFINITY, '5', null, 5n];
const notFlags = [0, 'true', null];
const notFunctions = [true, null, {}];

/** One option, what it accepts and what not. */
export interface OptionRow {
  readonly option: string;
  /** What the message says is allowed. */
  readonly allowed: RegExp;
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}

/** A row of an option that takes whole numbers. */
export const wholeNumber = (
  option: string,
  minimum: number,
  more: readonly unknown[] = [],
): OptionRow => ({
  option,
  allowed: new RegExp(`an integer of at least ${minimum}`),
  good: [minimum, minimum + 1, 1_000_000, ...more],
  bad: [minimum - 1, minimum + 0.5, -1, ...notNumbers.filter((value) => !more.includes(value))],
});

const row = (
  option: string,
  allowed: RegExp,
  good: readonly unknown[],
  bad: readonly unknown[],
): OptionRow => ({ option, allowed, good, bad });
const flag = (option: string): OptionRow => row(option, /a boolean/, [true, false], notFlags);
const callback = (option: string): OptionRow => row(option, /a function/, [noop], notFunctions);
/** A row of an option that is one of some words. */
const choice = (option: string, words: readonly string[], bad: readonly unknown[]): OptionRow =>
  row(option, new RegExp(words.map((word) => `'${word}'`).join(' or ')), words, ['', null, ...bad]);

/** What `providers` may override, too. */
export const sharedRows: readonly OptionRow[] = [
  row(
    'triggerTokenRatio',
    /a number above 0 and at most 1/,
    [0.01, 0.8, 1],
    [0, -0.1, 1.01, ...notNumbers],
  ),
  row('resetTokenRatio', /a number above 0 and below 1/, [0.01, 0.7], [0, -0.1, 1, ...notNumbers]),
  wholeNumber('preserveRecent', 2),
  row('preserveRecentTokenRatio', /a number from 0 to 1/, [0, 0.1, 1], [-0.1, 1.1, ...notNumbers]),
  choice('placement', ['auto', 'system', 'system-merged', 'user'], ['System', 'assistant', 1]),
];

/** All options of the middleware. */
export const optionRows: readonly OptionRow[] = [
  ...sharedRows,
  ...['enabled', 'preserveUserTurns', 'preserveErrorDetails', 'condenseToolResults'].map(flag),
  ...['encrypt', 'abortOnFailure'].map(flag),
  ...['pin', 'priority', 'redact', 'onBeforeSummarize', 'onEvent'].map(callback),
  wholeNumber('contextLength', 1, [noop]),
  wholeNumber('tokenThreshold', 1),
  wholeNumber('turnThreshold', 1),
  wholeNumber('minMessages', 0),
  wholeNumber('maxSummaryChainDepth', 0),
  wholeNumber('cooldownMessages', 0),
  wholeNumber('forceRefreshAfterMessages', 1),
  wholeNumber('minUserTurns', 0),
  wholeNumber('maxSummaryTokens', 50),
  wholeNumber('maxTranscriptTokens', 500),
  wholeNumber('storeTimeoutMs', 1),
  wholeNumber('retentionMs', 60_000),
  wholeNumber('maxSummaryCallsPerHour', 1),
  choice('atMaxDepth', ['rebase', 'halt'], ['stop', true]),
  choice('optimizeFor', ['memory', 'cost'], ['price', true]),
  choice('native', ['never'], ['prefer', 'always', true, false, 1, {}]),
  choice('summarizerInput', ['auto', 'transcript', 'conversation'], ['prompt', true]),
  row('prices', /an object/, [{}], [5, 'openai', null, []]),
  row(
    'strategy',
    /'llm', 'rule-based', 'heuristic', 'none'/,
    ['llm', 'rule-based', 'heuristic', 'none', strategy],
    [
      'gpt',
      '',
      null,
      false,
      noop,
      {},
      anything,
      { ...strategy, name: 1 },
      { ...strategy, summarize: 1 },
    ],
  ),
  row(
    'fallbackStrategy',
    /false, 'rule-based', 'heuristic'/,
    [false, 'rule-based', 'heuristic', strategy],
    [true, 'llm', 'none', null, {}, anything],
  ),
  row('prompts', /an object of templates/, [{}], [null, 'default', 1]),
  row('messageFilter', /an object of modes/, [{}], [null, 'full', 1]),
  row(
    'summarizerModelPreference',
    /a model, a model id, or a list/,
    ['openai/gpt-5-mini', chatModel(), ['a', chatModel()]],
    ['', [], [''], {}, null, [null], 1],
  ),
  row('providers', /an object of overrides/, [{}, { openai: {} }], [[], null, 'openai', 1]),
  row(
    'store',
    /get, set and delete/,
    [memoryStore(), { get: noop, set: noop, delete: noop }],
    [new Map([[1, 1]]).keys(), {}, null, 'redis', { get: noop, set: noop }],
  ),
  row(
    'summaryTreeStore',
    /persist, getFinalSummary, list and delete/,
    [{ persist: noop, getFinalSummary: noop, list: noop, delete: noop }],
    [memoryStore(), {}, null, 'files', { persist: noop }],
  ),
  row('namespace', /a string/, ['', 'tenant'], [1, null, {}]),
  row(
    'conversationId',
    /a string that is not empty, or a function of the call/,
    ['chat', () => 'chat'],
    ['', 1, null, {}],
  ),
  row(
    'secret',
    /a string of at least 16 characters, or a list of one or two of them/,
    [long, [long], [long, 'y'.repeat(16)]],
    [
      '',
      'x'.repeat(15),
      1,
      null,
      {},
      [],
      ['x'.repeat(15)],
      [long, ''],
      [long, undefined],
      [long, 'y'.repeat(16), 'z'.repeat(16)],
      new Set([long]),
    ],
  ),
  row(
    'archive',
    /maxFileBytes|an integer of at least 0/,
    [true, false, {}, { maxFileBytes: 0 }, { maxFileBytes: undefined }],
    [1, 'true', null, [], { maxFileBytes: -1 }, { maxFileBytes: 0.5 }, { maxBytes: 1 }],
  ),
  row(
    'telemetry',
    /isEnabled, recordInputs.* tracer.* meter|a boolean/,
    [
      {},
      { isEnabled: false },
      { recordInputs: true, recordOutputs: undefined },
      { tracer: { startActiveSpan: noop }, meter: { createCounter: noop, createHistogram: noop } },
    ],
    [null, true, [], { isEnabled: 1 }, { functionId: 'x' }, { tracer: {} }, { meter: noop }],
  ),
  row(
    'background',
    /a boolean, a function, or an object with the function enqueue/,
    [true, false, noop],
    [0, 'after', null, {}, { enqueue: 'queue' }],
  ),
  row(
    'abortSignal',
    /an AbortSignal/,
    [new AbortController().signal],
    [true, 'stop', null, {}, noop],
  ),
  row(
    'maxWaitMs',
    /an integer from 0 to 2147483647/,
    [0, 1, 2_147_483_647],
    [-1, 0.5, 2_147_483_648, ...notNumbers],
  ),
  row(
    'summaryTimeoutMs',
    /an integer from 1 to 2147483647/,
    [1, 2_147_483_647],
    [0, -1, 1.5, 2_147_483_648, ...notNumbers],
  ),
  row('debug', /a boolean or a function/, [true, false, noop], ['true', 1, null, {}]),
];

/** A row of a test for each value that is good or bad. */
export const cells = (
  list: readonly OptionRow[],
  which: 'good' | 'bad',
): (OptionRow & { readonly value: unknown; readonly shown: string })[] =>
  list.flatMap((rule) => rule[which].map((value) => ({ ...rule, value, shown: shown(value) })));

function shown(value: unknown): string {
  return typeof value === 'bigint' || typeof value === 'function'
    ? typeof value
    : (JSON.stringify(value)?.slice(0, 40) ?? String(value));
}
