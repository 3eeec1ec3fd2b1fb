import { describe, expect, it } from 'vitest';
import { type Message, llmStrategy } from '../../../src/index.ts';
import {
  answer,
  assistant,
  conversation,
  httpError,
  promptText,
  record,
  content,
  summarizer,
  summaryInput,
  toolCall,
  toolResult,
  user,
  type Reply,
} from './fixtures.ts';

const russian = [
  user('Почини, пожалуйста, вход в магазин: файл src/auth/session.ts. '.repeat(12)),
  assistant('Я переписал обновление токена, но тест всё ещё падает. '.repeat(12)),
  user('Тогда посмотри, что печатает refresh_token. '.repeat(12)),
];
const inEnglish = answer({ summary: 'The user asked to repair the login of the shop.' });
const inRussian = answer({ summary: 'Пользователь попросил починить вход в магазин.' });

async function summaryOf(
  replies: readonly Reply[],
  messages: readonly Message[] = russian,
): Promise<{
  readonly summary: string;
  readonly prompts: readonly string[];
  readonly log: string;
  readonly inputTokens: number;
}> {
  const model = summarizer(replies);
  const lines: string[] = [];
  const log = (line: string): void => {
    lines.push(line);
  };
  const input = summaryInput(model, { messages, log });
  const { content: written, usage } = await llmStrategy().summarize(input);
  const prompts = model.doGenerateCalls.map(promptText);
  const { inputTokens } = usage;
  return { summary: written.summary, prompts, log: lines.join('\n'), inputTokens };
}

describe('a summary in another script than the user writes', () => {
  it('is asked for once more, in the language of the user', async () => {
    const { summary, prompts, log, inputTokens } = await summaryOf([inEnglish, inRussian]);
    expect(summary).toBe(inRussian.summary);
    expect(prompts).toHaveLength(2);
    expect(prompts[0]).not.toContain('Cyrillic');
    expect(prompts[1]).toContain('["Cyrillic"]');
    expect(log).toContain('Cyrillic');
    expect(inputTokens).toBe(200);
  });

  it('counts where the second one is no better, and there is no third', async () => {
    const { summary, prompts } = await summaryOf([inEnglish, inEnglish, inRussian]);
    expect(summary).toBe(inEnglish.summary);
    expect(prompts).toHaveLength(2);
  });

  it('counts where asking once more fails', async () => {
    const { summary } = await summaryOf([inEnglish, httpError(400)]);
    expect(summary).toBe(inEnglish.summary);
  });

  it('is asked for once more of Latin letters too', async () => {
    const { prompts } = await summaryOf([inRussian, answer()], [...conversation]);
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toContain('["Latin"]');
  });

  it.each([
    ['in the script of the user', russian, inRussian],
    ['of a user who writes in both', [...russian, ...conversation], inEnglish],
    ['of a conversation of figures', [user('12 + 30 = 42; '.repeat(60))], inEnglish],
  ])('is none %s', async (_name, messages, reply) => {
    const { prompts } = await summaryOf([reply], messages);
    expect(prompts).toHaveLength(1);
  });

  it('tells another language of the same script to the log alone', async () => {
    const german = 'Der Nutzer hat darum gebeten, die Anmeldung des Ladens zu reparieren.';
    const { prompts, log } = await summaryOf([answer({ summary: german })], [...conversation]);
    expect(prompts).toHaveLength(1);
    expect(log).toContain('another language');
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
