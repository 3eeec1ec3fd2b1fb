import {
  generateText,
  isStepCount,
  type ModelMessage,
  tool,
  type ToolApprovalResponse,
  type ToolSet,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  countPromptTokens,
  explainSummarization,
  listSummaries,
  memoryStore,
  ruleBasedStrategy,
  type SummarizationOptions,
} from '../src/index.ts';
import { assistant, chat, toolStep, user, words } from './support/messages.ts';
import { chatModel, textResult } from './support/models.ts';
import { setUp } from './support/set-up.ts';

const shared = { contextLength: 1000, store: memoryStore() };

describe('explainSummarization', () => {
  it('says that nothing would be done, and why', async () => {
    const explanation = await explainSummarization({
      prompt: chat(5),
      model: chatModel(),
      options: shared,
    });
    expect(explanation).toMatchObject({
      act: 'none',
      reason: 'below-trigger',
      messageCount: 5,
      contextLength: 1000,
    });
    expect(explanation.plan).toBeUndefined();
  });

  it('says what would be covered, what kept and what read, as the middleware then does it', async () => {
    const messages = chat(19);
    const inner = chatModel();
    const before = await explainSummarization({ messages, model: inner, options: shared });
    expect(before).toMatchObject({
      act: 'summarize',
      reason: 'token-ratio',
      plan: { maxSummaryTokens: 100 },
    });
    const { events, model } = setUp(shared, { inner });
    await generateText({ model, messages });
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'end',
        coveredMessages: before.plan?.coveredMessages,
        tokensBefore: before.tokens,
      }),
    );
    expect((before.plan?.coveredMessages ?? 0) + (before.plan?.tailMessages ?? 0)).toBe(19);

    const after = await explainSummarization({
      messages: [...messages, assistant('Yes.'), user('So?')],
      model: inner,
      options: shared,
    });
    expect(after).toMatchObject({
      act: 'none',
      applied: { depth: 0, coveredMessages: before.plan?.coveredMessages },
      lastSummarization: { depth: 0, messageCount: 19 },
    });
    expect(after.tokens).toBeLessThan(before.tokens);
  });

  it('has no side effect: no model is called, nothing is stored', async () => {
    const store = memoryStore();
    const writes: string[] = [];
    const inner = chatModel();
    const spied = {
      ...store,
      compareAndSet: async (...given: Parameters<typeof store.compareAndSet>) => {
        writes.push(given[0]);
        return store.compareAndSet(...given);
      },
    };
    await explainSummarization({
      messages: chat(31),
      model: inner,
      options: { contextLength: 1000, store: spied },
    });
    expect(writes).toEqual([]);
    expect(inner.doGenerateCalls).toHaveLength(0);
  });
});

const read = [
  user('Read it all.'),
  ...toolStep('a', words(1, 600)),
  ...toolStep('b', words(2, 20)),
  ...chat(10, 5),
  user('And?'),
];

/** What the events of a call say was done about it. */
async function done(all: SummarizationOptions, messages: ModelMessage[]): Promise<unknown> {
  const { events, model } = setUp(all);
  await generateText({ model, messages }).catch(() => {});
  const ended = events.find((event) => event.type === 'end');
  const skipped = events.find((event) => event.type === 'skipped');
  const check = events.find((event) => event.type === 'check');
  const isCondensed = skipped?.reason === 'condensed';
  const isMade = ended !== undefined || events.some(({ type }) => type === 'recovered');
  const given = check?.act === 'emergency' || isMade ? check?.act : 'none';
  return {
    act: isCondensed ? 'condense' : given,
    reason: isCondensed ? check?.reason : (skipped?.reason ?? check?.reason),
    coveredMessages: ended?.coveredMessages,
  };
}

const cases: readonly [string, string, SummarizationOptions, ModelMessage[]][] = [
  ['a short conversation', 'none below-trigger', {}, chat(5)],
  ['a long one', 'summarize token-ratio', {}, chat(19)],
  ['one that does not fit', 'emergency context-overflow', {}, chat(31)],
  ['nobody who summarises', 'none no-strategy', { strategy: 'none' }, chat(19)],
  ['nobody, and too much', 'emergency no-strategy', { strategy: 'none' }, chat(31)],
  ['too few messages', 'none min-messages', { minMessages: 30 }, chat(19)],
  ['tool results to condense', 'condense token-ratio', { condenseToolResults: true }, read],
  ['tool results to summarise', 'summarize token-ratio', {}, read],
  ['little to condense', 'summarize token-ratio', { condenseToolResults: true }, chat(19)],
  ['nothing but a tail', 'none nothing-to-cover', { minMessages: 1 }, [user(words(1, 820))]],
  [
    'extractors of the caller',
    'condense token-ratio',
    {
      condenseToolResults: true,
      strategy: ruleBasedStrategy({
        extractors: {
          read_file: () => ({ toolName: 'x', status: 'success', keyFacts: [], metadata: {} }),
        },
      }),
    },
    read,
  ],
];

describe('what is explained', () => {
  it.each(cases)('is what happens with %s: %s', async (_name, expected, given, messages) => {
    const all = { contextLength: 1000, store: memoryStore(), ...given };
    const { act, reason, plan } = await explainSummarization({
      messages,
      model: chatModel(),
      options: all,
    });
    expect(`${act} ${reason}`).toBe(expected);
    const coveredMessages = plan?.coveredMessages;
    expect(await done(all, messages)).toEqual({ act, reason, coveredMessages });
  });

  it.each([
    ['none', 9],
    ['emergency', 31],
  ])('is what happens where no more summaries are made: %s', async (act, more) => {
    const store = memoryStore();
    const all: SummarizationOptions = {
      contextLength: 1000,
      store,
      maxSummaryChainDepth: 0,
      atMaxDepth: 'halt',
    };
    const history = chat(19);
    await generateText({ model: setUp(all).model, messages: history });
    const messages = [...history, assistant('Yes.'), ...chat(more)];
    const explained = await explainSummarization({ messages, model: chatModel(), options: all });
    expect(explained).toMatchObject({ act, reason: 'max-depth', plan: undefined });
    expect(await done(all, messages)).toEqual({
      act,
      reason: 'max-depth',
      coveredMessages: undefined,
    });
  });
});

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

/** A history in which a model asked for approval of two calls, as the AI SDK writes it. */
async function asked(before: readonly ModelMessage[]): Promise<ModelMessage[]> {
  const model = new MockLanguageModelV4({
    doGenerate: async () => ({
      content: ['a', 'b'].map((path) => ({
        type: 'tool-call',
        toolCallId: path,
        toolName: 'remove_file',
        input: JSON.stringify({ path: ` ${path}.ts ` }),
      })),
      finishReason: { unified: 'tool-calls', raw: 'tool-calls' },
      usage: textResult('').usage,
      warnings: [],
    }),
  });
  const messages = [...before, user('Remove both.')];
  const { response } = await generateText({
    model,
    tools,
    messages,
    toolApproval: { remove_file: 'user-approval' },
    stopWhen: isStepCount(1),
  });
  return [...messages, ...response.messages];
}

/** The history with what the user decided. */
async function decided(
  before: readonly ModelMessage[],
  approved: boolean,
): Promise<ModelMessage[]> {
  const history = await asked(before);
  const responses = history
    .flatMap(({ role, content }) =>
      role === 'assistant' && typeof content !== 'string' ? content : [],
    )
    .filter((part) => part.type === 'tool-approval-request')
    .map(({ approvalId }): ToolApprovalResponse => ({
      type: 'tool-approval-response',
      approvalId,
      approved,
      reason: 'as you think',
    }));
  expect(responses).toHaveLength(2);
  return [...history, { role: 'tool', content: responses }];
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
    const [check, sent] = [events.find(({ type }) => type === 'check'), inner.doGenerateCalls[0]];
    expect(check).toMatchObject({
      act: explained.act,
      reason: explained.reason,
      tokens: explained.tokens,
    });
    const end = events.find((event) => event.type === 'end');
    expect(end?.coveredMessages).toBe(explained.plan?.coveredMessages);
    expect(counted.perMessage).toHaveLength(explained.messageCount);
    expect(sent?.prompt.at(-1)).toMatchObject({ role: 'tool' });
    expect(sent?.prompt.at(-1)?.content).toHaveLength(2);

    const records = await listSummaries({ messages, store });
    expect(records).toHaveLength(end === undefined ? 0 : 1);
  });

  it('is refused as generateText refuses it where the approval belongs to no request', async () => {
    const messages = (await decided(chat(3), true)).filter(({ role }) => role !== 'assistant');
    const refusal = { name: 'AI_InvalidToolApprovalError' };
    await expect(generateText({ model: chatModel(), tools, messages })).rejects.toMatchObject(
      refusal,
    );
    await expect(
      explainSummarization({ messages, tools, model: chatModel() }),
    ).rejects.toMatchObject(refusal);
  });

  it('is refused while the user has decided nothing', async () => {
    const messages = await asked(chat(3));
    const refusal = { name: 'AI_MissingToolResultsError' };
    await expect(generateText({ model: chatModel(), tools, messages })).rejects.toMatchObject(
      refusal,
    );
    await expect(
      explainSummarization({ messages, tools, model: chatModel() }),
    ).rejects.toMatchObject(refusal);
  });
});
