import {
  generateText,
  isStepCount,
  jsonSchema,
  streamText,
  tool,
  ToolLoopAgent,
  type ModelMessage,
} from 'ai';
import { describe, expect, it } from 'vitest';
import { user, words } from '../../support/messages.ts';
import { lastPrompt, promptsOf, summaryOf } from '../../support/prompts.ts';
import { setUp, type SetUp } from '../../support/set-up.ts';
import { toolLoopModel } from '../../support/tool-loop-model.ts';
import { countPromptTokens } from '../../../src/index.ts';

const contextLength = 1500;

const tools = {
  read_file: tool({
    inputSchema: jsonSchema<{ path: string }>({ type: 'object' }),
    execute: ({ path }) => `${path}: ${words(path.length, 100)}`,
  }),
};

function loop(): SetUp {
  return setUp({ contextLength }, { inner: toolLoopModel({ steps: 20 }) });
}

/** The messages of all steps: those of AI SDK 6 are in the response, where AI SDK 7 keeps the last one's. */
function messagesOf(result: {
  readonly response: { readonly messages: ModelMessage[] };
  readonly responseMessages?: ModelMessage[];
}): ModelMessage[] {
  return result.responseMessages ?? result.response.messages;
}

describe('a loop of tools that outgrows the limit', () => {
  it.each<[string, (call: { model: SetUp['model'] }) => Promise<unknown>]>([
    [
      'generateText',
      ({ model }) => generateText({ model, tools, prompt: 'Read.', stopWhen: isStepCount(30) }),
    ],
    [
      'streamText',
      ({ model }) =>
        Promise.resolve(
          streamText({ model, tools, prompt: 'Read.', stopWhen: isStepCount(30) }).text,
        ),
    ],
    [
      'ToolLoopAgent',
      ({ model }) =>
        new ToolLoopAgent({ model, tools, stopWhen: isStepCount(30) }).generate({
          prompt: 'Read.',
        }),
    ],
  ])('stays below it, and pays each summary once: %s', async (_name, run) => {
    const { inner, summarizer, events, model } = loop();
    await run({ model });
    const prompts = promptsOf(inner);
    expect(prompts).toHaveLength(21);
    for (const prompt of prompts) {
      const { total } = await countPromptTokens({ messages: prompt });
      expect(total).toBeLessThanOrEqual(contextLength);
    }
    const ends = events.filter(({ type }) => type === 'end');
    expect(ends.length).toBeGreaterThan(1);
    expect(summarizer.doGenerateCalls).toHaveLength(ends.length);
  });

  it('is continued by the next request without paying again', async () => {
    const { inner, summarizer, model } = loop();
    const first = [user('Read.')];
    const result = await generateText({ model, tools, messages: first, stopWhen: isStepCount(30) });
    const paid = summarizer.doGenerateCalls.length;
    const messages = [...first, ...messagesOf(result), user('Thanks.')];
    expect(messages.length).toBeGreaterThan(40);
    await generateText({ model, tools, messages });
    expect(summarizer.doGenerateCalls).toHaveLength(paid);
    expect(summaryOf(lastPrompt(inner))).toContain('They spoke of rivers.');
  });
});
