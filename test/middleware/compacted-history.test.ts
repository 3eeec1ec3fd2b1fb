import { generateText } from 'ai';
import { expect, it } from 'vitest';
import { chat } from '../support/messages.ts';
import { setUp } from '../support/set-up.ts';

const messages = chat(19);

it('a provider that compacts the history is recognised by what it has written into it', async () => {
  const { summarizer, model } = setUp();
  const compacted = {
    role: 'assistant' as const,
    content: [
      { type: 'custom' as const, kind: 'openai.compaction' as const },
      { type: 'text' as const, text: 'Yes.' },
    ],
  };
  await generateText({
    model,
    messages: [...messages.slice(0, 1), compacted, ...messages.slice(2)],
  });
  expect(summarizer.doGenerateCalls).toHaveLength(0);
});
