import { generateText } from 'ai';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadPromptTemplates } from '../../src/node/index.ts';
import { llmStrategy } from '../../src/index.ts';
import { textOf } from '../support/prompts.ts';
import { answer, summarizerModel } from '../support/models.ts';
import { setUp as wrapModel } from '../support/set-up.ts';
import { setUp, write } from './folders.ts';

/** The first four messages of a chat that is too long, and those that follow. */
function chat(turns: number): { role: 'user' | 'assistant'; content: string }[] {
  return Array.from({ length: turns }, (_, turn) => ({
    role: turn % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${turn}. ${'All about rivers. '.repeat(turn === 1 ? 60 : 20)}`,
  }));
}

describe('templates in the request of the summariser', () => {
  it('come from the project, the home folder and the options', async () => {
    const { project, home, warnings, options } = setUp();
    write(join(project, 'summarize-system.md'), 'PROJECT SYSTEM');
    write(join(home, 'summarize-first.md'), 'HOME FIRST {content} in {max_chars}');
    write(join(home, 'agent_messages.md'), 'HOME AGENT {content} in {max_chars}');
    write(join(home, 'user_messages.md'), 'HOME USER {content}');
    write(join(project, 'user_messages.md'), 'PROJECT USER {content}');
    const prompts = loadPromptTemplates({
      ...options,
      prompts: { summary: { update: 'INLINE {prior_summary} {content}' }, maxSummaryChars: 400 },
    });
    const summarizer = summarizerModel((call) =>
      call.responseFormat?.type === 'json' ? answer({ summary: 'Rivers.' }) : 'A short message.',
    );
    const { model } = wrapModel(
      {
        strategy: llmStrategy({
          models: [summarizer],
          prompts,
          messageFilter: { agentMessages: 'summary' },
        }),
      },
      { summarizer },
    );
    await generateText({ model, messages: chat(14) });
    await generateText({
      model,
      messages: chat(34),
      providerOptions: { summarization: { force: true } },
    });
    const requests = summarizer.doGenerateCalls.map(({ prompt }) => prompt.map(textOf));
    const [condensing = [], first = [], ...later] = requests;
    expect(condensing).toHaveLength(1);
    expect(condensing[0]).toMatch(/^HOME AGENT "Message 1\. All about rivers\. .*" in 400/);
    expect(first[0]).toBe('PROJECT SYSTEM');
    expect(first[1]).toMatch(/^HOME FIRST \[\{"i":0,.*A short message\..*\] in \d+$/);
    const last = later.at(-1) ?? [];
    expect(last[0]).toBe('PROJECT SYSTEM');
    expect(last[1]).toMatch(/^INLINE \{.*Rivers\..*\} \[.*\]$/);
    expect(warnings).toEqual([]);
  });
});
