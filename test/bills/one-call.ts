import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import type { MockLanguageModelV4 } from 'ai/test';
import { expect } from 'vitest';
import {
  countPromptTokens,
  summarizationMiddleware,
  type SummarizationEvent,
  type SummarizationOptions,
} from '../../src/index.ts';
import { modelFamilies } from '../../src/tokens/context-lengths/model-families.ts';
import { loadTextCounter } from '../../src/tokens/text/load-text-counter.ts';
import { tokenMultiplierOf } from '../../src/tokens/token-multiplier-of.ts';
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

const { count } = await loadTextCounter();

/** A model of the table, which says how much it has read where that is wanted. */
export function modelOf(modelId: string, isReported = false): MockLanguageModelV4 {
  const model = { provider: 'test', modelId };
  const multiplier = tokenMultiplierOf(model);
  return tableModel(
    model,
    isReported ? (options) => Math.ceil(multiplier * count(sentText(options))) : undefined,
  );
}

/** One model of each family of the table, with how much its prompts may have. */
export const families: readonly { readonly modelId: string; readonly window: number }[] =
  modelFamilies.flatMap(([names, contextLength, inputLimit]) => {
    const [modelId = ''] = names.split(' ');
    return { modelId, window: Math.min(contextLength, inputLimit ?? contextLength) };
  });

export const ratios: readonly number[] = [0.81, 0.95, 1.02];
export const shapes: readonly Shape[] = ['chat', 'tools', 'huge'];

/** A summary of a conversation, and what it took. */
export interface Bill {
  readonly calls: number;
  /** Tokens that the summarising calls read, and of the messages that the record stands for. */
  readonly read: number;
  readonly covered: number;
  readonly end: Extract<SummarizationEvent, { readonly type: 'end' }>;
}

/**
 * Sends a conversation that takes a share of a model's window through the first example of the README: no option but
 * who summarises. Where usage is reported, half of the conversation has been sent before.
 */
export async function billOf({
  model: inner,
  summarizer = inner,
  shape = 'chat',
  tokens = 0,
  messages: given,
  isReported = false,
  options = {},
}: {
  readonly model: MockLanguageModelV4;
  readonly summarizer?: MockLanguageModelV4;
  readonly shape?: Shape;
  /** Tokens of the conversation, of its model. */
  readonly tokens?: number;
  readonly messages?: ModelMessage[];
  readonly isReported?: boolean;
  readonly options?: SummarizationOptions;
}): Promise<Bill> {
  const events: SummarizationEvent[] = [];
  const middleware = summarizationMiddleware({
    onEvent: (event) => void events.push(event),
    ...options,
  });
  const model = wrapLanguageModel({ model: inner, middleware });
  const messages = given ?? (await conversationFor(inner, shape, tokens));
  if (isReported)
    await generateText({
      model,
      messages: messages.slice(0, 2 * Math.floor(messages.length / 4) + 1),
    });
  await generateText({ model, messages });
  const end = events.find((event) => event.type === 'end');
  if (end === undefined) throw new Error('Nothing was summarised.');
  const asked = summarizer.doGenerateCalls.filter(asksForSummary);
  const covered = messages.slice(0, end.coveredMessages);
  return {
    calls: asked.length,
    read: asked.reduce((sum, call) => sum + count(sentText(call)), 0),
    covered: await tokensIn(covered, inner),
    end,
  };
}

/** A conversation of so many tokens of a model. */
async function conversationFor(
  model: MockLanguageModelV4,
  shape: Shape,
  tokens: number,
): Promise<ModelMessage[]> {
  const wanted = tokens / tokenMultiplierOf(model);
  const counted = await tokensIn(conversationOf(shape, wanted), model);
  return conversationOf(shape, (wanted * wanted) / counted);
}

/** Tokens of messages, as o200k counts them. */
async function tokensIn(
  messages: readonly ModelMessage[],
  model: MockLanguageModelV4,
): Promise<number> {
  return (await countPromptTokens({ messages: [...messages], model })).total;
}

/** Expects that a model wrote the record and read hardly more than it stands for. */
export function expectFairBill({ calls, read, covered, end }: Bill): void {
  expect(end).toMatchObject({ strategy: 'llm', degraded: false });
  expect(end.record.summary).toContain('They read the files.');
  expect(read).toBeLessThanOrEqual(mostReadShare * covered + calls * mostAroundTokens);
}
