import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { ensurePromptTemplates, loadPromptTemplates } from '../../../src/node/index.ts';
import { llmStrategy } from '../../../src/index.ts';
import { resolvePrompts } from '../../../src/prompts/resolve-prompts.ts';
import { setUp, write } from '../../node/folders.ts';

const builtIn = resolvePrompts();

describe('loadPromptTemplates', () => {
  it('prefers the project to the home folder and that to the built-in text', () => {
    const { project, home, warnings, options } = setUp();
    write(join(project, 'tool_results.md'), 'project {content}');
    write(join(home, 'tool_results.md'), 'home {content}');
    write(join(home, 'user_messages.md'), 'home {content}');
    write(join(project, 'summarize-first.md'), 'project {content}');
    write(join(home, 'summarize-system.md'), 'home system');
    const prompts = resolvePrompts(
      loadPromptTemplates({ ...options, prompts: { maxSummaryChars: 99 } }),
    );
    expect(prompts).toEqual({
      ...builtIn,
      toolResults: 'project {content}',
      userMessages: 'home {content}',
      summary: { ...builtIn.summary, first: 'project {content}', system: 'home system' },
      maxSummaryChars: 99,
    });
    expect(warnings).toEqual([]);
  });

  it('reads paths relative to the folders, absolute inside them, and from ~', () => {
    const { project, home, warnings, homeDirectory, options } = setUp();
    const extra = join(homeDirectory, 'elsewhere');
    write(join(project, 'mine', 'tool.md'), 'relative {content}');
    const absolute = write(join(project, 'user.txt'), 'absolute {content}');
    write(join(home, 'agent.md'), 'tilde {content}');
    write(join(extra, 'summary.md'), 'further {content}');
    const prompts = loadPromptTemplates({
      ...options,
      homeDirectory,
      directories: ['~/elsewhere'],
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
      summary: 'further {content}',
    });
    expect(warnings).toEqual([]);
  });

  it('takes texts as they are, and paths in the object of the summary', () => {
    const { project, warnings, options } = setUp();
    write(join(project, 'system.md'), 'My system prompt');
    const prompts = loadPromptTemplates({
      ...options,
      prompts: {
        toolResults: 'Inline: {content}\n/etc/passwd.md',
        agentMessages: 'no variable in this text',
        summary: { system: 'system.md', first: 'Inline {content}' },
      },
    });
    expect(prompts).toEqual({
      toolResults: 'Inline: {content}\n/etc/passwd.md',
      userMessages: 'default',
      agentMessages: 'no variable in this text',
      summary: { system: 'My system prompt', first: 'Inline {content}' },
    });
    expect(() => llmStrategy({ prompts })).toThrow(/prompts\.agentMessages/);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['without its variable', 'no variable', /must hold \{content\}/],
    ['that names its variable only as a literal', '{{content}}', /must hold \{content\}/],
    ['that is not UTF-8', new Uint8Array([0xff, 0xfe, 0x7b]), /not valid for encoding utf-8/],
    [
      'that is cut within a character',
      new Uint8Array([0x7b, 0xe2, 0x82]),
      /not valid for encoding utf-8/,
    ],
    ['that is too large', `{content}${'x'.repeat(256 * 1024)}`, /larger than 256 KB/],
  ])('warns about a named file %s and goes on to the home folder', (_, content, reason) => {
    const { project, home, warnings, options } = setUp();
    write(join(project, 'tool_results.md'), content);
    write(join(home, 'tool_results.md'), 'home {content}');
    expect(loadPromptTemplates(options).toolResults).toBe('home {content}');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(reason);
    expect(warnings[0]).toContain('prompts.toolResults');
    expect(warnings[0]).toContain(project);
  });

  it('takes a file of exactly 256 KB, and a mark of the byte order', () => {
    const { project, warnings, options } = setUp();
    write(join(project, 'tool_results.md'), `{content}${'x'.repeat(256 * 1024 - 9)}`);
    write(join(project, 'user_messages.md'), '\ufeff{content}');
    const prompts = loadPromptTemplates(options);
    expect(prompts.toolResults).toHaveLength(256 * 1024);
    expect(prompts.userMessages).toBe('{content}');
    expect(warnings).toEqual([]);
  });

  it('warns about a path to no usable file and falls back to the default', () => {
    const { project, home, warnings, options } = setUp();
    write(join(home, 'tool_results.md'), 'home {content}');
    write(join(project, 'bad.md'), 'no variable');
    const prompts = loadPromptTemplates({
      ...options,
      prompts: { toolResults: 'missing.md', userMessages: 'bad.md', summary: 'missing.md' },
    });
    expect(prompts.toolResults).toBe('home {content}');
    expect(resolvePrompts(prompts)).toEqual({ ...builtIn, toolResults: 'home {content}' });
    expect(warnings).toHaveLength(3);
    expect(warnings.join()).toMatch(
      /prompts\.summary.*prompts\.toolResults.*prompts\.userMessages/s,
    );
  });

  it('tells the process where nobody else listens', () => {
    const { project, projectDirectory, homeDirectory } = setUp();
    const emit = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    write(join(project, 'tool_results.md'), 'no variable');
    loadPromptTemplates({ projectDirectory, homeDirectory });
    expect(emit).toHaveBeenCalledOnce();
    emit.mockRestore();
  });

  it('reads back what was written for editing', () => {
    const { project, warnings, options } = setUp();
    expect(ensurePromptTemplates(project)).toHaveLength(14);
    expect(resolvePrompts(loadPromptTemplates(options))).toEqual(builtIn);
    expect(warnings).toEqual([]);
  });
});
