import type { JSONObject } from '@ai-sdk/provider';
import { generateText, type ModelMessage, wrapLanguageModel } from 'ai';
import type { MockLanguageModelV4 } from 'ai/test';
import {
  type SummarizationEvent,
  summarizationMiddleware,
  type SummarizationOptions,
  type SummaryRecord,
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
  own: JSONObject = {},
): Promise<Awaited<ReturnType<typeof generateText>>> {
  const providerOptions = { summarization: { force: true, ...own } };
  return generateText({ model, messages: [...messages], maxRetries: 0, providerOptions });
}

/** Wraps a model and sends it a call. */
export async function called(
  messages: readonly ModelMessage[],
  ...given: Parameters<typeof setUp>
): Promise<SetUp> {
  const made = setUp(...given);
  await generateText({ model: made.model, messages: [...messages] });
  return made;
}

type EventOf<Type extends SummarizationEvent['type']> = Extract<SummarizationEvent, { type: Type }>;

/** The events of a type. */
export function eventsOf<Type extends SummarizationEvent['type']>(
  { events }: Pick<SetUp, 'events'>,
  type: Type,
): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

/** The record of the first summary. */
export function recordOf(made: Pick<SetUp, 'events'>): SummaryRecord {
  const [end] = eventsOf(made, 'end');
  if (end === undefined) throw new Error('No summary was made.');
  return end.record;
}
