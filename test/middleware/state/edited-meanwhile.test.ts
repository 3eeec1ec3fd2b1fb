import { generateText, type ModelMessage } from 'ai';
import { expect, it } from 'vitest';
import { chat } from '../../support/messages.ts';
import { emptyContent } from '../../support/empty-content.ts';
import { promptsOf } from '../../support/prompts.ts';
import { setUp } from '../../support/set-up.ts';

it('a conversation that was edited gets no summary that is being written of what it was', async () => {
  const asked: string[] = [];
  const held = Promise.withResolvers<void>();
  const { model, inner } = setUp({
    minMessages: 2,
    strategy: {
      name: 'held',
      summarize: async ({ messages }) => {
        const said = JSON.stringify(messages).includes('Never mind.') ? 'the edited one' : 'it';
        asked.push(said);
        if (asked.length === 1) await held.promise;
        return {
          content: emptyContent(`They spoke of ${said}.`),
          usage: { inputTokens: 1, outputTokens: 1 },
        };
      },
    },
  });
  const messages = chat(19);
  const edited: ModelMessage[] = messages.with(5, { role: 'assistant', content: 'Never mind.' });
  const first = generateText({ model, messages });
  await expect.poll(() => asked).toEqual(['it']);
  const second = generateText({ model, messages: edited });
  await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
  held.resolve();
  await Promise.all([first, second]);
  const sent = promptsOf(inner).map((prompt) => /They spoke of [^.]*/.exec(JSON.stringify(prompt)));
  expect(new Set(sent.map((found) => found?.[0]))).toEqual(
    new Set(['They spoke of it', 'They spoke of the edited one']),
  );
});
