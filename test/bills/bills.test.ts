import { generateText, type ModelMessage, wrapLanguageModel } from 'ai';
import type { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import {
  contextLengthOf,
  countPromptTokens,
  explainSummarization,
  type SummarizationEvent,
  summarizationMiddleware,
  type SummarizationOptions,
} from '../../src/index.ts';
import {
  asksForSummary,
  conversationOf,
  sentText,
  type Shape,
  tableModel,
} from '../support/table-models.ts';

/** Tokens of instructions, schema and the frame of a request, and of the short record before it. */
const mostAroundTokens = 1800;

/** What is read may be so much more than what it stands for: JSON is around it. */
const mostReadShare = 1.1;

/** Tries at a conversation of the right size, and the share by which one that is too short grows. */
const mostTries = 5;
const leastStep = 0.01;

/** A model of the table of context lengths, which says nothing of what it has read. */
function modelOf(modelId: string): MockLanguageModelV4 {
  return tableModel({ provider: 'test', modelId });
}

/** A summary of a conversation, and what it took. */
interface Bill {
  readonly calls: number;
  /** Tokens that the summarizing calls read, and of the messages that the record stands for, as o200k counts them. */
  readonly read: number;
  readonly covered: number;
  readonly end: Extract<SummarizationEvent, { readonly type: 'end' }>;
  /** The model of the conversation. */
  readonly inner: MockLanguageModelV4;
}

/** What is sent, and by whom it is summarized. */
interface BillQuestion {
  readonly modelId: string;
  /** @default the model itself */
  readonly summarizerId?: string;
  /** @default 'chat' */
  readonly shape?: Shape;
  /** Share of what the model accepts that the conversation takes. */
  readonly ratio?: number;
}

/** Sends a conversation through the first example of the README: no option but who summarizes. */
async function billOf({
  modelId,
  summarizerId,
  shape = 'chat',
  ratio = 0.81,
}: BillQuestion): Promise<Bill> {
  const messages = await conversationFor(modelOf(modelId), shape, ratio);
  const inner = modelOf(modelId);
  const summarizer = summarizerId === undefined ? inner : modelOf(summarizerId);
  const events: SummarizationEvent[] = [];
  const middleware = summarizationMiddleware({
    onEvent: (event) => void events.push(event),
    ...(summarizerId === undefined ? {} : { summarizerModelPreference: summarizer }),
  });
  const model = wrapLanguageModel({ model: inner, middleware });
  await generateText({ model, messages: [...messages] });
  const end = events.find((event) => event.type === 'end');
  if (end === undefined) throw new Error('Nothing was summarized.');
  const asked = summarizer.doGenerateCalls.filter(asksForSummary);
  return {
    calls: asked.length,
    read: await tokensIn(asked.map(asMessage)),
    covered: await tokensIn(messages.slice(0, end.coveredMessages)),
    end,
    inner,
  };
}

/** Expects that a model wrote the record and read hardly more than it stands for. */
function expectFairBill({ calls, read, covered, end }: Bill): void {
  expect(end).toMatchObject({ strategy: 'llm', degraded: false });
  expect(end.record.summary).toContain('They read the files.');
  expect(read).toBeLessThanOrEqual(mostReadShare * covered + calls * mostAroundTokens);
}

/** A conversation that takes a share of what a model accepts, as the middleware counts it. */
async function conversationFor(
  model: MockLanguageModelV4,
  shape: Shape,
  ratio: number,
): Promise<readonly ModelMessage[]> {
  let tokens = ratio * contextLengthOf(model).contextLength;
  let messages = conversationOf(shape, tokens);
  // In whole messages: a little more until it is enough.
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { ratio: found } = await explainSummarization({ model, messages });
    if (tries > 0 && found >= ratio) break;
    tokens *= ratio / found + (tries > 0 ? leastStep : 0);
    messages = conversationOf(shape, tokens);
  }
  return messages;
}

function asMessage(options: Parameters<typeof sentText>[0]): ModelMessage {
  return { role: 'user', content: sentText(options) };
}

async function tokensIn(messages: readonly ModelMessage[]): Promise<number> {
  return (await countPromptTokens({ messages: [...messages] })).total;
}

describe('the first example: the model summarizes itself', () => {
  // Instructions take a good part of a small window.
  it.each([
    ['gpt-4o', 0.81, 'chat', 1],
    ['gpt-3.5-turbo', 0.95, 'tools', 1],
    ['gpt-4', 1.02, 'huge', 3],
    ['llama-2', 0.81, 'chat', 4],
    ['deepseek-chat', 0.81, 'chat', 1],
    ['llama-3.3-70b', 0.95, 'chat', 1],
  ] as const)('%s at %f of its window, as %s: %i at most', async (modelId, ratio, shape, most) => {
    const bill = await billOf({ modelId, ratio, shape });
    expectFairBill(bill);
    expect(bill.calls).toBeLessThanOrEqual(most);
  });

  it('no request is longer than the option says, whatever the table knows of the model', async () => {
    const inner = modelOf('gpt-4o');
    const messages = conversationOf('chat', 40_000);
    const middleware = summarizationMiddleware({ contextLength: 16_000 });
    await generateText({ model: wrapLanguageModel({ model: inner, middleware }), messages });
    const requests = inner.doGenerateCalls.filter(asksForSummary);
    const sizes = await Promise.all(requests.map(async (call) => tokensIn([asMessage(call)])));
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThan(16_000);
  });

  it('no request asks for an answer that does not fit beside it, of ids either', async () => {
    const inner = modelOf('gpt-4o');
    const idOf = (number: number): string => {
      const digits = ((number * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0');
      return `${digits}-3f1a-4b6e-9d2c-${digits}7c05`;
    };
    const ids = (at: number): string =>
      Array.from({ length: 12 }, (_, index) => idOf(12 * at + index + 1)).join(' ');
    const messages = Array.from({ length: 41 }, (_, index): ModelMessage => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: ids(index),
    }));
    const middleware = summarizationMiddleware({ contextLength: 16_000 });
    const model = wrapLanguageModel({ model: inner, middleware });
    const providerOptions = { summarization: { force: true } };
    await generateText({ model, messages, providerOptions });
    for (const call of inner.doGenerateCalls.filter(asksForSummary)) {
      const read = await tokensIn([asMessage(call)]);
      expect(read + (call.maxOutputTokens ?? 0)).toBeLessThanOrEqual(16_000);
    }
  });

  it('one call of a model with room for them, whose answer is bounded', async () => {
    const bill = await billOf({ modelId: 'claude-sonnet-4-5' });
    expectFairBill(bill);
    expect(bill.calls).toBe(1);
    // That is not left to the provider's own default.
    const asked = bill.inner.doGenerateCalls.filter(asksForSummary);
    expect(asked.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([8000]);
  });
});

describe('another model summarizes', () => {
  it('as few calls of a smaller one as its window allows', async () => {
    const bill = await billOf({ modelId: 'gpt-4o', summarizerId: 'gpt-4-32k' });
    expectFairBill(bill);
    expect(bill.calls).toBe(Math.ceil(bill.covered / 26_000));
  });

  it('no more than eight calls of one that is far too small: the rules read the beginning', async () => {
    const bill = await billOf({ modelId: 'gpt-4o', summarizerId: 'gpt-4' });
    expectFairBill(bill);
    expect(bill.calls).toBeGreaterThan(5);
    expect(bill.calls).toBeLessThanOrEqual(8);
    expect(bill.read).toBeLessThan(8 * 8192);
  });
});

const messages = conversationOf('chat', 104_000);
/** A summarizer that needs several calls for it, and one that needs one. */
const small = (): ReturnType<typeof modelOf> =>
  tableModel({ provider: 'test', modelId: 'gpt-4-32k' }, async (options) =>
    Math.ceil(sentText(options).length / 6.2),
  );

async function summarize(options: SummarizationOptions) {
  const events: SummarizationEvent[] = [];
  const middleware = summarizationMiddleware({
    onEvent: (event) => void events.push(event),
    ...options,
  });
  const model = modelOf('gpt-4o');
  const wrapped = wrapLanguageModel({ model, middleware });
  const { providerMetadata } = await generateText({ model: wrapped, messages });
  const end = events.find((event) => event.type === 'end');
  return { end, events, middleware, metadata: providerMetadata?.['summarization'] };
}

describe('calls and tokens of summarizing models', () => {
  it('are said before paying, and when they are paid', async () => {
    const summarizer = small();
    const options = { summarizerModelPreference: summarizer };
    const { plan } = await explainSummarization({ model: modelOf('gpt-4o'), messages, options });
    const { end, events, middleware, metadata } = await summarize(options);
    const calls = summarizer.doGenerateCalls.filter(asksForSummary).length;
    expect(calls).toBeGreaterThan(2);
    expect(end).toMatchObject({ calls, strategy: 'llm' });
    const progress = events.filter(({ type }) => type === 'progress');
    expect(progress).toHaveLength(calls);
    expect(progress[1]).toMatchObject({ strategy: 'llm', layer: 1, completed: 2, total: calls });
    const { inputTokens = 0, outputTokens = 0 } = end?.usage ?? {};
    expect(inputTokens).toBeGreaterThan(plan?.summarizerInputTokens ?? Infinity);
    expect(inputTokens).toBeLessThan(1.2 * (plan?.summarizerInputTokens ?? 0));
    expect(metadata).toMatchObject({ summarizer: { calls, inputTokens, outputTokens } });
    expect(middleware.stats()).toMatchObject({ calls, tokensBilled: inputTokens + outputTokens });
  });
});

describe('maxSummaryCallsPerHour', () => {
  it('bounds the calls of one summary: the rules read what they cannot', async () => {
    const summarizer = small();
    const options = {
      summarizerModelPreference: summarizer,
      maxSummaryCallsPerHour: 2,
      namespace: 'bounded',
    };
    const { end } = await summarize(options);
    expect(summarizer.doGenerateCalls).toHaveLength(2);
    expect(end).toMatchObject({ calls: 2, strategy: 'llm', degraded: false });
  });

  it('counts every call of a summary, not the summary', async () => {
    const summarizer = small();
    const middleware = summarizationMiddleware({
      summarizerModelPreference: summarizer,
      maxSummaryCallsPerHour: 5,
      namespace: 'counted',
    });
    const model = wrapLanguageModel({ model: modelOf('gpt-4o'), middleware });
    for (const text of ['One.', 'Two.', 'Three.'])
      await generateText({ model, messages: [{ role: 'user', content: text }, ...messages] });
    expect(summarizer.doGenerateCalls).toHaveLength(5);
    expect(middleware.stats()).toMatchObject({ summaries: 3, fallbacks: 1 });
  });
});
