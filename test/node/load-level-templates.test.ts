import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadLevelTemplates } from '../../src/entries/node/index.ts';
import { summarize } from '../../src/entries/text/index.ts';
import { chatModel } from '../support/models.ts';
import { words } from '../support/messages.ts';
import { lastPrompt } from '../support/prompts.ts';
import { untyped } from '../support/untyped.ts';
import { setUp, write } from './folders.ts';

describe('loadLevelTemplates', () => {
  it('reads files of the project, then of the home folder, and paths', async () => {
    const { project, home, warnings, options } = setUp();
    write(join(project, 'brief.md'), 'Of the project: {content}');
    write(join(home, 'brief.md'), 'Of home: {content}');
    write(join(home, 'meta.md'), 'Of home: {summaries}');
    write(join(home, 'legal.md'), 'Legal: {content}');
    const prompts = loadLevelTemplates({ ...options, prompts: { document: 'legal.md' } });
    expect(prompts).toMatchObject({
      chunk: 'default',
      document: 'Legal: {content}',
      meta: 'Of home: {summaries}',
    });
    expect(warnings).toEqual([]);

    const model = chatModel({ text: 'Short.' });
    await summarize(words(1, 200), { model, prompts });
    expect(JSON.stringify(lastPrompt(model))).toContain('Of the project: ');
  });

  it('leaves names nobody knows to be refused by who reads them', async () => {
    const prompts = loadLevelTemplates({ prompts: untyped({ short: 'x' }) });
    await expect(summarize('Text.', { model: chatModel(), prompts })).rejects.toThrow(
      expect.objectContaining({ option: 'prompts.short' }),
    );
  });
});
