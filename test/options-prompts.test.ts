import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { SummarizationOptionError, summarizationMiddleware } from '../src/index.ts';
import { loadSettings } from '../src/node/index.ts';
import { answer, summarizerModel } from './support/models.ts';
import { textOf } from './support/prompts.ts';
import { setUp } from './support/set-up.ts';

const messages = Array.from({ length: 14 }, (_, turn) => ({
  role: turn % 2 === 0 ? ('user' as const) : ('assistant' as const),
  content: `Message ${turn}. ${'All about rivers. '.repeat(turn === 1 ? 60 : 20)}`,
}));

describe('the options prompts and messageFilter', () => {
  it('reach the summariser, the debug log and the events', async () => {
    const lines: string[] = [];
    const summarizer = summarizerModel((call) =>
      call.responseFormat?.type === 'json' ? answer({ summary: 'Rivers.' }) : 'Short.',
    );
    const { model, events } = setUp(
      {
        prompts: { summary: 'MINE {nonsense} {content}', agentMessages: 'AGENT {content}' },
        messageFilter: { agentMessages: 'summary', userMessages: 'omit' },
        debug: (line) => lines.push(line),
      },
      { summarizer },
    );
    await generateText({ model, messages });
    await generateText({ model, messages });
    const texts = summarizer.doGenerateCalls.map(({ prompt }) => textOf(prompt.at(-1)));
    expect(texts[0]).toMatch(/^AGENT "Message 1/);
    expect(texts.at(-1)).toMatch(/^MINE \{nonsense\} \[.*omitted.*Short\./);
    expect(lines.join('\n')).toMatch(/agent: \d+ chars → 6 chars \(99\.\d% reduction\)/);
    const warnings = events.filter(
      (event) => event.type === 'warning' && event.code === 'unknown-template-variable',
    );
    expect(warnings).toHaveLength(1);
  });

  it.each([
    ['prompts.summary', { prompts: { summary: 'no variable' } }],
    ['prompts', { prompts: 7 }],
    ['messageFilter.toolResults', { messageFilter: { toolResults: 'none' } }],
    ['messageFilter', { messageFilter: 'full' }],
  ])('are refused when %s is wrong, whatever the strategy', (option, options) => {
    for (const strategy of ['llm', 'none', 'rule-based'] as const) {
      let thrown: unknown;
      try {
        Reflect.apply(summarizationMiddleware, undefined, [{ ...options, strategy }]);
      } catch (error) {
        thrown = error;
      }
      if (!SummarizationOptionError.isInstance(thrown)) throw new Error('not refused');
      expect(thrown.option).toBe(option);
    }
  });

  it('take what settings hold', () => {
    const settings = loadSettings('no-such-file.json', { onWarning: () => {} });
    expect(summarizationMiddleware(settings)).toHaveProperty('transformParams');
  });
});
