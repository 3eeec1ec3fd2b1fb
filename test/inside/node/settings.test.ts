import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod/v4';
import {
  defineStrategy,
  memoryStore,
  summarizationMiddleware,
  type SummaryStrategy,
} from '../../../src/index.ts';
import { ensureSettings, loadSettings, type LoadSettingsOptions } from '../../../src/node/index.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import settingsSchema from '../../../settings.schema.json' with { type: 'json' };
import { untyped } from '../../support/untyped.ts';
import { resolvePrompts } from '../../../src/prompts/resolve-prompts.ts';
import { setUp, write } from '../../node/folders.ts';

const defaults = {
  enabled: true,
  strategy: 'llm',
  triggerTokenRatio: 0.8,
  tokenThreshold: 2048,
  turnThreshold: 10,
  condenseToolResults: false,
  preserveUserTurns: false,
  debug: false,
  messageFilter: { toolResults: 'full', userMessages: 'full', agentMessages: 'full' },
  providers: {},
  store: undefined,
};
const defaultPrompts = resolvePrompts();
const wholeSections = {
  summarisation: {
    enabled: true,
    strategy: 'llm',
    trigger_token_ratio: 0.8,
    reset_token_ratio: 0.7,
    token_threshold: 2048,
    turn_threshold: 10,
    condense_tool_results: false,
    max_summary_tokens: 'auto',
    preserve_user_turns: false,
    debug: false,
  },
  message_filter: { tool_results: 'full', user_messages: 'full', agent_messages: 'full' },
  summary_prompts: {
    summary: 'default',
    tool_results: 'default',
    user_messages: 'default',
    agent_messages: 'default',
    max_summary_chars: 500,
  },
  providers: {},
  store: { name: 'memory', url: '' },
  strategies: {},
};

/** The default file with some values changed. */
function changed(...changes: readonly (readonly [section: string, values: unknown])[]): object {
  const all: Record<string, object> = structuredClone(wholeSections);
  for (const [section, values] of changes) all[section] = { ...all[section], ...Object(values) };
  return all;
}

function load(content: unknown, more: Partial<LoadSettingsOptions> = {}) {
  const { projectDirectory, warnings, options, project } = setUp();
  write(join(project, 'mine.md'), 'mine {content}');
  const path = join(projectDirectory, 'settings.json');
  if (content !== undefined) {
    write(
      path,
      typeof content === 'string' || content instanceof Uint8Array
        ? content
        : JSON.stringify(content),
    );
  }
  const { prompts, ...settings } = loadSettings(path, { ...options, ...more });
  // What is loaded is taken: no broken file keeps a program from starting.
  summarizationMiddleware({ ...settings, prompts });
  return { settings, prompts: resolvePrompts(prompts), warnings, path };
}

describe('ensureSettings', () => {
  it('writes a file that explains itself and loads without a warning', () => {
    const { warnings, projectDirectory, options } = setUp();
    const path = join(projectDirectory, 'deep', 'settings.json');
    expect(ensureSettings(path)).toBe(true);
    const written: unknown = JSON.parse(readFileSync(path, 'utf8'));
    expect(written).toMatchObject(wholeSections);
    for (const [section, values] of Object.entries(wholeSections)) {
      for (const name of Object.keys(values)) {
        expect(written).toHaveProperty(
          [section, '_help', name],
          expect.stringMatching(/Allowed: .+ Default: /),
        );
      }
    }
    const { prompts, ...settings } = loadSettings(path, options);
    expect(settings).toEqual(defaults);
    expect(resolvePrompts(prompts)).toEqual(defaultPrompts);
    expect(warnings).toEqual([]);
  });

  it('never overwrites a file', () => {
    const { projectDirectory } = setUp();
    const path = write(join(projectDirectory, 'settings.json'), 'mine');
    expect(ensureSettings(path)).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });
});

describe('the schema of settings', () => {
  const schema = z.fromJSONSchema(untyped<Parameters<typeof z.fromJSONSchema>[0]>(settingsSchema));

  it('is the one that a generated file names, and takes it', () => {
    const { projectDirectory } = setUp();
    vi.spyOn(process, 'cwd').mockReturnValue(projectDirectory);
    const path = join(projectDirectory, '.ai-sdk-summarization', 'settings.json');
    ensureSettings(path);
    vi.restoreAllMocks();
    const written: Record<string, unknown> = JSON.parse(readFileSync(path, 'utf8'));
    const { exports: exported, files, name } = packageJson;
    expect(written['$schema']).toBe(`../node_modules/${name}/settings.schema.json`);
    expect(exported['./settings.schema.json']).toBe('./settings.schema.json');
    expect(files).toContain('settings.schema.json');
    expect(schema.safeParse(written).error).toBeUndefined();
  });

  it.each([
    changed(['summarisation', { trigger_token_ratio: 80 }]),
    changed(['summarisation', { token_threshold: 'never' }]),
    changed(['summarisation', { strategi: 'llm' }]),
    changed(['message_filter', { tool_results: 'none' }]),
    changed(['summary', {}]),
  ])('refuses what loadSettings warns of: %#', (content) => {
    expect(schema.safeParse(content).success).toBe(false);
    expect(load(content).warnings).toHaveLength(1);
  });
});

describe('loadSettings', () => {
  it('reads every setting', () => {
    const { settings, prompts, warnings } = load({
      _comment: 'note',
      summarisation: {
        _help: { enabled: 'note' },
        _comment: 'note',
        enabled: false,
        strategy: 'rule-based',
        trigger_token_ratio: 0.6,
        reset_token_ratio: 0.5,
        token_threshold: 4096,
        turn_threshold: 'off',
        condense_tool_results: true,
        max_summary_tokens: 900,
        preserve_user_turns: true,
        debug: true,
      },
      message_filter: { tool_results: 'summary', user_messages: 'full', agent_messages: 'omit' },
      providers: {
        _help: 'note',
        anthropic: {
          _comment: 'note',
          trigger_token_ratio: 0.5,
          reset_token_ratio: 0.4,
          placement: 'auto',
        },
        'openai:gpt-5': {
          context_length: 100_000,
          trigger_token_ratio: 0.9,
          reset_token_ratio: 0.85,
          preserve_recent: 4,
          preserve_recent_token_ratio: 0,
          placement: 'user',
          token_multiplier: 1.2,
        },
      },
      store: { name: 'memory', url: '' },
      strategies: {},
      summary_prompts: {
        _help: 'note',
        summary: 'default',
        tool_results: 'mine.md',
        user_messages: 'Inline {content}',
        agent_messages: 'default',
        max_summary_chars: 80,
      },
    });
    expect(settings).toEqual({
      enabled: false,
      strategy: 'rule-based',
      triggerTokenRatio: 0.6,
      resetTokenRatio: 0.5,
      tokenThreshold: 4096,
      turnThreshold: undefined,
      condenseToolResults: true,
      maxSummaryTokens: 900,
      preserveUserTurns: true,
      debug: true,
      messageFilter: { toolResults: 'summary', userMessages: 'full', agentMessages: 'omit' },
      providers: {
        anthropic: { triggerTokenRatio: 0.5, resetTokenRatio: 0.4, placement: 'auto' },
        'openai:gpt-5': {
          contextLength: 100_000,
          triggerTokenRatio: 0.9,
          resetTokenRatio: 0.85,
          preserveRecent: 4,
          preserveRecentTokenRatio: 0,
          placement: 'user',
          tokenMultiplier: 1.2,
        },
      },
      store: undefined,
    });
    expect(prompts).toEqual({
      ...defaultPrompts,
      toolResults: 'mine {content}',
      userMessages: 'Inline {content}',
      maxSummaryChars: 80,
    });
    expect(warnings).toEqual([]);
  });

  it.each([
    ['there is no file', undefined, /no such file/],
    ['the file is empty', '', /not JSON/],
    ['the JSON is broken', '{"summarisation": {"enabled": fal', /not JSON/],
    ['the JSON has comments', '{} // note', /not JSON/],
    ['the file is an array', [], /not a JSON object/],
    ['the file is null', null, /not a JSON object/],
    ['the file is not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), /not valid for encoding utf-8/],
    ['the file is too large', `{"_comment":"${'x'.repeat(256 * 1024)}"}`, /larger than/],
  ])('gives the defaults with one warning when %s', (_, content, reason) => {
    const { settings, prompts, warnings, path } = load(content);
    expect(settings).toEqual(defaults);
    expect(prompts).toEqual(defaultPrompts);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(path);
    expect(warnings[0]).toMatch(reason);
  });

  it('names what is missing, in one warning', () => {
    const { settings, warnings, path } = load({ summarisation: { enabled: false } });
    expect(settings).toEqual({ ...defaults, enabled: false });
    expect(warnings).toEqual([
      `${path}: missing, so that their defaults count: summarisation.strategy ("llm"), ` +
        'summarisation.trigger_token_ratio (0.8), summarisation.reset_token_ratio (0.7), ' +
        'summarisation.token_threshold (2048), summarisation.turn_threshold (10), ' +
        'summarisation.condense_tool_results (false), summarisation.max_summary_tokens ("auto"), ' +
        'summarisation.preserve_user_turns (false), summarisation.debug (false), ' +
        'message_filter, summary_prompts, providers, store, strategies.',
    ]);
  });

  it.each([
    ['summarisation', 'enabled', null],
    ['summarisation', 'strategy', 'magic'],
    ['summarisation', 'strategy', { name: 'x' }],
    ['summarisation', 'token_threshold', 1.5],
    ['summarisation', 'turn_threshold', [10]],
    ['summarisation', 'trigger_token_ratio', 80],
    ['summarisation', 'reset_token_ratio', 1],
    ['summarisation', 'condense_tool_results', 'yes'],
    ['summarisation', 'max_summary_tokens', 'off'],
    ['message_filter', 'tool_results', 'none'],
    ['message_filter', 'agent_messages', null],
    ['store', 'name', 'redis'],
    ['summary_prompts', 'summary', 'missing.md'],
    ['summary_prompts', 'tool_results', 7],
    ['summary_prompts', 'tool_results', ''],
    ['summary_prompts', 'tool_results', 'A text without its variable'],
    ['summary_prompts', 'agent_messages', '../mine.md'],
    ['summary_prompts', 'max_summary_chars', 9],
  ])('gives the default for %s.%s %j and says so', (section, name, value) => {
    const given: Record<string, Record<string, unknown>> = structuredClone(wholeSections);
    given[section] = { ...given[section], [name]: value };
    const { settings, prompts, warnings } = load(given);
    expect({ strategy: 'llm', ...settings }).toEqual(defaults);
    expect(prompts).toEqual(defaultPrompts);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(JSON.stringify(value));
    const option = name.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
    expect(warnings[0]).toMatch(new RegExp(`${name}|${option}`, 'u'));
  });

  it.each([
    ['a section', { ...wholeSections, summarization: {} }, 'summarization'],
    [
      'a key',
      { ...wholeSections, summarisation: { ...wholeSections.summarisation, strategi: 'llm' } },
      'summarisation.strategi',
    ],
  ])('warns about %s nobody knows', (_, content, name) => {
    const { settings, warnings } = load(content);
    expect(settings).toEqual(defaults);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(name);
  });

  it('takes a prototype for a note', () => {
    const { settings, warnings } = load(
      `{"__proto__": {"enabled": false}, ${JSON.stringify(wholeSections).slice(1)}`,
    );
    expect(settings).toEqual(defaults);
    expect(warnings).toEqual([]);
    expect(Object.hasOwn(Object.prototype, 'enabled')).toBe(false);
  });

  it.each([
    ['a text', { ...wholeSections, summarisation: 'on' }],
    ['an array', { ...wholeSections, summarisation: [] }],
    ['null', { ...wholeSections, summarisation: null }],
  ])('gives the defaults for a section that is %s', (_, content) => {
    const { settings, warnings } = load(content);
    expect(settings).toEqual(defaults);
    expect(warnings).toHaveLength(1);
  });

  it('takes a reset ratio that is not below the trigger for none', () => {
    const { settings, warnings } = load(
      changed(
        ['summarisation', { trigger_token_ratio: 0.5, reset_token_ratio: 0.6 }],
        ['providers', { openai: { trigger_token_ratio: 0.3, reset_token_ratio: 0.4 } }],
      ),
    );
    expect(settings).toMatchObject({
      triggerTokenRatio: 0.5,
      providers: { openai: { triggerTokenRatio: 0.3 } },
    });
    expect(settings).not.toHaveProperty('resetTokenRatio');
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toMatch(
      /resetTokenRatio is 0\.6; .+ below triggerTokenRatio, which is 0\.5/,
    );
    expect(warnings[1]).toMatch(/providers\.openai\.resetTokenRatio is 0\.4; .+ which is 0\.3/);
  });

  it.each([
    [{ openai: 7 }, /providers\.openai is 7; its default counts\. Allowed is an object/],
    [
      { openai: { context_length: '100k' } },
      /providers\.openai\.context_length is "100k"; .+ an integer of at least 1/,
    ],
    [{ openai: { placement: 'top' } }, /'auto' or 'system' or 'system-merged' or 'user'/],
    [{ openai: { preserve_recent: 1 } }, /an integer of at least 2/],
    [
      { openai: { ratio: 1 } },
      /providers\.openai\.ratio is 1; .+ one of these names: .*trigger_token_ratio/,
    ],
  ])('leaves out what is wrong of a provider: %j', (providers, warning) => {
    const { settings, warnings } = load(changed(['providers', providers]));
    expect(Object(settings.providers?.['openai'])).toEqual({});
    expect(warnings).toEqual([expect.stringMatching(warning)]);
  });

  const topics = defineStrategy({
    name: 'topics',
    schema: z.object({ max_topics: z.int().min(1).default(5), style: z.string().default('short') }),
    summarize: async () => expect.fail(),
    toolResults: {},
  });
  const named = (section: unknown, strategies: LoadSettingsOptions['strategies'] = { topics }) =>
    load(changed(['summarisation', { strategy: 'topics' }], ['strategies', { topics: section }]), {
      strategies,
    });

  it('makes a strategy of the program with its section', () => {
    let given: unknown;
    const made = named(
      { _comment: 'note', max_topics: 3 },
      {
        topics: (options) => {
          given = options;
          return topics(options);
        },
      },
    );
    expect(made.settings.strategy).toMatchObject({ name: 'topics' });
    expect(given).toEqual({ max_topics: 3 });
    expect(made.warnings).toEqual([]);
    expect(made.settings).not.toHaveProperty('messageFilter');
  });

  it('leaves out options that a strategy refuses, by their names', () => {
    const { settings, warnings } = named({ max_topics: 'many', style: 7 });
    expect(settings.strategy).toMatchObject({ name: 'topics' });
    expect(warnings).toEqual([
      expect.stringMatching(/strategies\.topics\.max_topics has no effect: .*got "many".*number/),
      expect.stringMatching(/strategies\.topics\.style has no effect: .*got 7.*string/),
    ]);
  });

  it.each([
    ['throws', () => expect.fail('Out of order.'), /makes no strategy: Out of order/],
    [
      'makes none',
      () => untyped<SummaryStrategy>({ name: 'topics' }),
      /strategy is a value that is not shown; .+ a summarize function/,
    ],
  ])('takes a model where the maker of a strategy %s', (_, maker, warning) => {
    const { settings, warnings } = named({}, { topics: maker });
    expect(settings.strategy ?? 'llm').toBe('llm');
    expect(warnings).toEqual([expect.stringMatching(warning)]);
  });

  it('warns of sections for none of the strategies of the program', () => {
    const { settings, warnings } = load(
      changed(
        ['summarisation', { strategy: 'topics' }],
        ['message_filter', { tool_results: 'omit' }],
        ['strategies', { topisc: { max_topics: 3 }, topics: [] }],
      ),
      { strategies: { topics } },
    );
    expect(settings).not.toHaveProperty('messageFilter');
    expect(warnings).toEqual([
      expect.stringMatching(/strategies\.topisc is .+ did you mean topics/),
      expect.stringMatching(/strategies\.topics is \[\]; .+ an object/),
    ]);
  });

  it('opens a store of the program by its name', () => {
    const store = memoryStore();
    const urls: string[] = [];
    const { settings, warnings } = load(
      changed(['store', { name: 'redis', url: 'redis://localhost' }]),
      {
        stores: {
          redis: (url) => {
            urls.push(url);
            return store;
          },
        },
      },
    );
    expect(settings.store).toBe(store);
    expect(urls).toEqual(['redis://localhost']);
    expect(warnings).toEqual([]);
  });

  it('shows no address of a store, which may hold a password', () => {
    const url = 'redis://user:hunter2@host';
    const failing = load(changed(['store', { name: 'redis', url }]), {
      stores: { redis: (given) => expect.fail(`cannot reach ${given}`) },
    });
    expect(failing.settings.store).toBeUndefined();
    expect(failing.warnings).toEqual([
      expect.stringMatching(
        /store\.name "redis" makes no store: cannot reach store\.url; "memory"/,
      ),
    ]);
    const mistyped = load(changed(['store', { url: [url], urll: url }]));
    const broken = load(`{"store": {"url": "${url}",}}`);
    for (const { warnings } of [failing, mistyped, broken])
      expect(warnings.join('\n')).not.toContain('hunter2');
    expect(mistyped.warnings).toHaveLength(2);
    expect(broken.warnings).toEqual([
      expect.stringMatching(/not JSON at position \d+ \(line 1 column \d+\)/),
    ]);
  });

  it.each([
    ['strategies', { topics: 'topics' }, 'strategies.topics'],
    ['stores', { redis: 7 }, 'stores.redis'],
  ])('refuses wrong %s', (name, given, option) => {
    expect(() => load(wholeSections, { [name]: given })).toThrow(
      expect.objectContaining({ option }),
    );
  });
});
