import { describe, expect, it } from 'vitest';
import { type Message, llmStrategy } from '../../../src/index.ts';
import {
  answer,
  assistant,
  conversation,
  promptText,
  record,
  content,
  summarizer,
  summaryInput,
  toolCall,
  toolResult,
  user,
} from './fixtures.ts';

describe('a summary in another language than the user writes', () => {
  it('is asked not to be, and is paid for once', async () => {
    const model = summarizer([answer({ summary: 'The user asked to repair the login.' })]);
    const messages = [user('Почини, пожалуйста, вход: файл src/auth/session.ts. '.repeat(20))];
    const written = await llmStrategy().summarize(summaryInput(model, { messages }));
    expect(written.content.summary).toBe('The user asked to repair the login.');
    expect(model.doGenerateCalls).toHaveLength(1);
    const [instructions] = model.doGenerateCalls[0]?.prompt ?? [];
    expect(instructions?.content).toContain('in the language the user writes');
  });
});

describe('a turn that goes on', () => {
  const step = [toolCall('bash', { command: 'npm test' }), toolResult('bash', '3 failed')];
  const note = 'are the beginning of a turn that goes on';

  async function requestFor(
    messages: readonly Message[],
    previous?: ReturnType<typeof record>,
  ): Promise<string> {
    const model = summarizer([answer()]);
    await llmStrategy().summarize(summaryInput(model, { messages, previous }));
    return promptText(model.doGenerateCalls[0]);
  }

  it('is told apart from the conversation before it', async () => {
    const request = await requestFor([...conversation, ...step]);
    expect(request).toContain(`The message with the number 2 and those behind it ${note}`);
  });

  it('is found by its number behind an earlier record', async () => {
    const messages = [user('Please run all tests of the billing service. '.repeat(20)), ...step];
    const request = await requestFor(messages, { ...record(content()), coveredMessages: 7 });
    expect(request).toContain(`The message with the number 7 and those behind it ${note}`);
  });

  it.each([
    ['the end is an answer', [...conversation, ...step, assistant('All tests pass.')]],
    ['the end is a question of the user', conversation],
    ['all of it is one turn', [user('Please run all tests. '.repeat(40)), ...step]],
  ])('is none where %s', async (_name, messages) => {
    expect(await requestFor([...messages])).not.toContain(note);
  });
});
