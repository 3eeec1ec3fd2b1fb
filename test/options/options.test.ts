import { describe, expect, it } from 'vitest';
import {
  llmStrategy,
  memoryStore,
  ruleBasedStrategy,
  SummarizationOptionError,
  summarizationMiddleware,
  type SummarizationOptions,
} from '../../src/index.ts';
import { chatModel } from '../support/models.ts';
import { untyped } from '../support/untyped.ts';

/** One option, what its error says is allowed, what it accepts and what not. */
type Row = readonly [
  option: string,
  allowed: RegExp,
  good: readonly unknown[],
  bad: readonly unknown[],
];

const noop = (): void => {};
const long = 'x'.repeat(16);
const strategy = { name: 's', summarize: noop };
/** What is no number to calculate with. */
const notNumbers = [Number.NaN, Number.POSITIVE_INFINITY, '5', null, 5n];
const integer = (least: number, option: string): Row => [
  option,
  new RegExp(`an integer of at least ${least}`),
  [least, 1_000_000],
  [least - 1, least + 0.5, ...notNumbers],
];
const choice = (option: string, words: readonly string[], ...bad: readonly unknown[]): Row => [
  option,
  new RegExp(words.map((word) => `'${word}'`).join(' or ')),
  words,
  ['', null, ...bad],
];

/** What `providers` may override, too. */
const shared: readonly Row[] = [
  ['triggerTokenRatio', /a number above 0 and at most 1/, [0.01, 1], [0, 1.01, ...notNumbers]],
  ['resetTokenRatio', /a number above 0 and below 1/, [0.01, 0.7], [0, 1, ...notNumbers]],
  ['preserveRecentTokenRatio', /a number from 0 to 1/, [0, 1], [-0.1, 1.1, ...notNumbers]],
  integer(2, 'preserveRecent'),
  integer(1, 'tokenThreshold'),
  ['beyondPriceStep', /a boolean/, [true, false], [0, 'true', null]],
  choice('placement', ['auto', 'system', 'system-merged', 'user'], 'System', 1),
];

const flags =
  'enabled preserveUserTurns preserveErrorDetails condenseToolResults encrypt abortOnFailure';
const counts = 'minMessages maxSummaryChainDepth cooldownMessages minUserTurns';
const amounts = 'turnThreshold forceRefreshAfterMessages storeTimeoutMs maxSummaryCallsPerHour';

const table: readonly Row[] = [
  ...shared,
  ...flags.split(' ').map((option): Row => [option, /a boolean/, [true, false], [0, 'true', null]]),
  ...['pin', 'priority', 'redact', 'onBeforeSummarize', 'onEvent'].map((option): Row => [
    option,
    /a function/,
    [noop],
    [true, null, {}],
  ]),
  ...counts.split(' ').map((option) => integer(0, option)),
  ...amounts.split(' ').map((option) => integer(1, option)),
  integer(50, 'maxSummaryTokens'),
  integer(500, 'maxTranscriptTokens'),
  integer(60_000, 'retentionMs'),
  ['contextLength', /an integer of at least 1/, [1, noop], [0, 1.5, ...notNumbers]],
  ['maxWaitMs', /an integer from 0 to 2147483647/, [0, 2_147_483_647], [-1, 2_147_483_648, '5']],
  [
    'summaryTimeoutMs',
    /an integer from 1 to 2147483647/,
    [1, 2_147_483_647],
    [0, 2_147_483_648, null],
  ],
  choice('atMaxDepth', ['rebase', 'halt'], 'stop', true),
  choice('optimizeFor', ['memory', 'cost'], 'price', true),
  choice('providerCompaction', ['ignore'], 'prefer', true, {}),
  choice('summarizerInput', ['auto', 'transcript', 'conversation'], 'prompt'),
  [
    'strategy',
    /'llm', 'rule-based', 'heuristic', 'none'/,
    ['llm', 'rule-based', 'heuristic', 'none', strategy],
    ['gpt', '', null, false, noop, {}, { name: 's' }, { ...strategy, name: 1 }],
  ],
  [
    'fallbackStrategy',
    /false, 'rule-based', 'heuristic'/,
    [false, 'rule-based', 'heuristic', strategy],
    [true, 'llm', 'none', null, {}],
  ],
  ['prices', /an object/, [{}], [5, 'openai', null, []]],
  ['prompts', /an object of templates/, [{}], [null, 'default', new Map()]],
  ['messageFilter', /an object of modes/, [{}], [null, 'full', Promise.resolve({})]],
  ['providers', /an object of overrides/, [{}, { openai: {} }], [[], null, 'openai', new Date()]],
  [
    'summarizerModelPreference',
    /a model, a model id, or a list/,
    ['openai/gpt-5-mini', chatModel(), ['a', chatModel()]],
    ['', [], [''], {}, null, [null], 1],
  ],
  [
    'store',
    /get, set and delete/,
    [memoryStore(), { get: noop, set: noop, delete: noop }],
    [{}, null, 'redis', { get: noop, set: noop }],
  ],
  [
    'summaryTreeStore',
    /persist, getFinalSummary, list and delete/,
    [{ persist: noop, getFinalSummary: noop, list: noop, delete: noop }],
    [memoryStore(), {}, null, 'files', { persist: noop }],
  ],
  ['namespace', /a string/, ['', 'tenant'], [1, null, {}]],
  ['conversationId', /a string that is not empty, or a function/, ['chat', noop], ['', 1, null]],
  [
    'secret',
    /a string of at least 16 characters, or a list of one or two of them/,
    [long, [long], [long, 'y'.repeat(16)]],
    ['', 'x'.repeat(15), null, [], ['x'.repeat(15)], [long, undefined], [long, long, long]],
  ],
  [
    'archive',
    /maxFileBytes|an integer of at least 0/,
    [true, false, {}, { maxFileBytes: 0 }, { maxFileBytes: undefined }],
    [1, 'true', null, [], { maxFileBytes: -1 }, { maxFileBytes: 0.5 }, { maxBytes: 1 }],
  ],
  [
    'telemetry',
    /isEnabled, recordInputs.* tracer.* meter|a boolean/,
    [{}, { isEnabled: false }, { recordInputs: true, recordOutputs: undefined }],
    [null, true, [], { isEnabled: 1 }, { functionId: 'x' }, { tracer: {} }, { meter: noop }],
  ],
  [
    'background',
    /a boolean, a function, or an object with the function enqueue/,
    [true, false, noop],
    [0, 'after', null, {}, { enqueue: 'queue' }],
  ],
  ['abortSignal', /an AbortSignal/, [new AbortController().signal], [true, 'stop', null, {}]],
  ['debug', /a boolean or a function/, [true, false, noop], ['true', 1, null, {}]],
];

/** The error that an untyped caller gets. */
function errorOf(options: unknown): SummarizationOptionError {
  try {
    summarizationMiddleware(untyped(options));
  } catch (error) {
    if (SummarizationOptionError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('The options were accepted.');
}

describe('the options of the middleware', () => {
  it.each(table)('accept and refuse values of %s: %s', (option, allowed, good, bad) => {
    for (const value of [...good, undefined]) summarizationMiddleware({ [option]: value });
    for (const value of bad) {
      const error = errorOf({ [option]: value });
      // Of an object of several, the one that is wrong.
      expect(error.option.replace(/\..*/, '')).toBe(option);
      expect(error.option === option ? error.value : value).toBe(value);
      expect(error.message).toContain(`Invalid option ${error.option}: got `);
      expect(error.message).toMatch(allowed);
    }
  });

  it.each<Row>([
    ...shared,
    integer(1, 'contextLength'),
    ['tokenMultiplier', /a number from 0.1 to 10/, [], [0, 11, ...notNumbers]],
  ])('refuse values of providers.openai.%s: %s', (option, allowed, _good, bad) => {
    for (const value of bad) {
      const error = errorOf({ providers: { openai: { [option]: value } } });
      expect(error.option).toBe(`providers.openai.${option}`);
      expect(error.message).toMatch(allowed);
    }
  });

  it('have names, and each refuses what is nothing', () => {
    const namesIn = (given: unknown): readonly string[] =>
      /names: ([^;]*)/.exec(errorOf(given).allowed)?.[1]?.split(', ') ?? [];
    const named = namesIn({ unheardOf: 1 });
    expect(named).toEqual(expect.arrayContaining(table.map(([option]) => option)));
    for (const name of named) expect(errorOf({ [name]: null })).toMatchObject({ option: name });
    expect(namesIn({ providers: { openai: { unheardOf: 1 } } }).toSorted()).toEqual(
      [
        ...shared.map(([option]) => option),
        'contextLength',
        'maxImages',
        'maxRequestBytes',
        'maxToolOutputTokens',
        'tokenMultiplier',
      ].toSorted(),
    );
  });

  it.each<[string, unknown]>([
    ['constructor', { constructor: 1 }],
    ['toString', { toString: 1 }],
    ['providers.openai', { providers: { openai: null } }],
    ['providers.openai.strategy', { providers: { openai: { strategy: 'llm' } } }],
    ['providers.openai.__proto__', JSON.parse('{"providers":{"openai":{"__proto__":1}}}')],
    ...[null, 1, 'options', [], Promise.resolve({})].map((given): [string, unknown] => [
      'options',
      given,
    ]),
  ])('do not have %s', (option, given) => {
    expect(errorOf(given).option).toBe(option);
  });

  it('say nothing of a secret, and little of a long value', () => {
    const { message } = errorOf({ secret: 'hunter2' });
    expect(message).not.toContain('hunter2');
    expect(message).toContain('secret: got a string of 7 characters, allowed is a string of at');
    expect(errorOf({ placement: 'x'.repeat(10_000) }).message.length).toBeLessThan(300);
  });
});

describe('options that only named strategies read', () => {
  const given = {
    prompts: { maxSummaryChars: 100 },
    summarizerModelPreference: 'openai/gpt-5-nano',
    messageFilter: { toolResults: 'omit' },
    minUserTurns: 1,
    preserveErrorDetails: false,
  } satisfies SummarizationOptions;
  const names = Object.keys(given);
  const ofRules = ['minUserTurns', 'preserveErrorDetails'];
  const ofModels = names.filter((name) => !ofRules.includes(name));
  const [rules, llm] = [ruleBasedStrategy(), llmStrategy()];

  it.each<[string, SummarizationOptions, readonly string[]]>([
    ['nothing', {}, []],
    ['rules by name', { strategy: 'rule-based' }, []],
    ['nobody', { strategy: 'none', fallbackStrategy: rules }, []],
    ['rules', { strategy: rules }, names],
    ['a model', { strategy: llm }, names],
    ['a model and no fallback', { strategy: llm, fallbackStrategy: false }, names],
    ['a model, then rules by name', { strategy: llm, fallbackStrategy: 'heuristic' }, ofModels],
    ['a model by name, then rules', { fallbackStrategy: rules }, ofRules],
    ['rules by name, then a model', { strategy: 'heuristic', fallbackStrategy: llm }, ofModels],
  ])('are refused beside an object that does not: %s', (_name, options, refused) => {
    const isRefused = (name: string): boolean => {
      const both = { ...options, [name]: Reflect.get(given, name) };
      if (!refused.includes(name)) return summarizationMiddleware(both) === undefined;
      const { option, allowed } = errorOf(both);
      return option === name && /nothing beside a strategy object.*Strategy\(\{ /.test(allowed);
    };
    expect(names.filter(isRefused)).toEqual(refused);
  });
});
