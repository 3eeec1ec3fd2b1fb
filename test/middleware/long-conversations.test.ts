import { generateText, isStepCount, type ModelMessage, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { ContextOverflowError, countPromptTokens } from '../../src/index.ts';
import { chat, toolStep, user, words } from '../support/messages.ts';
import { lastPrompt, promptsOf, shapeOf, textOf } from '../support/prompts.ts';
import { called, eventsOf, type SetUp, setUp } from '../support/set-up.ts';
import { loopTools, toolLoopModel } from '../support/tool-loop-model.ts';

async function tokensOf({ inner }: SetUp): Promise<number[]> {
  return Promise.all(
    promptsOf(inner).map(
      async (prompt) => (await countPromptTokens({ messages: prompt, model: inner })).total,
    ),
  );
}

/** Drives a chat turn by turn, the whole history each time. */
async function converse(setup: SetUp, turns: readonly string[]): Promise<void> {
  const history: ModelMessage[] = [];
  for (const text of turns) {
    history.push(user(text));
    const { response } = await generateText({ model: setup.model, messages: history });
    history.push(...response.messages);
  }
}

const turns = Array.from({ length: 220 }, (_, index) => `Turn ${index}: ${words(index, 30)}`);

it('a tool loop stays under the limit for 40 steps and pays only when new content has crossed the trigger', async () => {
  const setup = setUp({ contextLength: 3000 }, { inner: toolLoopModel({ steps: 40 }) });
  const result = streamText({
    model: setup.model,
    instructions: 'Read the files.',
    prompt: 'Read everything there is.',
    tools: loopTools,
    stopWhen: isStepCount(60),
  });
  expect(await result.text).toBe('All done.');
  expect(setup.inner.doStreamCalls).toHaveLength(41);
  for (const tokens of await tokensOf(setup)) expect(tokens).toBeLessThan(3000);
  for (const prompt of promptsOf(setup.inner)) expect(shapeOf(prompt)).toMatch(/^sS?u(at+)*$/);

  const made = setup.events.filter((event) => event.type === 'end');
  expect(setup.summarizer.doGenerateCalls).toHaveLength(made.length);
  expect(made.length).toBeGreaterThan(1);
  // Between two summaries as much new content came as trigger and reset are apart.
  const band = 3000 * (0.8 - 0.7);
  for (const [index, event] of made.slice(1).entries())
    expect(event.tokensBefore - (made[index]?.tokensAfter ?? 0)).toBeGreaterThanOrEqual(band);
});

it('a conversation of many generations counts them, names the parent, and starts over at the cap', async () => {
  const setup = setUp({ contextLength: 2000, maxSummaryChainDepth: 2 });
  await converse(setup, turns);
  const records = eventsOf(setup, 'end').map(({ record }) => record);
  expect(records.map(({ depth }) => depth).slice(0, 5)).toEqual([0, 1, 2, 0, 1]);
  for (const tokens of await tokensOf(setup)) expect(tokens).toBeLessThan(2000);
  for (const [index, record] of records.slice(1).entries()) {
    const parent = records[index];
    expect(record.parentId).toBe(parent?.id);
    expect(record.coveredMessages).toBeGreaterThan(parent?.coveredMessages ?? 0);
  }
});

describe('a prompt that one message makes too long', () => {
  it('reaches the model legal and under the limit when it is the last tool result', async () => {
    const messages = [user('Read it.'), ...toolStep('big', words(1, 3000))];
    const setup = await called(messages);
    const prompt = lastPrompt(setup.inner);
    expect(shapeOf(prompt)).toBe('uat');
    expect(textOf(prompt[2])).toMatch(/characters omitted/);
    expect((await tokensOf(setup))[0]).toBeLessThanOrEqual(1000);
    expect(setup.events.at(-1)).toMatchObject({ type: 'recovered', shortenedMessages: [2] });
  });

  it('is refused with figures when it is the latest user message', async () => {
    const setup = setUp();
    const messages = [user(words(1, 3000))];
    const error: unknown = await generateText({ model: setup.model, messages }).catch(
      (reason: unknown) => reason,
    );
    expect(ContextOverflowError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      name: 'ContextOverflowError',
      limit: 1000,
      message: expect.stringMatching(/takes \d+ tokens, the model accepts 1000/),
    });
    expect(setup.inner.doGenerateCalls).toHaveLength(0);

    const late = [...chat(20), user(words(1, 3000))];
    await expect(generateText({ model: setup.model, messages: late })).rejects.toThrow(
      'The smallest prompt',
    );
    expect(setup.summarizer.doGenerateCalls).toHaveLength(0);
  });

  it('never loops when what cannot be summarized is too large', async () => {
    const setup = setUp();
    await generateText({ model: setup.model, instructions: words(3, 810), messages: chat(13, 1) });
    expect(setup.summarizer.doGenerateCalls).toHaveLength(0);
    expect(setup.events.at(-1)).toMatchObject({ type: 'skipped', reason: 'fixed-overhead' });
  });
});
