import type { UIMessage } from 'ai';
import { isObject } from '../../foundations/util/is-object.ts';
import type { ContextReading, RunningSummary, SummaryPart } from './summarization-message.ts';

/** Options of `readSummarization` and `useSummarization`. */
export interface ReadSummarizationOptions {
  /**
   * Whether the latest message is still being written: `status` of `useChat` is `submitted` or `streaming`.
   * @default false
   */
  readonly isStreaming?: boolean | undefined;
}

/** A summary and its place on the page. */
export interface PlacedSummary {
  /** Id of the message in which the summary was made, or first used. */
  readonly messageId: string;
  /**
   * Index of its data part in that message; `undefined` for a summary that was made elsewhere, in the background
   * for example, and first stands in a prompt of this message.
   */
  readonly partIndex: number | undefined;
  /** The summary itself; `undefined` for one that was made elsewhere. */
  readonly part: SummaryPart | undefined;
  readonly recordId: string | undefined;
}

/** Summaries of a conversation as a page shows them. */
export interface Summarization {
  /** Every model call, in order. */
  readonly calls: readonly ContextReading[];
  /** The latest call: how full the context is. `undefined` before the first. */
  readonly usage: ContextReading | undefined;
  /** The summary that is being written. */
  readonly running: RunningSummary | undefined;
  /** The summaries with their places, in the order in which they were made or first used. */
  readonly summaries: readonly PlacedSummary[];
  /** Ids of the messages that the latest call was not sent, because a summary stood for them; whole ones only. */
  readonly coveredIds: ReadonlySet<string>;
  /** Ids of messages by their numbers: where an item of a record comes from. */
  readonly numbers: MessageNumbers;
}

/** Reads what a page can show of summaries from its messages, which `summaryDataParts` and `summarizationMetadata` wrote. */
export function readSummarization(
  messages: readonly Pick<UIMessage, 'id' | 'role' | 'parts' | 'metadata'>[],
  { isStreaming = false }: ReadSummarizationOptions = {},
): Summarization {
  const calls = messages.flatMap(callsOf);
  const usage = calls.at(-1);
  const numbers = numberMessages(messages);
  const sent = new Set(numbers.ids.slice(usage?.coveredMessages ?? 0));
  const known = new Set<string>();
  const summaries = messages.flatMap((message, index) => {
    const isLive = isStreaming && index === messages.length - 1;
    return summariesOf(message, isLive, known);
  });
  const live = summaries.at(-1);
  return {
    calls,
    usage,
    running: live?.part?.state === 'running' ? live.part : undefined,
    summaries,
    coveredIds: new Set(numbers.ids.filter((id) => !sent.has(id))),
    numbers,
  };
}

/**
 * The summaries that were made in a message, and those that were made elsewhere and first used in it.
 *
 * @param known - Ids of the records of messages before; its own are added.
 */
function summariesOf(
  message: Pick<UIMessage, 'id' | 'parts' | 'metadata'>,
  isLive: boolean,
  known: Set<string>,
): readonly PlacedSummary[] {
  const { id: messageId, parts } = message;
  const made = parts.flatMap(({ type, ...content }, partIndex): PlacedSummary[] => {
    const given = type === 'data-summary' && 'data' in content ? content.data : undefined;
    if (!isSummaryPart(given)) return [];
    const isInterrupted = given.state === 'running' && !isLive;
    // A summary that is prepared after its answer ended is placed where it is first used.
    if (isInterrupted && given.reason === 'ahead') return [];
    const recordId = given.state === 'done' ? given.record.id : undefined;
    if (recordId !== undefined) known.add(recordId);
    const part: SummaryPart = isInterrupted ? { state: 'interrupted' } : given;
    return [{ messageId, partIndex, part, recordId }];
  });
  const elsewhere = callsOf(message).flatMap(({ recordId }): PlacedSummary[] => {
    if (recordId === undefined || known.has(recordId)) return [];
    known.add(recordId);
    return [{ messageId, partIndex: undefined, part: undefined, recordId }];
  });
  return [...elsewhere, ...made];
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
  const start = messages.findIndex(({ role }) => role !== 'system');
  const numbered = (start === -1 ? [] : messages.slice(start)).flatMap(({ id, role, parts }) => {
    if (role !== 'assistant') return { id, hasContent: role === 'system' || parts.some(isContent) };
    return stepsOf(parts).flatMap((step) => [
      ...(step.every(isData) ? [] : [{ id, hasContent: step.some(isContent) }]),
      ...(step.some(isAnsweredHere) ? [{ id, hasContent: true }] : []),
    ]);
  });
  return {
    ids: numbered.map(({ id }) => id),
    originIds: numbered.filter(({ hasContent }) => hasContent).map(({ id }) => id),
  };
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
