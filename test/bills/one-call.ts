import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import type { MockLanguageModelV4 } from 'ai/test';
import { expect } from 'vitest';
import {
  contextLengthOf,
  countPromptTokens,
  explainSummarization,
  summarizationMiddleware,
  type SummarizationEvent,
} from '../../src/index.ts';
import {
  asksForSummary,
  conversationOf,
  sentText,
  tableModel,
  type Shape,
} from '../support/table-models.ts';

/** Tokens of instructions, schema and the frame of a request, and of the short record before it. */
const mostAroundTokens = 1800;

/** What is read may be so much more than what it stands for: JSON is around it. */
const mostReadShare = 1.1;

/** Tries at a conversation of the right size, and the share by which one that is too short grows. */
const mostTries = 5;
const leastStep = 0.01;

export const ratios: readonly number[] = [0.81, 0.95, 1.02];
export const shapes: readonly Shape[] = ['chat', 'tools', 'huge'];

/** A model of the table of context lengths, which says nothing of what it has read. */
export function modelOf(modelId: string): MockLanguageModelV4 {
  return tableModel({ provider: 'test', modelId });
}

/** A summary of a conversation, and what it took. */
export interface Bill {
  readonly calls: number;
  /** Tokens that the summarising calls read, and of the messages that the record stands for, as o200k counts them. */
  readonly read: number;
  readonly covered: number;
  readonly end: Extract<SummarizationEvent, { readonly type: 'end' }>;
  /** The model of the conversation. */
  readonly inner: MockLanguageModelV4;
}

/** What is sent, and by whom it is summarised. */
export interface BillQuestion {
  readonly modelId: string;
  /** @default the model itself */
  readonly summarizerId?: string;
  /** @default 'chat' */
  readonly shape?: Shape;
  /** Share of what the model accepts that the conversation takes. */
  readonly ratio?: number;
  /** @default a conversation of the shape and the share */
  readonly messages?: readonly ModelMessage[];
  /** Whether the model says how much it has read: half of the conversation has then been sent before. */
  readonly isReported?: boolean;
}

/** Sends a conversation through the first example of the README: no option but who summarises. */
export async function billOf({
  modelId,
  summarizerId,
  shape = 'chat',
  ratio = 0.81,
  messages: given,
  isReported = false,
}: BillQuestion): Promise<Bill> {
  const messages = given ?? (await conversationFor(modelOf(modelId), shape, ratio));
  const factor = isReported ? await tokensOfOne(modelOf(modelId), messages) : 0;
  const inner = tableModel({ provider: 'test', modelId }, async (options) =>
    isReported ? Math.ceil(factor * (await tokensIn([asMessage(options)]))) : undefined,
  );
  const summarizer = summarizerId === undefined ? inner : modelOf(summarizerId);
  const events: SummarizationEvent[] = [];
  const middleware = summarizationMiddleware({
    onEvent: (event) => void events.push(event),
    ...(summarizerId === undefined ? {} : { summarizerModelPreference: summarizer }),
  });
  const model = wrapLanguageModel({ model: inner, middleware });
  if (isReported)
    await generateText({
      model,
      messages: messages.slice(0, 2 * Math.floor(messages.length / 4) + 1),
    });
  await generateText({ model, messages: [...messages] });
  const end = events.find((event) => event.type === 'end');
  if (end === undefined) throw new Error('Nothing was summarised.');
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
export function expectFairBill({ calls, read, covered, end }: Bill): void {
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

/** Tokens of a model for one of o200k, before it has reported any. */
async function tokensOfOne(
  model: MockLanguageModelV4,
  messages: readonly ModelMessage[],
): Promise<number> {
  const { tokens } = await explainSummarization({ model, messages: [...messages] });
  return tokens / (await tokensIn(messages));
}

function asMessage(options: Parameters<typeof sentText>[0]): ModelMessage {
  return { role: 'user', content: sentText(options) };
}

async function tokensIn(messages: readonly ModelMessage[]): Promise<number> {
  return (await countPromptTokens({ messages: [...messages] })).total;
}
