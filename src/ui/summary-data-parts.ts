import { generateId, type UIMessageStreamWriter } from 'ai';
import { checkThat } from '../checks/check-object.ts';
import { hasFunctions } from '../checks/option-rule.ts';
import type { SummarizationEvent } from '../report/summarization-event.ts';
import type { SummarizationUIMessage } from './context-reading.ts';
import type { RunningSummary, SummaryPart } from './summary-part.ts';

type Writer = Pick<UIMessageStreamWriter<SummarizationUIMessage>, 'write'>;
type RunningEvent = Extract<SummarizationEvent, { type: 'start' | 'waiting' }>;
type EndEvent = Extract<SummarizationEvent, { type: 'end' }>;

/**
 * Turns the events of a call into data parts of the answer, for the middleware's `onEvent`: `data-summary`, one
 * for each summary that is made or waited for, which is there as soon as the answer waits and changes in place from
 * running to done, failed or, where another answer makes it, elsewhere; `data-shortened` where a prompt had to
 * be cut without a model; and `data-summarySkipped`, transient, where a summary was due or asked for and none was
 * made. Texts leave in the record alone. Write `{ type: 'start' }` before the first event.
 *
 * @throws {SummarizationOptionError} for what is no writer.
 *
 * @example
 * summarizationMiddleware({ onEvent: summaryDataParts(writer) })
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is how far a summary is
export function summaryDataParts(writer: Writer): (event: SummarizationEvent) => void {
  const allowed = 'the writer that createUIMessageStream gives to execute';
  checkThat(hasFunctions(writer, 'write'), 'writer', writer, allowed);
  let id = '';
  let running: RunningSummary | undefined;
  /** What the answer waits for, as long as nothing says who makes it. */
  let awaited: RunningSummary | undefined;
  let fallbackReason: string | undefined;
  let failed = { inputTokens: 0, outputTokens: 0 };
  const write = (data: SummaryPart): void => writer.write({ type: 'data-summary', id, data });
  const finish = (event: EndEvent): void => {
    running = undefined;
    const reason = fallbackReason === undefined ? {} : { fallbackReason };
    write({ ...finishedSummary(event), usage: sum(failed, event.usage), ...reason });
    fallbackReason = undefined;
    failed = { inputTokens: 0, outputTokens: 0 };
  };

  return (event) => {
    switch (event.type) {
      case 'waiting':
        if (event.isOver) {
          if (awaited !== undefined) write({ state: 'elsewhere' });
          awaited = undefined;
          return undefined;
        }
        id = generateId();
        awaited = { ...runningSummary(event), ...sizeOf(event) };
        return write(awaited);
      case 'start': {
        // What a fallback writes takes the place of what failed.
        if (fallbackReason === undefined && awaited === undefined) id = generateId();
        const isKnown = awaited?.messages === event.messages;
        running = { ...awaited, ...runningSummary(event) };
        awaited = undefined;
        return isKnown ? undefined : write(running);
      }
      case 'progress':
        // What is told late, of an attempt that was given up, opens nothing again that has ended.
        if (running !== undefined && event.layer === 1)
          write({ ...running, progress: progressOf(event) });
        return undefined;
      case 'fallback':
        fallbackReason = event.reason;
        return undefined;
      case 'end':
        return finish(event);
      case 'failed':
        if (event.stage !== 'summarize') return undefined;
        running = undefined;
        failed = sum(failed, event.usage);
        return write({ state: 'failed', reason: event.reason });
      default:
        return writeNotice(writer, event);
    }
  };
}

function writeNotice(writer: Writer, event: SummarizationEvent): void {
  if (event.type === 'recovered') writer.write({ type: 'data-shortened', data: sizesOf(event) });
  if (event.type !== 'skipped') return;
  const data = { reason: event.reason };
  writer.write({ type: 'data-summarySkipped', data, transient: true });
}

function runningSummary({ messages, reason }: Pick<RunningEvent, 'messages' | 'reason'>) {
  return { state: 'running' as const, messages, reason, ...timeOf(reason) };
}

function sizeOf({ tokens, contextLength }: Extract<RunningEvent, { type: 'waiting' }>) {
  return { tokens, contextLength };
}

function timeOf(reason: EndEvent['reason']): { readonly isAhead?: true } {
  return reason === 'ahead' ? { isAhead: true } : {};
}

function finishedSummary({ record, coveredMessages, durationMs, ...event }: EndEvent) {
  const figures = { coveredMessages, ...sizesOf(event), durationMs, ...timeOf(event.reason) };
  return { state: 'done' as const, record, ...figures };
}

interface Sizes {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

function sizesOf({ tokensBefore, tokensAfter }: Sizes): Sizes {
  return { tokensBefore, tokensAfter };
}

function progressOf({ completed, total }: { readonly completed: number; readonly total: number }) {
  return { completed, total };
}

function sum(one: EndEvent['usage'], other: EndEvent['usage'] | undefined): EndEvent['usage'] {
  return {
    inputTokens: one.inputTokens + (other?.inputTokens ?? 0),
    outputTokens: one.outputTokens + (other?.outputTokens ?? 0),
  };
}
