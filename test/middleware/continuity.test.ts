import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  type JSONValue,
  type ModelMessage,
  readUIMessageStream,
  streamText,
  type ToolResultPart,
  type UIMessage,
} from 'ai';
import { describe, expect, it } from 'vitest';
import {
  explainSummarization,
  listSummaries,
  memoryStore,
  type SummarizationOptions,
} from '../../src/index.ts';
import { assistant, chat, user, words } from '../support/messages.ts';
import { answer, chatModel, summarizerModel } from '../support/models.ts';
import { lastPrompt, promptsOf, shapeOf, summaryOf, textOf } from '../support/prompts.ts';
import { called, setUp } from '../support/set-up.ts';
import { loopTools, toolLoopModel } from '../support/tool-loop-model.ts';

const messages = chat(19);

/** A later request of the same conversation: fresh objects and one more turn. */
function nextRequest(history: readonly ModelMessage[]): ModelMessage[] {
  return structuredClone([...history, assistant('Fine.'), user('Go on.')]);
}

type Output = ToolResultPart['output'];
const named = (toolCallId: string) => ({ toolCallId, toolName: 'read_file' });

/** A step with one call for each input, and the results in an order of theirs. */
function step(
  inputs: Readonly<Record<string, unknown>>,
  outputs: Readonly<Record<string, Output>>,
): ModelMessage[] {
  return [
    {
      role: 'assistant',
      content: Object.entries(inputs).map(([id, input]) => ({
        type: 'tool-call',
        ...named(id),
        input,
      })),
    },
    {
      role: 'tool',
      content: Object.entries(outputs).map(([id, output]) => ({
        type: 'tool-result',
        ...named(id),
        output,
      })),
    },
  ];
}

function textOutput(value: string): Output {
  return { type: 'text', value };
}

/** A call of a tool that the provider runs, which fails. */
function failedCall(value: JSONValue): ModelMessage[] {
  return [
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', ...named('a'), input: {}, providerExecuted: true },
        { type: 'tool-result', ...named('a'), output: { type: 'error-json', value } },
      ],
    },
  ];
}

const unreadable = '{"path": ';
const notRead: Output = {
  type: 'error-text',
  value: `Invalid input for tool read_file: JSON parsing failed: Text: ${unreadable}.`,
};

/** What the SDK sends within a tool loop, and what it makes of the same after its way through a client. */
const returned = [
  {
    name: 'the input of a call that nobody could read comes back as a text',
    inLoop: step({ a: {} }, { a: notRead }),
    fromClient: step({ a: unreadable }, { a: notRead }),
  },
  {
    name: 'a result that had to be approved came after another one',
    inLoop: step({ a: {}, b: {} }, { b: textOutput('b'), a: textOutput('a') }),
    fromClient: step({ a: {}, b: {} }, { a: textOutput('a'), b: textOutput('b') }),
  },
  {
    name: 'a call was denied',
    inLoop: step({ a: {} }, { a: { type: 'execution-denied', reason: 'No.' } }),
    fromClient: step({ a: {} }, { a: { type: 'error-text', value: 'No.' } }),
  },
  {
    name: 'the error of a tool that the provider runs comes back as a text',
    inLoop: failedCall({ code: 'max_uses_exceeded' }),
    fromClient: failedCall('{"code":"max_uses_exceeded"}'),
  },
];

describe('the next request of a conversation', () => {
  it('costs no summary and extends the prompt before it byte for byte', async () => {
    const { inner, summarizer, model } = await called(messages);
    await generateText({ model, messages: nextRequest(messages) });
    const [first = [], second = []] = promptsOf(inner);
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(JSON.stringify(second.slice(0, first.length))).toBe(JSON.stringify(first));
    expect(second.slice(first.length).map(textOf)).toEqual(['Fine.', 'Go on.']);
  });

  it('is recognised under a new date, other cache breakpoints and fresh provider options', async () => {
    const { inner, summarizer, model } = setUp(
      {},
      { inner: chatModel({ provider: 'anthropic.messages' }) },
    );
    const marked = structuredClone(messages);
    const breakpoint = { anthropic: { cacheControl: { type: 'ephemeral' } } };
    for (const index of [0, 4]) Object.assign(marked[index] ?? {}, { providerOptions: breakpoint });
    await generateText({ model, instructions: 'Today is Monday.', messages: marked });
    const later = nextRequest(messages).map((message, index) => ({
      ...message,
      providerOptions: index === 20 ? breakpoint : { openai: { itemId: `msg_${index}` } },
    }));
    await generateText({ model, instructions: 'Today is Tuesday.', messages: later });
    const [first = [], second = []] = promptsOf(inner);
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(textOf(second[0])).toBe('Today is Tuesday.');
    expect(second.slice(1, first.length).map(textOf)).toEqual(first.slice(1).map(textOf));
  });

  it('is not mistaken when an early message was edited', async () => {
    const { inner, summarizer, model } = await called(
      messages,
      {},
      { summarizer: summarizerModel(answer({ summary: 'One.' }), answer({ summary: 'Two.' })) },
    );
    const edited = nextRequest(messages);
    edited[2] = user(`A different question: ${words(2, 40)}`);
    await generateText({ model, messages: edited });
    expect(summarizer.doGenerateCalls).toHaveLength(2);
    expect(promptsOf(inner).map((prompt) => summaryOf(prompt)?.match(/One|Two/)?.[0])).toEqual([
      'One',
      'Two',
    ]);
    await generateText({ model, messages: nextRequest(messages) });
    expect(summarizer.doGenerateCalls).toHaveLength(2);
    expect(summaryOf(promptsOf(inner)[2] ?? [])).toContain('One');
  });

  it.each(returned)('is recognised although $name', async ({ inLoop, fromClient }) => {
    const { summarizer, model } = setUp();
    const around = (between: readonly ModelMessage[]): ModelMessage[] => [
      user('Read it.'),
      ...between,
      assistant('That is all.'),
      ...messages,
    ];
    await generateText({ model, messages: around(inLoop) });
    await generateText({ model, messages: nextRequest(around(fromClient)) });
    expect(summarizer.doGenerateCalls).toHaveLength(1);
  });

  it('is recognised after its way through useChat, with a summary from inside the tool loop', async () => {
    const inner = toolLoopModel({ steps: 20, reasoning: true });
    const { summarizer, model } = setUp({ contextLength: 2500 }, { inner });
    const tools = loopTools;
    const question: UIMessage = {
      id: 'u1',
      role: 'user',
      parts: [{ type: 'text', text: 'Read everything.' }],
    };
    const result = streamText({
      model,
      tools,
      messages: await convertToModelMessages([question]),
      stopWhen: isStepCount(30),
    });
    let reply: UIMessage | undefined;
    for await (const message of readUIMessageStream({
      stream: result.toUIMessageStream({ sendReasoning: false }),
    }))
      reply = message;
    const paid = summarizer.doGenerateCalls.length;
    expect(paid).toBeGreaterThan(0);

    const sent = JSON.stringify([
      question,
      reply,
      { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'Thanks.' }] },
    ]);
    const history: UIMessage[] = JSON.parse(sent);
    await generateText({ model, tools, messages: await convertToModelMessages(history) });
    expect(summarizer.doGenerateCalls).toHaveLength(paid);
    const last: LanguageModelV4Prompt = inner.doGenerateCalls.at(-1)?.prompt ?? [];
    const before: LanguageModelV4Prompt = inner.doStreamCalls.at(-1)?.prompt ?? [];
    expect(summaryOf(last)).toBe(summaryOf(before));
    expect(shapeOf(last)).toBe(`${shapeOf(before)}au`);
  });
});

const byHeader: SummarizationOptions['conversationId'] = ({ headers }) => headers?.['x-thread-id'];

/** The last messages of a conversation. */
const windowOf = (length: number): ModelMessage[] => chat(length).slice(-21);

describe('the option conversationId', () => {
  it('says of each call which conversation it is of, so that windows find their summaries', async () => {
    const store = memoryStore();
    const { model, summarizer, inner, events } = setUp({ store, conversationId: byHeader });
    const headers = { 'x-thread-id': 'thread 1' };
    for (let length = 21; length < 61; length += 2) {
      await generateText({ model, messages: windowOf(length), headers });
      expect(summaryOf(lastPrompt(inner))).toBeDefined();
    }
    expect(summarizer.doGenerateCalls.length).toBeLessThan(8);
    expect(new Set(events.map(({ conversationId }) => conversationId))).toEqual(
      new Set(['thread 1']),
    );
    const known = await listSummaries({ store, conversationId: 'thread 1' });
    expect(known.length).toBeGreaterThan(0);
    const options = { contextLength: 1000, store, conversationId: byHeader };
    const call = { model: inner, options, messages: windowOf(59) };
    expect((await explainSummarization({ ...call, headers })).applied).toBeDefined();
    expect((await explainSummarization(call)).applied).toBeUndefined();
  });

  it('is a text for a middleware of one conversation, and gives way to what a call says', async () => {
    const store = memoryStore();
    const { model } = await called(chat(21), { store, conversationId: 'one' });
    const summarization = { conversationId: 'other' };
    await generateText({ model, messages: chat(23), providerOptions: { summarization } });
    for (const conversationId of ['one', 'other'])
      expect(await listSummaries({ store, conversationId })).toHaveLength(1);
  });

  it.each([
    ['throws', (): string => JSON.parse('{')],
    ['gives a number', (): string => JSON.parse('7')],
  ])('counts as none where it %s, which an event says', async (_what, conversationId) => {
    const { inner, events } = await called(chat(21), { conversationId });
    expect(summaryOf(lastPrompt(inner))).toBeDefined();
    const failed = events.filter((event) => event.type === 'failed');
    expect(failed).toMatchObject([{ stage: 'conversationId' }]);
  });
});
