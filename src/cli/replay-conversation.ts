import type { LanguageModelV4 } from '@ai-sdk/provider';
import { countPromptTokens } from '../api/count-prompt-tokens.ts';
import { ContextOverflowError } from '../errors/context-overflow-error.ts';
import { summarizationMiddleware } from '../middleware.ts';
import type { SummarizationOptions } from '../options/summarization-options.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { SummarizationEvent } from '../report/summarization-event.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { messageOf } from '../util/errors.ts';
import { sumOf, sumsBefore } from '../util/numbers.ts';
import { callsOf } from './formats/calls-of.ts';
import type { InspectedCall, InspectedLimit, InspectedSummary } from './report/inspection.ts';

/** A conversation to be played again under one context length. */
export interface Replay {
  readonly prompt: readonly Message[];
  readonly contextLength: number;
  readonly options: SummarizationOptions;
  readonly model: { readonly provider: string; readonly modelId: string };
  /** Told how many of the calls are done. */
  readonly onProgress: (done: number, total: number) => void;
}

/** Plays a conversation call by call: each answer of the assistant was one. No model is asked for answers. */
export async function replayConversation(replay: Replay): Promise<InspectedLimit> {
  const { prompt, contextLength, onProgress } = replay;
  const events: SummarizationEvent[] = [];
  const middleware = summarizationMiddleware({
    store: memoryStore(),
    ...replay.options,
    contextLength,
    onEvent: (event) => events.push(event),
  });
  const model = silentModel(replay.model);
  const counted = await countPromptTokens({ prompt });
  const sums = sumsBefore(counted.perMessage);
  const ends = callsOf(prompt);
  const calls: InspectedCall[] = [];
  const summaries: InspectedSummary[] = [];
  const faults: string[] = [];
  for (const [index, end] of ends.entries()) {
    const given = prompt.slice(0, end);
    const tokensWithout = counted.overhead + (sums[end] ?? 0);
    const call = { messages: end, tokensWithout };
    events.length = 0;
    try {
      const params = { prompt: given };
      const sent = await middleware.transformParams?.({ params, type: 'generate', model });
      const isSame = sent === undefined || sent.prompt === given;
      const tokens = isSame ? tokensWithout : (await countPromptTokens(sent)).total;
      calls.push({ ...call, tokensWith: tokens });
    } catch (error) {
      if (!ContextOverflowError.isInstance(error)) throw error;
      calls.push({ ...call, tokensWith: tokensWithout, refused: error.message });
    }
    for (const event of events)
      if (event.type === 'end') summaries.push(summaryOf(event, index, given));
    faults.push(...faultsIn(events).map((fault) => `call ${index + 1}: ${fault}`));
    onProgress(index + 1, ends.length);
  }
  return { contextLength, calls, summaries, faults, ...totals(calls, contextLength) };
}

/** What went wrong; of a strategy that another one stood in for, once. */
function faultsIn(events: readonly SummarizationEvent[]): readonly string[] {
  const isMended = events.some(({ type }) => type === 'fallback');
  return events.flatMap((event, index) => {
    if (event.type === 'fallback') {
      const failure = events[index - 1];
      const why = failure?.type === 'failed' ? wordsOf(failure.error) : '';
      return `${event.from}: ${event.reason}${why}; ${event.to} wrote instead`;
    }
    if (event.type !== 'failed' || (isMended && event.stage === 'summarize')) return [];
    return `${event.stage}: ${event.reason}`;
  });
}

/** What is at the bottom of an error, on one line. */
function wordsOf(error: unknown): string {
  let root = error;
  for (let depth = 0; depth < 8 && root instanceof Error && root.cause !== undefined; depth += 1)
    root = root.cause;
  const [line = ''] = messageOf(root).split('\n');
  return line === '' ? '' : ` (${line.slice(0, 200)})`;
}

function summaryOf(
  event: Extract<SummarizationEvent, { type: 'end' }>,
  call: number,
  given: readonly Message[],
): InspectedSummary {
  const { reason, strategy, tokensBefore, tokensAfter, coveredMessages, record } = event;
  const systems = given.findIndex(({ role }) => role !== 'system');
  const recentMessages = given.length - Math.max(0, systems) - coveredMessages;
  const figures = { tokensBefore, tokensAfter, coveredMessages, recentMessages };
  return { call, reason, strategy, ...figures, record };
}

function totals(
  calls: readonly InspectedCall[],
  contextLength: number,
): Pick<InspectedLimit, 'tokensWithout' | 'tokensWith' | 'overWithout' | 'overWith'> {
  return {
    tokensWithout: sumOf(calls, ({ tokensWithout }) => tokensWithout),
    tokensWith: sumOf(calls, ({ tokensWith }) => tokensWith),
    overWithout: calls.filter(({ tokensWithout }) => tokensWithout > contextLength).length,
    overWith: calls.filter(({ tokensWith }) => tokensWith > contextLength).length,
  };
}

function silentModel({ provider, modelId }: Replay['model']): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    doGenerate: refuse,
    doStream: refuse,
  };
}

async function refuse(): Promise<never> {
  throw new Error('No model answers in an inspection.');
}
