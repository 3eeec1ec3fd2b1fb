import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  type ModelMessage,
  readUIMessageStream,
  streamText,
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

describe('the next request of a conversation', () => {
  it('costs no summary and extends the prompt before it byte for byte', async () => {
    const { inner, summarizer, model } = await called(messages);
    await generateText({ model, messages: nextRequest(messages) });
    const [first = [], second = []] = promptsOf(inner);
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(JSON.stringify(second.slice(0, first.length))).toBe(JSON.stringify(first));
    expect(second.slice(first.length).map(textOf)).toEqual(['Fine.', 'Go on.']);
  });

  it('is recognized under a new date, other cache breakpoints and fresh provider options', async () => {
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

  it('is recognized after its way through useChat, with a summary from inside the tool loop', async () => {
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
