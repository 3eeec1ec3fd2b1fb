import { generateText, type ModelMessage, wrapLanguageModel } from 'ai';
import type { MockLanguageModelV4 } from 'ai/test';
import {
  type SummarizationEvent,
  summarizationMiddleware,
  type SummarizationOptions,
} from '../../src/index.ts';
import { answer, chatModel, summarizerModel } from './models.ts';

/** A wrapped model with what it is made of. */
export interface SetUp {
  /** The model under the middleware. */
  readonly inner: MockLanguageModelV4;
  readonly summarizer: MockLanguageModelV4;
  readonly events: SummarizationEvent[];
  readonly model: ReturnType<typeof wrapLanguageModel>;
}

/** Wraps a model of 1,000 tokens whose summaries another model writes. */
export function setUp(
  options: SummarizationOptions = {},
  {
    inner = chatModel(),
    summarizer = summarizerModel(answer({ summary: 'They spoke of rivers.' })),
  }: { inner?: MockLanguageModelV4; summarizer?: MockLanguageModelV4 } = {},
): SetUp {
  const events: SummarizationEvent[] = [];
  const middleware = summarizationMiddleware({
    contextLength: 1000,
    // A strategy object has models of its own.
    ...(typeof options.strategy === 'object' ? {} : { summarizerModelPreference: summarizer }),
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { inner, summarizer, events, model: wrapLanguageModel({ model: inner, middleware }) };
}

/** Sends a call that asks for a summary. */
export async function force(
  { model }: Pick<SetUp, 'model'>,
  messages: readonly ModelMessage[],
  own: Readonly<Record<string, string | boolean>> = {},
): Promise<Awaited<ReturnType<typeof generateText>>> {
  const providerOptions = { summarization: { force: true, ...own } };
  return generateText({ model, messages: [...messages], maxRetries: 0, providerOptions });
}
