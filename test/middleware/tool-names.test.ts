import { generateText } from 'ai';
import { expect, it } from 'vitest';
import { assistant, toolStep, user, words } from '../support/messages.ts';
import { answer, summarizerModel } from '../support/models.ts';
import { lastPrompt, summaryJson } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';

it('tools that were called may be told of by their names, others are in doubt', async () => {
  const summary = 'The assistant called read_file and deploy_all.';
  const { inner, model } = setUp(
    { contextLength: 20_000, preserveRecent: 2, preserveRecentTokenRatio: 0 },
    { summarizer: summarizerModel(answer({ summary })) },
  );
  await generateText({
    model,
    messages: [
      user('Read the file.'),
      ...toolStep('call_0', words(0, 200)),
      assistant('It is read.'),
      ...Array.from({ length: 8 }, (_, index) => [
        user(`And ${words(index, 40)}?`),
        assistant(`So is ${words(index + 1, 40)}.`),
      ]).flat(),
      user('Thanks.'),
    ],
    providerOptions: { summarization: { force: true } },
  });
  expect(summaryJson(lastPrompt(inner))['summary']).toBe(
    'The assistant called read_file and deploy_all (unconfirmed).',
  );
});
