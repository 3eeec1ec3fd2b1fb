import type { LanguageModelV4 } from '@ai-sdk/provider';
import { countPromptTokens } from '../api/count-prompt-tokens.ts';
import { ContextOverflowError } from '../errors/context-overflow-error.ts';
import { summarizationMiddleware } from '../middleware.ts';
import type { SummarizationOptions } from '../options/summarization-options.ts';
import type { Message, ModelIdentity } from '../prompt/prompt-types.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import type { SummarizationEvent } from '../report/summarization-event.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { messageOf } from '../util/errors.ts';
import { sumOf, sumsBefore } from '../util/numbers.ts';

/** All that a report shows. */
export interface Inspection {
  readonly file: string;
  readonly strategy: string;
  readonly model?: string | undefined;
  /** Dollars for a million input tokens. */
  readonly price?: number | undefined;
  readonly conversations: readonly InspectedConversation[];
}

/** A conversation of a file. */
export interface InspectedConversation {
  readonly name: string;
  readonly messages: number;
  readonly tokens: number;
  readonly limits: readonly InspectedLimit[];
}

/** A conversation under one context length. */
export interface InspectedLimit {
  readonly contextLength: number;
  readonly calls: readonly InspectedCall[];
  readonly summaries: readonly InspectedSummary[];
  /** Input tokens of all calls. */
  readonly tokensWithout: number;
  readonly tokensWith: number;
  /** Calls longer than the context, without and with. */
  readonly overWithout: number;
  readonly overWith: number;
  /** What went wrong, in words; calls went on. */
  readonly faults: readonly string[];
}

/** One call of the model, as it would have been. */
export interface InspectedCall {
  /** Messages of the conversation before the answer. */
  readonly messages: number;
  readonly tokensWithout: number;
  readonly tokensWith: number;
  /** Why the call would have been refused, where even the shortest prompt is too long. */
  readonly refused?: string | undefined;
}

/** A summary that would have been made. */
export interface InspectedSummary {
  /** Index of its call. */
  readonly call: number;
  readonly reason: string;
  readonly strategy: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Messages that it stands for, and those that stay as they are. */
  readonly coveredMessages: number;
  readonly recentMessages: number;
  readonly record: SummaryRecord;
}

/** A conversation to be played again under one context length. */
export interface Replay {
  readonly prompt: readonly Message[];
  /** Tokens of the prompt. */
  readonly counted: Awaited<ReturnType<typeof countPromptTokens>>;
  readonly contextLength: number;
  readonly options: SummarizationOptions;
  readonly model: ModelIdentity;
  /** Told how many of the calls are done. */
  readonly onProgress: (done: number, total: number) => void;
}

/** Plays a conversation call by call: each answer of the assistant was one. No model is asked for answers. */
export async function replayConversation(replay: Replay): Promise<InspectedLimit> {
  const { contextLength } = replay;
  const { calls, summaries, faults } = await play(replay);
  return {
    contextLength,
    calls,
    summaries,
    tokensWithout: sumOf(calls, ({ tokensWithout }) => tokensWithout),
    tokensWith: sumOf(calls, ({ tokensWith }) => tokensWith),
    overWithout: calls.filter(({ tokensWithout }) => tokensWithout > contextLength).length,
    overWith: calls.filter(({ tokensWith }) => tokensWith > contextLength).length,
    faults,
  };
}

async function play(
  replay: Replay,
): Promise<Pick<InspectedLimit, 'calls' | 'summaries' | 'faults'>> {
  const { prompt, counted, contextLength, model, onProgress } = replay;
  const events: SummarizationEvent[] = [];
  const onEvent = (event: SummarizationEvent): void => void events.push(event);
  const options = { store: memoryStore(), ...replay.options, contextLength, onEvent };
  const { transformParams } = summarizationMiddleware(options);
  const sums = sumsBefore(counted.perMessage);
  const calls: InspectedCall[] = [];
  const summaries: InspectedSummary[] = [];
  const faults: string[] = [];
  const ends = callsOf(prompt);
  for (const [index, end] of ends.entries()) {
    const given = prompt.slice(0, end);
    const tokensWithout = counted.overhead + (sums[end] ?? 0);
    const call = { messages: end, tokensWithout };
    events.length = 0;
    try {
      const params = { prompt: given };
      const sent = await transformParams?.({ params, type: 'generate', model: silent(model) });
      const isSame = sent === undefined || sent.prompt === given;
      const tokensWith = isSame ? tokensWithout : (await countPromptTokens(sent)).total;
      calls.push({ ...call, tokensWith });
    } catch (error) {
      if (!ContextOverflowError.isInstance(error)) throw error;
      calls.push({ ...call, tokensWith: tokensWithout, refused: error.message });
    }
    for (const event of events)
      if (event.type === 'end') summaries.push(summaryOf(event, index, given));
    faults.push(...faultsIn(events).map((fault) => `call ${index + 1}: ${fault}`));
    onProgress(index + 1, ends.length);
  }
  return { calls, summaries, faults };
}

/**
 * The numbers of messages behind which a model was called: those behind which an answer stands, and the last
 * where one is awaited; behind each message where a file holds no answers.
 */
function callsOf(prompt: readonly Message[]): readonly number[] {
  const hasAnswers = prompt.some(({ role }) => role === 'assistant');
  return prompt.flatMap(({ role }, index) => {
    if (role !== 'user' && role !== 'tool') return [];
    const next = prompt[index + 1]?.role;
    return !hasAnswers || next === undefined || next === 'assistant' ? [index + 1] : [];
  });
}

function summaryOf(
  event: Extract<SummarizationEvent, { type: 'end' }>,
  call: number,
  given: readonly Message[],
): InspectedSummary {
  const { reason, strategy, tokensBefore, tokensAfter, coveredMessages, record } = event;
  const systems = Math.max(
    0,
    given.findIndex(({ role }) => role !== 'system'),
  );
  const recentMessages = given.length - systems - coveredMessages;
  const figures = { tokensBefore, tokensAfter, coveredMessages, recentMessages };
  return { call, reason, strategy, ...figures, record };
}

/** What went wrong; of a strategy that another one stood in for, once. */
function faultsIn(events: readonly SummarizationEvent[]): readonly string[] {
  const isMended = events.some(({ type }) => type === 'fallback');
  return events.flatMap((event, index) => {
    if (event.type === 'fallback') {
      const failure = events[index - 1];
      const why = failure?.type === 'failed' ? ` (${rootOf(failure.error)})` : '';
      return `${event.from}: ${event.reason}${why}; ${event.to} wrote instead`;
    }
    if (event.type !== 'failed' || (isMended && event.stage === 'summarize')) return [];
    return `${event.stage}: ${event.reason}`;
  });
}

/** What is at the bottom of an error, on one line. */
function rootOf(error: unknown, depth = 0): string {
  const cause = error instanceof Error && depth < 8 ? error.cause : undefined;
  if (cause !== undefined) return rootOf(cause, depth + 1);
  return messageOf(error).replace(/\n.*/s, '').slice(0, 200);
}

function silent({ provider, modelId }: ModelIdentity): LanguageModelV4 {
  const methods = { doGenerate: refuse, doStream: refuse };
  return { specificationVersion: 'v4', provider, modelId, supportedUrls: {}, ...methods };
}

async function refuse(): Promise<never> {
  throw new Error('No model answers in an inspection.');
}
