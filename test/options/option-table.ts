import { memoryStore } from '../../src/index.ts';
import { chatModel } from '../support/models.ts';

const strategy = { name: 's', summarize: () => Promise.reject(new Error('unused')) };
const anything = { name: 's' };
const noop = (): void => {};
/** What is no number to calculate with. */
export const notNumbers: readonly unknown[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '5',
  null,
  true,
  {},
  [],
  5n,
  noop,
];
const notFlags = [0, 1, 'true', null, {}];
const notFunctions = [true, 'f', null, {}];

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

/** What `providers` may override, too. */
export const sharedRows: readonly OptionRow[] = [
  {
    option: 'triggerTokenRatio',
    allowed: /a number above 0 and at most 1/,
    good: [0.01, 0.8, 1],
    bad: [0, -0.1, 1.01, ...notNumbers],
  },
  {
    option: 'resetTokenRatio',
    allowed: /a number above 0 and below 1/,
    good: [0.01, 0.7],
    bad: [0, -0.1, 1, ...notNumbers],
  },
  wholeNumber('preserveRecent', 2),
  {
    option: 'preserveRecentTokenRatio',
    allowed: /a number from 0 to 1/,
    good: [0, 0.1, 1],
    bad: [-0.1, 1.1, ...notNumbers],
  },
  {
    option: 'placement',
    allowed: /'auto' or 'system' or 'system-merged' or 'user'/,
    good: ['auto', 'system', 'system-merged', 'user'],
    bad: ['System', '', 'assistant', null, 1],
  },
];

/** All options of the middleware. */
export const optionRows: readonly OptionRow[] = [
  ...sharedRows,
  wholeNumber('contextLength', 1, [noop]),
  { option: 'enabled', allowed: /a boolean/, good: [true, false], bad: notFlags },
  wholeNumber('tokenThreshold', 1),
  wholeNumber('turnThreshold', 1),
  wholeNumber('minMessages', 0),
  { option: 'preserveUserTurns', allowed: /a boolean/, good: [true, false], bad: notFlags },
  wholeNumber('maxSummaryChainDepth', 0),
  {
    option: 'atMaxDepth',
    allowed: /'rebase' or 'halt'/,
    good: ['rebase', 'halt'],
    bad: ['stop', '', null, true],
  },
  wholeNumber('cooldownMessages', 0),
  wholeNumber('forceRefreshAfterMessages', 1),
  wholeNumber('minUserTurns', 0),
  { option: 'preserveErrorDetails', allowed: /a boolean/, good: [true, false], bad: notFlags },
  { option: 'condenseToolResults', allowed: /a boolean/, good: [true, false], bad: notFlags },
  {
    option: 'optimizeFor',
    allowed: /'memory' or 'cost'/,
    good: ['memory', 'cost'],
    bad: ['price', '', null, true],
  },
  {
    option: 'native',
    allowed: /'never'/,
    good: ['never'],
    bad: ['prefer', 'always', '', true, false, null, 1, {}],
  },
  {
    option: 'summarizerInput',
    allowed: /'auto' or 'transcript' or 'conversation'/,
    good: ['auto', 'transcript', 'conversation'],
    bad: ['prompt', '', null, true],
  },
  {
    option: 'prices',
    allowed: /an object/,
    good: [{}],
    bad: [5, 'openai', null, []],
  },
  {
    option: 'strategy',
    allowed: /'llm', 'rule-based', 'heuristic', 'none'/,
    good: ['llm', 'rule-based', 'heuristic', 'none', strategy],
    bad: [
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
  },
  {
    option: 'fallbackStrategy',
    allowed: /false, 'rule-based', 'heuristic'/,
    good: [false, 'rule-based', 'heuristic', strategy],
    bad: [true, 'llm', 'none', null, {}, anything],
  },
  { option: 'prompts', allowed: /an object of templates/, good: [{}], bad: [null, 'default', 1] },
  { option: 'messageFilter', allowed: /an object of modes/, good: [{}], bad: [null, 'full', 1] },
  {
    option: 'summarizerModelPreference',
    allowed: /a model, a model id, or a list/,
    good: ['openai/gpt-5-mini', chatModel(), ['a', chatModel()]],
    bad: ['', [], [''], {}, null, [null], 1],
  },
  wholeNumber('maxSummaryTokens', 50),
  wholeNumber('maxTranscriptTokens', 500),
  {
    option: 'providers',
    allowed: /an object of overrides/,
    good: [{}, { openai: {} }],
    bad: [[], null, 'openai', 1],
  },
  {
    option: 'store',
    allowed: /get, set and delete/,
    good: [memoryStore(), { get: noop, set: noop, delete: noop }],
    bad: [new Map([[1, 1]]).keys(), {}, null, 'redis', { get: noop, set: noop }],
  },
  {
    option: 'summaryTreeStore',
    allowed: /persist, getFinalSummary, list and delete/,
    good: [{ persist: noop, getFinalSummary: noop, list: noop, delete: noop }],
    bad: [memoryStore(), {}, null, 'files', { persist: noop }],
  },
  { option: 'namespace', allowed: /a string/, good: ['', 'tenant'], bad: [1, null, {}] },
  {
    option: 'conversationId',
    allowed: /a string that is not empty, or a function of the call/,
    good: ['chat', () => 'chat'],
    bad: ['', 1, null, {}],
  },
  {
    option: 'secret',
    allowed: /a string of at least 16 characters, or a list of one or two of them/,
    good: ['x'.repeat(16), ['x'.repeat(16)], ['x'.repeat(16), 'y'.repeat(16)]],
    bad: [
      '',
      'x'.repeat(15),
      1,
      null,
      {},
      [],
      ['x'.repeat(15)],
      ['x'.repeat(16), ''],
      ['x'.repeat(16), undefined],
      ['x', 'y', 'z'].map((character) => character.repeat(16)),
      new Set(['x'.repeat(16)]),
    ],
  },
  { option: 'encrypt', allowed: /a boolean/, good: [true, false], bad: notFlags },
  wholeNumber('storeTimeoutMs', 1),
  wholeNumber('retentionMs', 60_000),
  wholeNumber('supersededTtlMs', 0),
  {
    option: 'archive',
    allowed: /maxFileBytes|an integer of at least 0/,
    good: [true, false, {}, { maxFileBytes: 0 }, { maxFileBytes: undefined }],
    bad: [1, 'true', null, [], { maxFileBytes: -1 }, { maxFileBytes: 0.5 }, { maxBytes: 1 }],
  },
  wholeNumber('maxSummaryCallsPerHour', 1),
  { option: 'pin', allowed: /a function/, good: [noop], bad: notFunctions },
  { option: 'priority', allowed: /a function/, good: [noop], bad: notFunctions },
  { option: 'redact', allowed: /a function/, good: [noop], bad: notFunctions },
  {
    option: 'telemetry',
    allowed: /isEnabled, recordInputs.* tracer.* meter/,
    good: [
      {},
      { isEnabled: false },
      { recordInputs: true, recordOutputs: undefined },
      { tracer: { startActiveSpan: noop }, meter: { createCounter: noop, createHistogram: noop } },
    ],
    bad: [null, true, [], { isEnabled: 1 }, { functionId: 'x' }, { tracer: {} }, { meter: noop }],
  },
  wholeNumber('maxSummaryCallsPerHour', 1),
  {
    option: 'background',
    allowed: /a boolean, a function, or an object with the function enqueue/,
    good: [true, false, noop],
    bad: [0, 'after', null, {}, { enqueue: 'queue' }],
  },
  {
    option: 'abortSignal',
    allowed: /an AbortSignal/,
    good: [new AbortController().signal],
    bad: [true, 'stop', null, {}, noop],
  },
  {
    option: 'maxWaitMs',
    allowed: /an integer from 0 to 2147483647/,
    good: [0, 1, 2_147_483_647],
    bad: [-1, 0.5, 2_147_483_648, ...notNumbers],
  },
  {
    option: 'summaryTimeoutMs',
    allowed: /an integer from 1 to 2147483647/,
    good: [1, 2_147_483_647],
    bad: [0, -1, 1.5, 2_147_483_648, ...notNumbers],
  },
  { option: 'onBeforeSummarize', allowed: /a function/, good: [noop], bad: notFunctions },
  { option: 'abortOnFailure', allowed: /a boolean/, good: [true, false], bad: notFlags },
  { option: 'onEvent', allowed: /a function/, good: [noop], bad: notFunctions },
  {
    option: 'debug',
    allowed: /a boolean or a function/,
    good: [true, false, noop],
    bad: ['true', 1, null, {}],
  },
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
