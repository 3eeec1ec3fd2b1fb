import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ensureSettings, loadSettings } from '../../src/node/index.ts';
import { resolvePrompts } from '../../src/prompts/resolve-prompts.ts';
import { setUp, write } from './folders.ts';

const defaults = {
  enabled: true,
  strategy: 'llm',
  tokenThreshold: 2048,
  turnThreshold: 10,
  preserveUserTurns: false,
  debug: false,
};
const defaultPrompts = resolvePrompts();
const wholeSections = {
  summarisation: {
    enabled: true,
    strategy: 'llm',
    token_threshold: 2048,
    turn_threshold: 10,
    preserve_user_turns: false,
    debug: false,
  },
  summary_prompts: {
    tool_results: 'default',
    user_messages: 'default',
    agent_messages: 'default',
    max_summary_chars: 500,
  },
};

function load(content: unknown) {
  const { projectDirectory, homeDirectory, warnings, onWarning, project } = setUp();
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
  const { prompts, ...settings } = loadSettings(path, {
    projectDirectory,
    homeDirectory,
    onWarning,
  });
  return { settings, prompts: resolvePrompts(prompts), warnings, path };
}

describe('ensureSettings', () => {
  it('writes a file that explains itself and loads without a warning', () => {
    const { warnings, projectDirectory, ...options } = setUp();
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
    const { prompts, ...settings } = loadSettings(path, { ...options, projectDirectory });
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

describe('loadSettings', () => {
  it('reads every setting', () => {
    const { settings, prompts, warnings } = load({
      _comment: 'note',
      summarisation: {
        _help: { enabled: 'note' },
        _comment: 'note',
        enabled: false,
        strategy: 'rule-based',
        token_threshold: 4096,
        turn_threshold: 'off',
        preserve_user_turns: true,
        debug: true,
      },
      summary_prompts: {
        _help: 'note',
        tool_results: 'mine.md',
        user_messages: 'Inline {content}',
        agent_messages: 'default',
        max_summary_chars: 80,
      },
    });
    expect(settings).toEqual({
      enabled: false,
      strategy: 'rule-based',
      tokenThreshold: 4096,
      turnThreshold: undefined,
      preserveUserTurns: true,
      debug: true,
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
    ['the file is not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), /not UTF-8/],
    ['the file is too large', `{"_comment":"${'x'.repeat(256 * 1024)}"}`, /larger than/],
  ])('gives the defaults with one warning when %s', (_, content, reason) => {
    const { settings, prompts, warnings, path } = load(content);
    expect(settings).toEqual(defaults);
    expect(prompts).toEqual(defaultPrompts);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(path);
    expect(warnings[0]).toMatch(reason);
  });

  it('names what is missing', () => {
    const { settings, warnings } = load({ summarisation: { enabled: false } });
    expect(settings).toEqual({ ...defaults, enabled: false });
    expect(warnings.join('\n')).toMatch(/token_threshold is missing; 2048 is used/);
    expect(warnings.join('\n')).toMatch(/summary_prompts is missing/);
    expect(warnings).toHaveLength(6);
  });

  it.each([
    ['summarisation', 'enabled', 'yes'],
    ['summarisation', 'enabled', 1],
    ['summarisation', 'enabled', null],
    ['summarisation', 'strategy', 'magic'],
    ['summarisation', 'strategy', { name: 'x' }],
    ['summarisation', 'token_threshold', 0],
    ['summarisation', 'token_threshold', -1],
    ['summarisation', 'token_threshold', 1.5],
    ['summarisation', 'token_threshold', '2048'],
    ['summarisation', 'token_threshold', 1e30],
    ['summarisation', 'turn_threshold', [10]],
    ['summarisation', 'preserve_user_turns', 'false'],
    ['summarisation', 'debug', 'true'],
    ['summary_prompts', 'tool_results', 7],
    ['summary_prompts', 'tool_results', ''],
    ['summary_prompts', 'tool_results', 'A text without its variable.'.replaceAll('.', '')],
    ['summary_prompts', 'user_messages', { text: '{content}' }],
    ['summary_prompts', 'agent_messages', '../mine.md'],
    ['summary_prompts', 'agent_messages', 'missing.md'],
    ['summary_prompts', 'max_summary_chars', 9],
    ['summary_prompts', 'max_summary_chars', '500'],
  ])('gives the default for %s.%s %j and says so', (section, name, value) => {
    const given: Record<string, Record<string, unknown>> = structuredClone(wholeSections);
    given[section] = { ...given[section], [name]: value };
    const { settings, prompts, warnings } = load(given);
    expect(settings).toEqual(defaults);
    expect(prompts).toEqual(defaultPrompts);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(JSON.stringify(value));
    const option = { agent_messages: 'agentMessages' }[name] ?? name;
    expect(warnings[0]).toMatch(new RegExp(`${name}|${option}`, 'u'));
  });

  it.each([
    ['a section', { ...wholeSections, summarization: {} }, 'summarization'],
    [
      'a key',
      { ...wholeSections, summarisation: { ...wholeSections.summarisation, strategi: 'llm' } },
      'summarisation.strategi',
    ],
    [
      'a prototype',
      `{"__proto__": {"enabled": false}, ${JSON.stringify(wholeSections).slice(1)}`,
      '__proto__',
    ],
  ])('warns about %s nobody knows', (_, content, name) => {
    const { settings, warnings } = load(content);
    expect(settings).toEqual(defaults);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(name);
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
});
