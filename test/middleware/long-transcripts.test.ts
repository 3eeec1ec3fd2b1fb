import { expect, it } from 'vitest';
import { countPromptTokens } from '../../src/index.ts';
import { extractiveModel, kindsOf } from '../strategies/levels/extractive-model.ts';
import { promptText } from '../strategies/llm/fixtures.ts';
import { assistant, user, words } from '../support/messages.ts';
import { lastPrompt, summaryJson } from '../support/prompts.ts';
import { called } from '../support/set-up.ts';

/** About 20,000 tokens of messages, each with an identifier of its own. */
const messages = Array.from({ length: 161 }, (_, index) => {
  const text = `Question TICKET-${index}X was raised. ${words(index, 110)}.`;
  return index % 2 === 0 ? user(text) : assistant(text);
});
const options = { contextLength: 16_000, maxTranscriptTokens: 6000 };

it('a transcript above maxTranscriptTokens is read in as few pieces as it takes, one after the other', async () => {
  const summarizer = extractiveModel();
  const { inner, events } = await called(messages, options, { summarizer });
  // What one call of the conversation's own model could read, in rooms of nearly 5,000.
  expect(kindsOf(summarizer)).toEqual(Array.from({ length: 3 }, () => 'object'));
  const prompt = lastPrompt(inner);
  const { total } = await countPromptTokens({ messages: prompt, model: inner });
  expect(total).toBeLessThan(16_000);
  const [first] = summarizer.doGenerateCalls;
  expect(promptText(first)).toContain('TICKET-0X');
  expect(JSON.stringify(summaryJson(prompt))).toContain('TICKET-64X');

  const progress = events.filter((event) => event.type === 'progress');
  expect(progress).toHaveLength(3);
  expect(progress[1]).toEqual({
    type: 'progress',
    strategy: 'llm',
    layer: 1,
    completed: 2,
    total: 3,
    provider: inner.provider,
    modelId: inner.modelId,
  });
  expect(events.find((event) => event.type === 'end')).toMatchObject({
    strategy: 'llm',
    degraded: false,
    usage: { inputTokens: 300 },
  });
});
