import { generateText, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import type { SummarizationOptions } from '../../src/index.ts';
import { assistant, toolStep, user, words } from '../support/messages.ts';
import { answer, summarizerModel } from '../support/models.ts';
import { lastPrompt, promptsOf, summaryJson, summaryOf } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';

const forgetful = (): ReturnType<typeof summarizerModel> =>
  summarizerModel(answer({ summary: 'Something happened.' }));

const options: SummarizationOptions = {
  contextLength: 3000,
  minMessages: 4,
  cooldownMessages: 0,
  preserveRecent: 2,
  preserveRecentTokenRatio: 0,
};

describe('the first message of the user', () => {
  it.each(['llm', 'rule-based'] as const)(
    'stays word for word while it is worked on, whatever the summary says: %s',
    async (strategy) => {
      const { inner, model } = setUp({ ...options, strategy }, { summarizer: forgetful() });
      const history: ModelMessage[] = [user('Read all files.')];
      for (let step = 0; step < 60; step += 1) {
        history.push(...toolStep(`call_${step}`, words(step, 200)));
        if (step % 20 === 10) history.push(user('Go on, please.'));
        await generateText({ model, messages: history });
      }
      const summaries = promptsOf(inner).filter((prompt) => summaryOf(prompt) !== undefined);
      expect(summaries.length).toBeGreaterThan(20);
      for (const prompt of summaries)
        expect(Object.values(Object(summaryJson(prompt)['userWords']))[0]).toBe('Read all files.');
    },
  );

  it('is there however many rules the user gives after it', async () => {
    const task = `Move the shop to another server. ${words(1, 120)}.`;
    const { inner, model } = setUp({ ...options, strategy: 'rule-based', contextLength: 12_000 });
    const history: ModelMessage[] = [user(task)];
    for (let step = 0; step < 200; step += 1)
      history.push(user(`Never restart the server ${words(step, 6)}.`), assistant(words(step, 40)));
    await generateText({ model, messages: history });
    const [first = ''] = Object.values(Object(summaryJson(lastPrompt(inner))['userWords']));
    expect(first).toContain('Move the shop to another server.');
  });

  it('is cut to whole sentences where it is too long for its share', async () => {
    const sentence = 'Read the file and tell me what is in it.';
    const request = `Begin here. ${`${sentence} `.repeat(400)}End there.`;
    const { inner, model } = setUp(
      { ...options, contextLength: 20_000 },
      { summarizer: forgetful() },
    );
    const messages = [
      user(request),
      ...toolStep('call_1', words(1, 1800)),
      ...toolStep('call_2', '-'),
    ];
    const providerOptions = { summarization: { force: true } };
    await generateText({ model, messages, providerOptions });
    const [open = ''] = Object.values(Object(summaryJson(lastPrompt(inner))['userWords']));
    expect(String(open)).toMatch(/^Begin here\. (Read the file and tell me what is in it\. )+… /);
    expect(String(open)).toMatch(/End there\.$/);
    expect(String(open).length).toBeLessThan(request.length / 2);
  });
});
