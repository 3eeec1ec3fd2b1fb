import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { answer, summarizerModel } from '../support/models.ts';
import { textOf } from '../support/prompts.ts';
import { called } from '../support/set-up.ts';

const messages = Array.from({ length: 14 }, (_, turn) => ({
  role: turn % 2 === 0 ? ('user' as const) : ('assistant' as const),
  content: `Message ${turn}. ${'All about rivers. '.repeat(turn === 1 ? 60 : 20)}`,
}));

describe('the options prompts and messageFilter', () => {
  it('reach the summariser', async () => {
    const summarizer = summarizerModel((call) =>
      call.responseFormat?.type === 'json' ? answer({ summary: 'Rivers.' }) : 'Short.',
    );
    const { model } = await called(
      messages,
      {
        prompts: { summary: 'MINE {nonsense} {content}', agentMessages: 'AGENT {content}' },
        messageFilter: { agentMessages: 'summary', userMessages: 'omit' },
      },
      { summarizer },
    );
    await generateText({ model, messages });
    const texts = summarizer.doGenerateCalls.map(({ prompt }) => textOf(prompt.at(-1)));
    expect(texts[0]).toMatch(/^AGENT "Message 1/);
    expect(texts.at(-1)).toMatch(/^MINE \{nonsense\} \[.*omitted.*Short\./);
  });
});
