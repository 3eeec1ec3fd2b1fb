import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod/v4';
import packageJson from '../../package.json' with { type: 'json' };
import settingsSchema from '../../settings.schema.json' with { type: 'json' };
import {
  defineStrategy,
  memoryStore,
  summarizationMiddleware,
  type SummaryStrategy,
} from '../../src/index.ts';
import {
  ensureSettings,
  loadSettings,
  type LoadSettingsOptions,
} from '../../src/entries/node/index.ts';
import { untyped } from '../support/untyped.ts';
import { setUp, write } from './folders.ts';

const ofSummaries = {
  enabled: true,
  strategy: 'llm',
  triggerTokenRatio: 0.8,
  tokenThreshold: 2048,
  turnThreshold: 10,
  condenseToolResults: false,
  preserveUserTurns: false,
  debug: false,
};
const messageFilter = { toolResults: 'full', userMessages: 'full', agentMessages: 'full' };
const none = { prices: {}, telemetry: {}, store: undefined };
const defaults = { ...ofSummaries, messageFilter, providers: {}, ...none };
const ofMessages = {
  toolResults: 'default',
  userMessages: 'default',
  agentMessages: 'default',
  maxSummaryChars: 500,
};
const defaultPrompts = {
  summary: { system: 'default', first: 'default', update: 'default', rebase: 'default' },
  ...ofMessages,
};

/** Names as they are in a file. */
const inFile = (settings: object): object =>
  JSON.parse(
    JSON.stringify(settings).replaceAll(/"(\w+)":/g, (name) =>
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    ),
  );

const wholeSections: Readonly<Record<string, object>> = {
  summarisation: inFile({ ...ofSummaries, resetTokenRatio: 0.7, maxSummaryTokens: 'auto' }),
  message_filter: inFile(messageFilter),
  summary_prompts: inFile({ summary: 'default', ...ofMessages }),
  providers: {},
  store: { name: 'memory', url: '' },
  strategies: {},
};

/** The default file with some values changed. */
function changed(changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const all: Record<string, unknown> = structuredClone(wholeSections);
  for (const [section, values] of Object.entries(changes))
    all[section] = { ...Object(all[section]), ...Object(values) };
  return all;
}

function load(content: unknown, more: Partial<LoadSettingsOptions> = {}) {
  const { projectDirectory, warnings, options, project } = setUp();
  write(join(project, 'mine.md'), 'mine {content}');
  const path = join(projectDirectory, 'settings.json');
  const isWritten = typeof content === 'string' || content instanceof Uint8Array;
  if (content !== undefined) write(path, isWritten ? content : JSON.stringify(content));
  const { prompts, ...settings } = loadSettings(path, { ...options, ...more });
  // What is loaded is taken: no broken file keeps a program from starting.
  summarizationMiddleware({ ...settings, prompts });
  return { settings, prompts, warnings, path };
}

const schema = z.fromJSONSchema(untyped<Parameters<typeof z.fromJSONSchema>[0]>(settingsSchema));

describe('ensureSettings', () => {
  it('writes a file that explains itself, names its schema, and loads without a warning', () => {
    const { warnings, projectDirectory, options } = setUp();
    vi.spyOn(process, 'cwd').mockReturnValue(projectDirectory);
    const path = join(projectDirectory, '.ai-sdk-summarization', 'settings.json');
    expect([ensureSettings(path), ensureSettings(path)]).toEqual([true, false]);
    vi.restoreAllMocks();
    const written: Record<string, unknown> = JSON.parse(readFileSync(path, 'utf8'));
    const { exports: exported, files, name } = packageJson;
    expect(written).toMatchObject(wholeSections);
    expect(written['$schema']).toBe(`../node_modules/${name}/settings.schema.json`);
    expect(exported['./settings.schema.json']).toBe('./settings.schema.json');
    expect(files).toContain('settings.schema.json');
    expect(schema.safeParse(written).error).toBeUndefined();
    const token_threshold =
      'Summarize at or above this many tokens. Allowed: an integer of at least 1, or "off". Default: 2048.';
    const store = { _comment: 'Where summaries are kept.' };
    expect(written).toMatchObject({ store, summarisation: { _help: { token_threshold } } });
    const { prompts, ...settings } = loadSettings(path, options);
    expect([settings, prompts, warnings]).toEqual([defaults, defaultPrompts, []]);
  });
});

describe('loadSettings', () => {
  it('reads every setting, and notes for none', () => {
    const own = {
      enabled: false,
      strategy: 'rule-based',
      triggerTokenRatio: 0.6,
      resetTokenRatio: 0.5,
      tokenThreshold: 4096,
      condenseToolResults: true,
      maxSummaryTokens: 900,
      preserveUserTurns: true,
      debug: true,
    };
    const anthropic = { triggerTokenRatio: 0.5, resetTokenRatio: 0.4, placement: 'auto' };
    const gpt = {
      contextLength: 100_000,
      triggerTokenRatio: 0.9,
      resetTokenRatio: 0.85,
      preserveRecent: 4,
      preserveRecentTokenRatio: 0,
      placement: 'user',
      tokenMultiplier: 1.2,
    };
    const filtered = { toolResults: 'summary', userMessages: 'full', agentMessages: 'omit' };
    const prompts = { ...defaultPrompts, userMessages: 'Inline {content}', maxSummaryChars: 80 };
    const { settings, warnings, ...loaded } = load({
      ...wholeSections,
      _comment: 'note',
      summarisation: { _help: { enabled: 'note' }, ...inFile(own), turn_threshold: 'off' },
      message_filter: inFile(filtered),
      providers: {
        _help: 'note',
        anthropic: { _comment: 'note', ...inFile(anthropic) },
        'openai:gpt-5': inFile(gpt),
      },
      summary_prompts: inFile({ ...prompts, summary: 'default', toolResults: 'mine.md' }),
    });
    const providers = { anthropic, 'openai:gpt-5': gpt };
    const off = { ...none, turnThreshold: undefined };
    expect(settings).toEqual({ ...own, ...off, messageFilter: filtered, providers });
    expect(loaded.prompts).toEqual({ ...prompts, toolResults: 'mine {content}' });
    expect(warnings).toEqual([]);
  });

  it('reads every option that a file can hold, in snake case as in camel case', () => {
    const { settings: written } = load({});
    const own = {
      contextLength: 50_000,
      minMessages: 4,
      cooldownMessages: 2,
      forceRefreshAfterMessages: 40,
      maxSummaryChainDepth: 5,
      atMaxDepth: 'halt',
      beyondPriceStep: true,
      providerCompaction: 'ignore',
      optimizeFor: 'cost',
      summarizerInput: 'transcript',
      summarizerModelPreference: ['openai/gpt-5-nano'],
      fallbackStrategy: false,
      maxTranscriptTokens: 9000,
      minUserTurns: 5,
      preserveErrorDetails: false,
      abortOnFailure: true,
      maxWaitMs: 500,
      summaryTimeoutMs: 9000,
      background: true,
      preserveRecent: 8,
      preserveRecentTokenRatio: 0.2,
      placement: 'user',
      maxRequestBytes: 1_000_000,
      maxImages: 10,
      namespace: 'tenant',
      encrypt: true,
      storeTimeoutMs: 900,
      retentionMs: 86_400_000,
      archive: { maxFileBytes: 0 },
      maxSummaryCallsPerHour: 9,
    };
    const more = {
      providers: { openai: { tokenThreshold: 9000, beyondPriceStep: true, maxImages: 3 } },
      prices: {
        openai: {
          input: 1,
          cacheRead: 0.1,
          cacheWrite: 1,
          output: 8,
          cacheMinutes: 10,
          above: { tokens: 100_000, input: 2, cacheRead: 0.2, cacheWrite: 2, output: 12 },
        },
      },
      telemetry: { isEnabled: true, recordInputs: true, recordOutputs: false },
    };
    const inCode = { summarisation: own, ...more };
    for (const content of [inCode, inFile(inCode)]) {
      const { settings, warnings } = load(content);
      expect(warnings).toEqual([]);
      expect(settings).toEqual({ ...written, ...own, ...more });
    }
    expect(schema.safeParse(inFile(inCode)).error).toBeUndefined();
  });

  it('reads comments and commas at the end', () => {
    const { settings, warnings } = load(`// Ours.
{
  /* When: "soon", /* really */
  "summarisation": {
    "min_messages": 4, // a few
    "namespace": "http://a//b /* c */ ,}",
  },
  "providers": { "openai": { "context_length": 9000, }, /* one */ },
}
// The end`);
    expect(warnings).toEqual([]);
    const providers = { openai: { contextLength: 9000 } };
    const namespace = 'http://a//b /* c */ ,}';
    expect(settings).toMatchObject({ minMessages: 4, namespace, providers });
  });

  it.each(['"\\"'.repeat(9000), '/*/'.repeat(9000), ','.repeat(9000), '[{"a":'.repeat(9000)])(
    'gives the defaults for what is no JSON at all: %#',
    (content) => {
      const { settings, warnings } = load(content);
      expect(settings).toEqual(defaults);
      expect(warnings).toHaveLength(1);
    },
  );

  it('lets each wrong key cost that key alone', () => {
    const { settings, warnings } = load({
      ...wholeSections,
      summarisation: { minMessages: 'few', min_mesages: 4, cooldown_messages: 2, debug: true },
      prices: { openai: { input: 1 } },
      providers: { openai: { preserve_recent: 1, contextLength: 9000 } },
      telemetry: { recordInputs: 'yes', recordOutputs: true },
      unknown: 7,
    });
    expect(settings).toMatchObject({
      cooldownMessages: 2,
      debug: true,
      prices: {},
      telemetry: { recordOutputs: true },
      providers: { openai: { contextLength: 9000 } },
    });
    expect(settings).not.toHaveProperty('minMessages');
    expect(warnings.join('\n')).toMatch(/min_mesages: .+\n.*min_messages: /);
    expect(warnings).toHaveLength(6);
  });

  const notJson = /not JSON/;
  it.each<[string, unknown, RegExp]>([
    ['there is no file', undefined, /no such file/],
    ['the JSON is broken', '{"summarisation": {"enabled": fal', notJson],
    ['the file is an array', [], /not a JSON object/],
    ['it is not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), /not valid for encoding utf-8/],
    ['it is too large', `{"_comment":"${'x'.repeat(256 * 1024)}"}`, /larger than/],
    ['a section is a text', { ...wholeSections, summarisation: 'on' }, /summarisation/],
    ['a section is unknown', { ...wholeSections, summary: {} }, /summary/],
    ['a key is', changed({ summarisation: { 'strategi\u001B': 'llm' } }), /\.strategi \P{Cc}+$/u],
  ])('gives the defaults with one warning when %s', (_, content, reason) => {
    const { settings, prompts, warnings, path } = load(content);
    expect([settings, prompts]).toEqual([defaults, defaultPrompts]);
    expect(warnings).toEqual([expect.stringMatching(reason)]);
    expect(warnings[0]).toContain(path);
    expect(schema.safeParse(content).success).toBe(false);
  });

  it.each([
    ['summarisation', 'enabled', null],
    ['summarisation', 'strategy', 'magic'],
    ['summarisation', 'token_threshold', 1.5],
    ['summarisation', 'trigger_token_ratio', 80],
    ['summarisation', 'max_summary_tokens', 'off'],
    ['store', 'name', 'redis'],
    ['summary_prompts', 'summary', 'missing.md'],
    ['summary_prompts', 'tool_results', 'A text without its variable'],
    ['summary_prompts', 'agent_messages', '../mine.md'],
  ])('gives the default for %s.%s %j and says so', (section, name, value) => {
    const { settings, prompts, warnings } = load(changed({ [section]: { [name]: value } }));
    expect({ strategy: 'llm', ...settings }).toEqual(defaults);
    expect({ ...defaultPrompts, ...prompts }).toEqual(defaultPrompts);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(JSON.stringify(value));
    const option = name.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
    expect(warnings[0]).toMatch(new RegExp(`${name}|${option}`, 'u'));
  });

  it('takes a prototype for a note', () => {
    const proto = '{"__proto__": {"enabled": false}, ';
    const { settings, warnings } = load(proto + JSON.stringify(wholeSections).slice(1));
    expect([settings, warnings]).toEqual([defaults, []]);
    expect(Object.hasOwn(Object.prototype, 'enabled')).toBe(false);
  });

  it('takes a reset ratio that is not below the trigger for none', () => {
    const { settings, warnings } = load(
      changed({
        summarisation: { trigger_token_ratio: 0.5, reset_token_ratio: 0.6 },
        providers: { openai: { trigger_token_ratio: 0.3, reset_token_ratio: 0.4 } },
      }),
    );
    const providers = { openai: { triggerTokenRatio: 0.3 } };
    expect(settings).toMatchObject({ triggerTokenRatio: 0.5, providers });
    expect(settings).not.toHaveProperty('resetTokenRatio');
    expect(warnings).toEqual([
      expect.stringMatching(/resetTokenRatio: got 0\.6, .+ below triggerTokenRatio, which is 0\.5/),
      expect.stringMatching(/providers\.openai\.resetTokenRatio: got 0\.4, .+ which is 0\.3/),
    ]);
  });

  it.each([
    [7, ': got 7, allowed is an object. Its default counts.'],
    [
      { context_length: '100k' },
      '.context_length: got "100k", allowed is an integer of at least 1',
    ],
    [
      { placement: 'top' },
      ".placement: got \"top\", did you mean auto? Allowed is 'auto' or 'system' or",
    ],
    [
      { ratio: 1 },
      '.ratio: got 1, did you mean reset_token_ratio? Allowed is one of these names: context_length, ',
    ],
  ])('leaves out what is wrong of a provider: %j', (openai, warning) => {
    const { settings, warnings, path } = load(changed({ providers: { openai } }));
    const whole = `${path}: Invalid option providers.openai${warning}`;
    expect(Object(settings.providers?.['openai'])).toEqual({});
    expect(warnings.map((text) => text.slice(0, whole.length))).toEqual([whole]);
  });

  const topics = defineStrategy({
    name: 'topics',
    schema: z.object({ max_topics: z.int().min(1).default(5), style: z.string().default('short') }),
    summarize: async () => expect.fail(),
    toolResults: {},
  });
  const named = (section: unknown, strategies: LoadSettingsOptions['strategies'] = { topics }) =>
    load(changed({ summarisation: { strategy: 'topics' }, strategies: { topics: section } }), {
      strategies,
    });

  it('makes a strategy of the program with its section', () => {
    const made = vi.fn<typeof topics>(topics);
    const { settings, warnings } = named({ _comment: 'note', max_topics: 3 }, { topics: made });
    expect(settings.strategy).toMatchObject({ name: 'topics' });
    expect(made.mock.calls).toEqual([[{ max_topics: 3 }]]);
    expect(warnings).toEqual([]);
    expect(settings).not.toHaveProperty('messageFilter');
  });

  it.each([
    ['throws', () => expect.fail('Out of order.'), /strategies\.topics is not used: Out of order/],
    ['refuses its section', topics, /strategies\.topics is not used: .*max_topics.*got "many"/],
    [
      'makes none',
      () => untyped<SummaryStrategy>({ name: 'topics' }),
      /strategy: got an object, .+ a summarize function/,
    ],
  ])('takes a model where the maker of a strategy %s', (_, maker, warning) => {
    const { settings, warnings } = named({ max_topics: 'many' }, { topics: maker });
    expect(settings.strategy ?? 'llm').toBe('llm');
    expect(warnings).toEqual([expect.stringMatching(warning)]);
  });

  it('warns of sections for none of the strategies of the program', () => {
    const strategies = { topisc: { max_topics: 3 }, topics: [] };
    const file = { ...changed({ summarisation: { strategy: 'topics' } }), strategies };
    const { warnings } = load(file, { strategies: { topics } });
    expect(warnings).toEqual([
      expect.stringMatching(/strategies\.topisc: .+ did you mean topics/),
      expect.stringMatching(/strategies\.topics: got an array, .+ an object/),
    ]);
  });

  it('opens a store of the program by its name', () => {
    const store = memoryStore();
    const redis = vi.fn<(url: string) => typeof store>(() => store);
    const url = 'redis://localhost';
    const { settings, warnings } = load(changed({ store: { name: 'redis', url } }), {
      stores: { redis },
    });
    expect([settings.store, warnings]).toEqual([store, []]);
    expect(redis.mock.calls).toEqual([[url]]);
  });

  it('shows no address of a store, which may hold a password', () => {
    const url = 'redis://user:hunter2@host';
    const failing = load(changed({ store: { name: 'redis', url } }), {
      stores: { redis: (given) => expect.fail(`cannot reach ${given}`) },
    });
    const stores = { redis: () => expect.fail('down') };
    const unnamed = load(changed({ store: { name: 'redis' } }), { stores });
    expect(unnamed.warnings).toEqual([`${unnamed.path}: stores.redis is not used: down`]);
    const mistyped = load(changed({ store: { url: [url], urll: url } }));
    const broken = load(`{"store": {"url": "${url}",,}}`);
    for (const { warnings } of [failing, mistyped, broken])
      expect(warnings.join('\n')).not.toContain('hunter2');
    expect(failing.settings.store).toBeUndefined();
    expect(mistyped.warnings).toHaveLength(2);
    expect([...failing.warnings, ...broken.warnings]).toEqual([
      expect.stringMatching(/stores\.redis is not used: cannot reach store\.url/),
      expect.stringMatching(/not JSON at position \d+ \(line 1 column \d+\)/),
    ]);
  });

  it('refuses what is wrong of its arguments', () => {
    for (const given of [{ strategies: { topics: 'topics' } }, { stores: { redis: 7 } }])
      expect(() => load(wholeSections, untyped(given))).toThrow(/ (strategies|stores)\.\w+: /);
    for (const make of [ensureSettings, loadSettings])
      expect(() => make('')).toThrow('Invalid option path: ');
  });
});
