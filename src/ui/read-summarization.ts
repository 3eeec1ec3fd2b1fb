import type { UIMessage } from 'ai';
import { isObject } from '../util/is-object.ts';
import { sumOf } from '../util/numbers.ts';
import type {
  BilledTokens,
  ContextReading,
  RunningSummary,
  SummaryPart,
} from './summarization-message.ts';

/** Options of `readSummarization` and `useSummarization`. */
export interface ReadSummarizationOptions {
  /**
   * Whether the latest message is still being written: `status` of `useChat` is `submitted` or `streaming`.
   * @default false
   */
  readonly isStreaming?: boolean | undefined;
}

/** How full the context was with the latest call. */
export interface ContextUsage extends ContextReading {
  /** `tokens` over `contextLength`. */
  readonly ratio: number;
}

/** A summary and its place on the page. */
export interface PlacedSummary {
  /** Of the message in which it was made, or first used. */
  readonly messageId: string;
  /**
   * Index of its data part in that message; `undefined` for a summary that was made elsewhere, in the background
   * for example, and first stands in a prompt of this message.
   */
  readonly partIndex: number | undefined;
  /** What is known of it; `undefined` for a summary that was made elsewhere. */
  readonly part: SummaryPart | undefined;
  readonly recordId: string | undefined;
  /** Ids of the messages that it stands for, whole ones only. */
  readonly coveredIds: readonly string[];
  /** Whether its answer ended while it was being written. */
  readonly isInterrupted: boolean;
}

/** What a page can show of a conversation's summaries. */
export interface Summarization {
  /** Every model call, in order. */
  readonly calls: readonly ContextReading[];
  /** The latest call; `undefined` before the first. */
  readonly usage: ContextUsage | undefined;
  /** The summary that is being written. */
  readonly running: RunningSummary | undefined;
  /** The summaries, with their places and what each stands for. */
  readonly summaries: readonly PlacedSummary[];
  /** Ids of the messages that the latest call was not sent, because a summary stood for them. */
  readonly coveredIds: ReadonlySet<string>;
  /** Ids of messages by their numbers: where an item of a record comes from. */
  readonly numbers: MessageNumbers;
  /** Tokens of all calls. */
  readonly sentTokens: number;
  /** What summarising models billed. */
  readonly summarizer: BilledTokens;
}

/** Reads what a page can show of summaries from its messages, which `summaryDataParts` and `summarizationMetadata` wrote. */
export function readSummarization(
  messages: readonly Pick<UIMessage, 'id' | 'role' | 'parts' | 'metadata'>[],
  { isStreaming = false }: ReadSummarizationOptions = {},
): Summarization {
  const calls = messages.flatMap(callsOf);
  const latest = calls.at(-1);
  const numbers = numberMessages(messages);
  const summaries = placedSummaries(messages, numbers, isStreaming);
  const billed = summaries.flatMap(
    ({ part }) => (part?.state === 'done' ? part.usage : undefined) ?? [],
  );
  const live = summaries.at(-1);
  return {
    calls,
    usage: latest && { ...latest, ratio: latest.tokens / latest.contextLength },
    running: live?.part?.state === 'running' && !live.isInterrupted ? live.part : undefined,
    summaries,
    coveredIds: new Set(wholeMessages(numbers, latest?.coveredMessages)),
    numbers,
    sentTokens: sumOf(calls, ({ tokens }) => tokens),
    summarizer: {
      inputTokens: sumOf(billed, ({ inputTokens }) => inputTokens),
      outputTokens: sumOf(billed, ({ outputTokens }) => outputTokens),
    },
  };
}

/** The summaries of a page, in the order in which they were made or first used. */
function placedSummaries(
  messages: readonly Pick<UIMessage, 'id' | 'parts' | 'metadata'>[],
  numbers: MessageNumbers,
  isStreaming: boolean,
): readonly PlacedSummary[] {
  const known = new Set<string>();
  return messages.flatMap((message, index) => {
    const { id: messageId, parts } = message;
    const isLive = isStreaming && index === messages.length - 1;
    const made = parts.flatMap(({ type, ...content }, partIndex): PlacedSummary[] => {
      const part = type === 'data-summary' && 'data' in content ? content.data : undefined;
      if (!isSummaryPart(part)) return [];
      const isInterrupted = part.state === 'running' && !isLive;
      // One that is, or was, prepared after its answer ended is placed where it is first used.
      if (isInterrupted && part.isAhead === true) return [];
      const { record, coveredMessages } = part.state === 'done' ? part : {};
      if (record !== undefined) known.add(record.id);
      const coveredIds = wholeMessages(numbers, coveredMessages);
      return [{ messageId, partIndex, part, recordId: record?.id, coveredIds, isInterrupted }];
    });
    const elsewhere = callsOf(message).flatMap(({ recordId, coveredMessages }): PlacedSummary[] => {
      if (recordId === undefined || known.has(recordId)) return [];
      known.add(recordId);
      const coveredIds = wholeMessages(numbers, coveredMessages);
      const nothing = { partIndex: undefined, part: undefined, isInterrupted: false };
      return [{ messageId, ...nothing, recordId, coveredIds }];
    });
    return [...elsewhere, ...made];
  });
}

/** Ids of the messages all of which stands among the first so many for the model. */
function wholeMessages({ ids }: MessageNumbers, covered = 0): readonly string[] {
  const sent = new Set(ids.slice(covered));
  return [...new Set(ids.slice(0, covered))].filter((id) => !sent.has(id));
}

/** Data parts are kept by applications, and others may bear the name. */
function isSummaryPart(data: unknown): data is SummaryPart {
  if (!isObject(data)) return false;
  const { state, record } = data;
  return state === 'done' ? isObject(record) : state === 'running' || state === 'failed';
}

/** Reads the calls of an answer; what is not of this package's making counts as none. */
export function callsOf({ metadata }: Pick<UIMessage, 'metadata'>): readonly ContextReading[] {
  const written = isObject(metadata) ? metadata['summarization'] : undefined;
  const calls: unknown = isObject(written) ? written['calls'] : undefined;
  return Array.isArray(calls) ? calls.filter(isReading) : [];
}

function isReading(call: unknown): call is ContextReading {
  const figures = isObject(call)
    ? [call['tokens'], call['contextLength'], call['coveredMessages']]
    : [undefined];
  return figures.every(Number.isFinite);
}

/** Messages of a page, by the numbers that the middleware gives messages: what it is told of one answer may be many. */
export interface MessageNumbers {
  /** Id of the `UIMessage` of each message of the conversation: what `coveredMessages` counts. */
  readonly ids: readonly string[];
  /** The same without messages of nothing but reasoning: what the origins of a record's items count. */
  readonly originIds: readonly string[];
}

type Part = UIMessage['parts'][number];
type ToolPart = Extract<Part, { readonly toolCallId: string }>;

/**
 * Numbers the messages of a page as `convertToModelMessages(messages, { ignoreIncompleteToolCalls: true })` and the
 * middleware do, at once and without loading the SDK: leading system messages do not count, each step of an answer
 * is a message, and so are the results of its tools.
 */
export function numberMessages(
  messages: readonly Pick<UIMessage, 'id' | 'role' | 'parts'>[],
): MessageNumbers {
  const ids: string[] = [];
  const originIds: string[] = [];
  const number = (id: string, hasContent: boolean): void => {
    ids.push(id);
    if (hasContent) originIds.push(id);
  };
  const start = messages.findIndex(({ role }) => role !== 'system');
  for (const { id, role, parts } of start === -1 ? [] : messages.slice(start)) {
    if (role !== 'assistant') number(id, role === 'system' || parts.some(isContent));
    else
      for (const step of stepsOf(parts)) {
        if (!step.every(isData)) number(id, step.some(isContent));
        if (step.some(isAnsweredHere)) number(id, true);
      }
  }
  return { ids, originIds };
}

/** The steps of an answer: what stands between marks of their beginnings, or is said in between. */
function stepsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const steps: Part[][] = [[]];
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([]);
    else if (part.type === 'steering-message') steps.push([part], []);
    else if (isSent(part)) steps.at(-1)?.push(part);
  }
  return steps.filter(({ length }) => length > 0);
}

const sentTypes = new Set<string>(['text', 'file', 'reasoning', 'reasoning-file', 'custom']);

const finishedStates = new Set<string>([
  'approval-responded',
  'output-available',
  'output-error',
  'output-denied',
]);

/** Whether a part of an answer goes to a model. An incomplete call of a tool does not. */
function isSent(part: Part): boolean {
  if (!isTool(part)) return sentTypes.has(part.type) || isData(part);
  const isPreliminary = part.state === 'output-available' && part.preliminary === true;
  return finishedStates.has(part.state) && !isPreliminary;
}

/** Whether a part is a call of a tool whose result is a message of its own. */
function isAnsweredHere(part: Part): boolean {
  return isTool(part) && (part.providerExecuted !== true || part.approval?.approved !== undefined);
}

function isContent(part: Part): boolean {
  if (part.type === 'text') return part.text !== '';
  return part.type === 'file' || part.type === 'steering-message' || isTool(part);
}

function isData({ type }: Part): boolean {
  return type.startsWith('data-');
}

function isTool(part: Part): part is ToolPart {
  return part.type === 'dynamic-tool' || part.type.startsWith('tool-');
}
