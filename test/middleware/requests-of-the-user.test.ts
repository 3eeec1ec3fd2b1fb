import { generateText, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { summarizeConversation, type SummarizationOptions } from '../../src/index.ts';
import { assistant, toolStep, user, words } from '../support/messages.ts';
import { answer, chatModel, summarizerModel } from '../support/models.ts';
import { lastPrompt, promptsOf, summaryJson, summaryOf } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';

const forgetful = (): ReturnType<typeof summarizerModel> =>
  summarizerModel(answer({ summary: 'Something happened.', resolved: ['r0', 'r1', 'r2'] }));

const options: SummarizationOptions = {
  contextLength: 3000,
  minMessages: 4,
  cooldownMessages: 0,
  preserveRecent: 2,
  preserveRecentTokenRatio: 0,
};

describe('a request of the user', () => {
  it.each(['llm', 'rule-based'] as const)(
    'stays word for word while it is worked on, whatever the summary says: %s',
    async (strategy) => {
      const { inner, model } = setUp({ ...options, strategy }, { summarizer: forgetful() });
      const history: ModelMessage[] = [user('Read all files.')];
      for (let step = 0; step < 60; step += 1) {
        history.push(...toolStep(`call_${step}`, words(step, 200)));
        // What lets it go on is no request of its own.
        if (step % 20 === 10) history.push(user('Go on, please.'));
        await generateText({ model, messages: history });
      }
      const summaries = promptsOf(inner).filter((prompt) => summaryOf(prompt) !== undefined);
      expect(summaries.length).toBeGreaterThan(20);
      for (const prompt of summaries)
        expect(summaryJson(prompt)['openRequests']).toEqual(['Read all files.']);
    },
  );

  it.each(['llm', 'rule-based'] as const)(
    'leaves when it was answered, and stays when it was not: %s',
    async (strategy) => {
      const { inner, model } = setUp(
        { ...options, contextLength: 20_000, strategy },
        { summarizer: forgetful() },
      );
      const messages = [
        user('Rename the parser to reader, everywhere in the code.'),
        ...toolStep('call_1', words(1, 300)),
        assistant('The parser is called reader now.'),
        user('Write a changelog entry about the new name.'),
        ...toolStep('call_2', words(2, 300)),
        user('Before that, update the dependencies of the project.'),
        ...toolStep('call_3', words(3, 300)),
        assistant('Shall I update the major versions as well?'),
        user('Explain the build to me in a few sentences.'),
        assistant('It compiles.'),
        user('What is the time now in Lisbon, roughly?'),
      ];
      const providerOptions = { summarization: { force: true } };
      await generateText({ model, messages, providerOptions });
      expect(summaryJson(lastPrompt(inner))['openRequests']).toEqual([
        'Write a changelog entry about the new name.',
        'Before that, update the dependencies of the project.',
        // Its answer is among the recent messages, which the summary does not see.
        'Explain the build to me in a few sentences.',
      ]);
    },
  );

  it('is called done by a model only where it is not the one that is worked on', async () => {
    const summarizer = summarizerModel(
      answer({ summary: 'They began.' }),
      answer({ summary: 'They went on.', resolved: ['r0', 'r1'] }),
    );
    const before = [
      user('Write a changelog entry about the new name.'),
      ...toolStep('call_1', words(1, 300)),
      user('Before that, update the dependencies of the project.'),
      ...toolStep('call_2', words(2, 300)),
    ];
    const model = chatModel();
    const config = { ...options, summarizerModelPreference: summarizer };
    const first = await summarizeConversation({ messages: before, model, config });
    if (!first.ok) throw first.error;
    expect(first.record.context.openRequests).toHaveLength(2);
    const messages = [...before, ...toolStep('call_3', words(3, 300))];
    const second = await summarizeConversation({ messages, model, config, parent: first.record });
    if (!second.ok) throw second.error;
    expect(second.record.context.openRequests).toEqual([
      'Before that, update the dependencies of the project.',
    ]);
    expect(second.record.origins.openRequests).toEqual([{ role: 'user', message: 3 }]);
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
      ...toolStep('call_1', words(1, 900)),
      ...toolStep('call_2', '-'),
    ];
    const providerOptions = { summarization: { force: true } };
    await generateText({ model, messages, providerOptions });
    const [open = ''] = Object.values(Object(summaryJson(lastPrompt(inner))['openRequests']));
    expect(String(open)).toMatch(/^Begin here\. (Read the file and tell me what is in it\. )+… /);
    expect(String(open)).toMatch(/End there\.$/);
    expect(String(open).length).toBeLessThan(1200);
  });
});
