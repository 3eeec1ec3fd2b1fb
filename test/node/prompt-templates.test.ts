import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { llmStrategy } from '../../src/index.ts';
import { ensurePromptTemplates, loadPromptTemplates } from '../../src/entries/node/index.ts';
import { setUp, temporaryFolder, write } from './folders.ts';

const isWindows = process.platform === 'win32';

/** What stands behind a template, and is no template. */
const others = /^summarize-(?:continue|focus|here|turn)\.md$/;
const templates = readdirSync('prompts').filter((name) => !others.test(name));

describe('ensurePromptTemplates', () => {
  it('writes every template, in folders it makes, each variable of it once', () => {
    const { project, options, warnings } = setUp();
    const written = ensurePromptTemplates(project);
    expect(written.toSorted()).toEqual(templates);
    expect(readdirSync(project)).toEqual(templates);
    for (const name of written) {
      const text = readFileSync(join(project, name), 'utf8');
      expect(text).toBe(readFileSync(join('prompts', name), 'utf8'));
      const held = Array.from(text.matchAll(/(?<!\{)\{(\w+)\}/g), ([, variable]) => variable);
      expect([name, ...new Set(held)]).toHaveLength(held.length + 1);
    }
    expect(() => llmStrategy({ prompts: loadPromptTemplates(options) })).not.toThrow();
    expect(warnings).toEqual([]);
  });

  it.skipIf(isWindows)('never overwrites a file, nor writes through a link', () => {
    const folder = temporaryFolder();
    write(join(folder, 'brief.md'), 'mine');
    symlinkSync(join(folder, 'target'), join(folder, 'meta.md'));
    const written = ensurePromptTemplates(folder);
    expect(written).toHaveLength(templates.length - 2);
    expect(readFileSync(join(folder, 'brief.md'), 'utf8')).toBe('mine');
    expect(readdirSync(folder)).not.toContain('target');
    expect(ensurePromptTemplates(folder)).toEqual([]);
    expect(() => ensurePromptTemplates('')).toThrow('Invalid option directory: ');
  });
});

const none = { toolResults: 'default', userMessages: 'default', agentMessages: 'default' };
const noSummary = { system: 'default', first: 'default', update: 'default', rebase: 'default' };

describe('loadPromptTemplates', () => {
  it('prefers the project to the home folder and that to the built-in text', () => {
    const { project, home, warnings, options } = setUp();
    expect(loadPromptTemplates(options)).toEqual({ ...none, summary: noSummary });
    write(join(project, 'tool_results.md'), 'project {content}');
    write(join(home, 'tool_results.md'), 'home {content}');
    write(join(home, 'user_messages.md'), 'home {content}');
    write(join(project, 'summarize-first.md'), 'project {content}');
    write(join(home, 'summarize-system.md'), 'home system');
    const prompts = loadPromptTemplates({ ...options, prompts: { maxSummaryChars: 99 } });
    expect(prompts).toMatchObject({
      ...none,
      toolResults: 'project {content}',
      userMessages: 'home {content}',
      summary: { first: 'project {content}', system: 'home system' },
      maxSummaryChars: 99,
    });
    expect(warnings).toEqual([]);
  });

  it('reads paths relative to the folders, absolute inside them, and from ~', () => {
    const { project, home, warnings, options } = setUp();
    write(join(project, 'mine', 'tool.md'), 'relative {content}');
    const absolute = write(join(project, 'user.txt'), '\ufeffabsolute {content}');
    write(join(home, 'agent.md'), 'tilde {content}');
    write(join(home, 'summary.md'), 'of home {content}');
    const prompts = loadPromptTemplates({
      ...options,
      prompts: {
        toolResults: 'mine/tool.md',
        userMessages: absolute,
        agentMessages: '~/.ai-sdk-summarization/prompts/agent.md',
        summary: 'summary.md',
      },
    });
    expect(prompts).toEqual({
      toolResults: 'relative {content}',
      userMessages: 'absolute {content}',
      agentMessages: 'tilde {content}',
      summary: 'of home {content}',
    });
    expect(warnings).toEqual([]);
  });

  it('takes texts as they are, and paths in the object of the summary', () => {
    const { project, warnings, options } = setUp();
    write(join(project, 'system.md'), 'My system prompt');
    const toolResults = 'Inline: {content}\n/etc/passwd.md';
    const agentMessages = 'no variable in this text';
    const summary = { system: 'system.md', first: 'Inline {content}' };
    const prompts = loadPromptTemplates({
      ...options,
      prompts: { toolResults, agentMessages, summary },
    });
    expect(prompts).toEqual({
      ...none,
      toolResults,
      agentMessages,
      summary: { ...noSummary, ...summary, system: 'My system prompt' },
    });
    expect(() => llmStrategy({ prompts })).toThrow(/prompts\.agentMessages/);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['without its variable', 'no variable', /must hold \{content\}/],
    ['that is not UTF-8', new Uint8Array([0x7b, 0xe2, 0x82]), /not valid for encoding utf-8/],
    ['that is too large', `{content}${'x'.repeat(256 * 1024 - 8)}`, /larger than 256 KB/],
  ])('warns about a file %s and goes on to the home folder', (_, content, reason) => {
    const { project, home, warnings, options } = setUp();
    write(join(project, 'tool_results.md'), content);
    write(join(home, 'tool_results.md'), 'home {content}');
    write(join(project, 'user_messages.md'), `{content}${'x'.repeat(256 * 1024 - 9)}`);
    const prompts = loadPromptTemplates({ ...options, prompts: { summary: 'missing.md' } });
    expect(prompts).toMatchObject({ summary: {}, toolResults: 'home {content}' });
    expect(prompts.userMessages).toHaveLength(256 * 1024);
    expect(warnings).toEqual([
      `The template prompts.summary is the default: "missing.md" was not used, there is no such file in ${project}, ${home}.`,
      expect.stringMatching(reason),
    ]);
  });

  it('warns of a variable that nothing takes the place of', () => {
    const { project, warnings, options } = setUp();
    write(join(project, 'summarize-update.md'), '{content} {prior_summary} {prior_context} {{a}}');
    write(join(project, 'summarize-system.md'), 'Sent as it is: {anything}');
    const toolResults = '{content} in {max_words} {max_chars}';
    const prompts = loadPromptTemplates({ ...options, prompts: { toolResults } });
    expect(prompts.toolResults).toBe(toolResults);
    expect(warnings).toEqual([
      'The template prompts.summary.update holds {prior_context}, which nothing takes the place of: allowed are {content}, {context}, {max_chars}, {prior_summary}, {max_words}, {max_items}, and {{ for a brace.',
      'The template prompts.toolResults holds {max_words}, which nothing takes the place of: allowed are {content}, {context}, {max_chars}, and {{ for a brace.',
    ]);
  });

  it('says how to use a file outside of the folders', () => {
    const { project, warnings, options } = setUp();
    write(join(project, 'other.md'), 'Other: {content}');
    const summary = write(join(temporaryFolder(), 'mine.md'), 'Mine: {content}');
    expect(loadPromptTemplates({ ...options, prompts: { summary } })).toMatchObject({
      summary: {},
    });
    expect(warnings.join()).toMatch(/lies outside of the folder: give its text, as readFileSync/);
    const given = readFileSync(summary, 'utf8');
    const loaded = loadPromptTemplates({ ...options, prompts: { summary: given } });
    expect(loaded.summary).toBe('Mine: {content}');
  });

  it('asks of each template of the summary its own variables', () => {
    const { project, warnings, options } = setUp();
    const names = ['first', 'update', 'rebase'];
    for (const name of names) write(join(project, `summarize-${name}.md`), 'no variable');
    const both = '{content} and {prior_summary}';
    expect(loadPromptTemplates(options)).toEqual({ ...none, summary: noSummary });
    const faulty = (name: string, variables: string): string =>
      `The template prompts.summary.${name} passes over summarize-${name}.md in ${project}: it must hold ${variables} exactly once.`;
    const rebase = faulty('rebase', both);
    expect(warnings).toEqual([faulty('first', '{content}'), faulty('update', both), rebase]);
  });
});

it('a warning is told to the process where nobody else listens', () => {
  const { project, projectDirectory, homeDirectory } = setUp();
  const emit = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  write(join(project, 'tool_results.md'), 'no variable');
  loadPromptTemplates({ projectDirectory, homeDirectory });
  expect(emit.mock.calls.map(([, options]) => options)).toEqual([{ type: 'SummarizationWarning' }]);
  emit.mockRestore();
});

/** A project whose secret lies right above its prompts. */
function hostileProject() {
  const made = setUp();
  const outside = temporaryFolder();
  write(join(made.project, 'good.md'), 'good {content}');
  write(join(made.project, '..', 'secret.md'), 'SECRET {content}');
  write(join(outside, 'secret.md'), 'SECRET {content}');
  const load = (toolResults: string) =>
    loadPromptTemplates({ ...made.options, prompts: { toolResults } });
  return { ...made, outside, load };
}

describe('a path in prompts', () => {
  it.each([
    '../secret.md',
    '/',
    '~/secret.md',
    '/dev/zero',
    '//server/share/secret.md',
    'C:\\secret.md',
    '..\\secret.md',
    'good.md\0',
    'file:///etc/passwd',
    `${'a/'.repeat(400)}secret.md`,
    'NUL.md',
  ])('leads nowhere: %j', (path) => {
    const { warnings, load } = hostileProject();
    expect(load(path).toolResults).toBe('default');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).not.toContain('\0');
  });

  it('is one word, or what begins or ends like one; all else is a text', () => {
    const { warnings, load } = hostileProject();
    for (const text of ['', 'x'.repeat(1025), 'a\nb.md', 'My notes.md here', 'see ./my notes'])
      expect(load(text).toolResults).toBe(text);
    expect(warnings).toEqual([]);
    for (const path of ['x'.repeat(1024), 'My notes.TXT', './my notes', 'C:/my notes'])
      expect(load(path).toolResults).toBe('default');
    expect(warnings).toHaveLength(4);
    expect(warnings[0]).toContain(` default: "${'x'.repeat(120)}" was not used`);
  });

  it.skipIf(isWindows)('leads nowhere outside of the folders, through a link or to a pipe', () => {
    const { warnings, outside, project, load } = hostileProject();
    symlinkSync(join(outside, 'secret.md'), join(project, 'file.md'));
    symlinkSync(outside, join(project, 'folder'));
    symlinkSync('loop.md', join(project, 'loop.md'));
    symlinkSync(join(outside, 'secret.md'), join(project, 'agent_messages.md'));
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', join(project, 'pipe.md')]);
    const inside = ['file.md', 'folder/secret.md', 'loop.md', 'pipe.md'];
    for (const path of [join(outside, 'secret.md'), ...inside])
      expect(load(path)).toMatchObject({ toolResults: 'default', agentMessages: 'default' });
    expect(warnings).toHaveLength(2 * 5);
    expect(warnings.join('\n')).toMatch(/outside of the folder[^]*ELOOP[^]*not a regular file/);
  });

  it.skipIf(isWindows)('may be a link that stays inside, in a folder that is itself a link', () => {
    const { warnings, project, outside, options } = hostileProject();
    symlinkSync('good.md', join(project, 'link.md'));
    const linked = join(outside, 'linked');
    symlinkSync(options.projectDirectory ?? '', linked);
    const prompts = { toolResults: 'link.md' };
    const loaded = loadPromptTemplates({ ...options, projectDirectory: linked, prompts });
    expect(loaded.toolResults).toBe('good {content}');
    expect(warnings).toEqual([]);
  });
});
