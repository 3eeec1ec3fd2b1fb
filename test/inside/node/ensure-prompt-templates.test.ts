import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInTemplates } from '../../../src/node/templates.ts';
import { ensurePromptTemplates } from '../../../src/node/index.ts';
import { variablesOf } from '../../../src/prompts/template.ts';
import { temporaryFolder, write } from '../../node/folders.ts';

/** What stands behind a template, and is no template. */
const softwareOnly: ReadonlySet<string> = new Set([
  'summarize-continue.md',
  'summarize-focus.md',
  'summarize-here.md',
  'summarize-language.md',
  'summarize-turn.md',
]);

describe('ensurePromptTemplates', () => {
  it('writes every template, in folders it makes, and says which', () => {
    const folder = join(temporaryFolder(), 'a', 'b');
    const written = ensurePromptTemplates(folder);
    expect(written.toSorted()).toEqual(readdirSync(folder).toSorted());
    expect(written).toEqual(Object.keys(builtInTemplates));
    for (const name of written) {
      expect(readFileSync(join(folder, name), 'utf8')).toBe(builtInTemplates[name]);
    }
  });

  it('never overwrites a file', () => {
    const folder = temporaryFolder();
    write(join(folder, 'brief.md'), 'mine');
    expect(ensurePromptTemplates(folder)).not.toContain('brief.md');
    expect(readFileSync(join(folder, 'brief.md'), 'utf8')).toBe('mine');
    expect(ensurePromptTemplates(folder)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('never writes through a link', () => {
    const folder = temporaryFolder();
    symlinkSync(join(folder, 'target'), join(folder, 'brief.md'));
    expect(ensurePromptTemplates(folder)).not.toContain('brief.md');
    expect(readdirSync(folder)).not.toContain('target');
  });
});

describe('the built-in templates', () => {
  it.each(
    readdirSync('prompts')
      .filter((name) => !softwareOnly.has(name))
      .map((name) => [name]),
  )('hold %s', (name) => {
    expect(builtInTemplates[name]).toBe(readFileSync(join('prompts', name), 'utf8'));
  });

  it.each([
    ['brief.md', ['content', 'context', 'max_chars', 'prior_summary']],
    ['standard.md', ['content', 'context', 'max_chars', 'prior_summary']],
    ['conversation.md', ['content', 'context', 'max_chars', 'prior_summary']],
    ['journal.md', ['content', 'context', 'max_chars', 'prior_summary']],
    ['document.md', ['content', 'context', 'max_chars', 'prior_summary']],
    [
      'chunk.md',
      ['chunk_index', 'content', 'context', 'max_chars', 'prior_summary', 'total_chunks'],
    ],
    ['meta.md', ['context', 'max_chars', 'prior_summary', 'summaries', 'total_chunks']],
    ['tool_results.md', ['content', 'context', 'max_chars']],
    ['user_messages.md', ['content', 'max_chars']],
    ['agent_messages.md', ['content', 'max_chars']],
    ['summarize-first.md', ['content', 'max_chars']],
    ['summarize-update.md', ['content', 'max_chars', 'prior_summary']],
    ['summarize-rebase.md', ['content', 'max_chars', 'prior_summary']],
  ])('hold in %s each of their variables once', (name, variables) => {
    expect(variablesOf(builtInTemplates[name] ?? '').toSorted()).toEqual(variables);
  });
});
