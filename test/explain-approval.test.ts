import {
  generateText,
  isStepCount,
  type ModelMessage,
  tool,
  type ToolApprovalResponse,
  type ToolSet,
} from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  countPromptTokens,
  explainSummarization,
  listSummaries,
  memoryStore,
} from '../src/index.ts';
import { chat, user } from './support/messages.ts';
import { chatModel } from './support/models.ts';
import { setUp } from './support/set-up.ts';
import { callOf, contentModel } from './support/tool-loop-model.ts';

let runs = 0;

/** A tool whose calls are approved first, and whose schema makes another input of what the model wrote. */
const tools: ToolSet = {
  remove_file: tool({
    inputSchema: z.object({ path: z.string().transform((path) => path.trim()) }),
    execute: () => {
      runs += 1;
      return '';
    },
  }),
};

/** A history in which a model asked for approval of two calls, as the AI SDK writes it, and the user's answer. */
async function decided(before: ModelMessage[], approved: boolean): Promise<ModelMessage[]> {
  const model = contentModel(() =>
    ['a', 'b'].map((path) => callOf(path, 'remove_file', { path: ` ${path}.ts ` })),
  );
  const messages = [...before, user('Remove both.')];
  const toolApproval = { remove_file: 'user-approval' } as const;
  const stopWhen = isStepCount(1);
  const asked = await generateText({ model, tools, messages, toolApproval, stopWhen });
  const responses = asked.content
    .filter((part) => part.type === 'tool-approval-request')
    .map(({ approvalId }): ToolApprovalResponse => ({
      type: 'tool-approval-response',
      approvalId,
      approved,
      reason: 'as you think',
    }));
  expect(responses).toHaveLength(2);
  return [...messages, ...asked.response.messages, { role: 'tool', content: responses }];
}

describe('a conversation whose last message answers a request for approval', () => {
  it.each([
    ['approval, nothing to do', 3, true],
    ['denial, nothing to do', 3, false],
    ['approval, a summary', 19, true],
    ['denial, a summary', 19, false],
  ])('is explained as generateText sends it: %s', async (_name, count, approved) => {
    const messages = await decided(chat(count), approved);
    const store = memoryStore();
    const options = { contextLength: 1000, store };
    const given = { messages, tools, model: chatModel() };
    runs = 0;
    const explained = await explainSummarization({ ...given, options });
    const counted = await countPromptTokens(given);
    expect(runs).toBe(0);

    const { events, inner, model } = setUp(options);
    await generateText({ model, tools, messages });
    expect(runs).toBe(approved ? 2 : 0);
    const [check, sent] = [
      events.find((event) => event.type === 'check'),
      inner.doGenerateCalls[0],
    ];
    const { act, reason, tokens } = explained;
    expect(check).toMatchObject({ act, reason });
    // It counts; a call that is far from the trigger estimates.
    const difference = Math.abs((check?.tokens ?? 0) / tokens - 1);
    expect(difference).toBeLessThan(act === 'none' ? 0.2 : Number.EPSILON);
    const end = events.find((event) => event.type === 'end');
    expect(end?.coveredMessages).toBe(explained.plan?.coveredMessages);
    expect(counted.perMessage).toHaveLength(explained.messageCount);
    expect(sent?.prompt.at(-1)).toMatchObject({ role: 'tool' });
    expect(sent?.prompt.at(-1)?.content).toHaveLength(2);

    const records = await listSummaries({ messages, store });
    expect(records).toHaveLength(end === undefined ? 0 : 1);
  });
});
