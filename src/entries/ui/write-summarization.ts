import {
  generateId,
  type TextStreamPart,
  type ToolSet,
  type UIMessage,
  type UIMessageStreamWriter,
} from 'ai';
import { checkOptions, checkThat } from '../../foundations/checks/check-object.ts';
import { anyObject, hasFunctions } from '../../foundations/checks/option-rule.ts';
import type { SummarizationEvent } from '../../call/report/events.ts';
import { omitUndefined } from '../../foundations/util/defined.ts';
import { callsOf, readSummarization } from './read-summarization.ts';
import type {
  BilledTokens,
  RunningSummary,
  SummarizationMessageMetadata,
  SummarizationUIMessage,
  SummaryPart,
} from './summarization-message.ts';

/** Options of `summarizationMetadata`. */
export interface SummarizationMetadataOptions {
  /**
   * The message that the answer continues, if it continues one: its calls are kept.
   * @default none
   */
  readonly continues?: Pick<UIMessage, 'role' | 'metadata'> | undefined;
}

/**
 * Notes the calls of one answer in its metadata, for `messageMetadata` of `toUIMessageStream`: their sizes, what they
 * billed, and the summary in their prompts. Make one for each answer.
 *
 * @throws {SummarizationOptionError} naming what of the options is wrong, and what is allowed.
 *
 * @example
 * result.toUIMessageStreamResponse({ messageMetadata: summarizationMetadata() })
 */
export function summarizationMetadata(
  options: SummarizationMetadataOptions = {},
): (options: {
  readonly part: TextStreamPart<ToolSet>;
}) => SummarizationMessageMetadata | undefined {
  checkOptions(options, 'continues, or nothing', { continues: anyObject() });
  const { continues } = options;
  let calls = continues?.role === 'assistant' ? callsOf(continues) : [];
  return ({ part }) => {
    if (part.type !== 'finish-step') return undefined;
    const [report] = callsOf({
      metadata: { summarization: { calls: [part.providerMetadata?.['summarization']] } },
    });
    if (report === undefined) return undefined;
    calls = [...calls, { ...report, usage: billedIn(part.usage) }];
    return { summarization: { calls } };
  };
}

function billedIn({
  inputTokens = 0,
  outputTokens = 0,
  inputTokenDetails: { cacheReadTokens },
}: Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }>['usage']): BilledTokens {
  return { inputTokens, outputTokens, ...omitUndefined({ cacheReadTokens }) };
}

/**
 * Turns the events of a call into data parts of the answer, for the middleware's `onEvent`: `data-summary`, one
 * for each summary that is made or waited for, which is there as soon as the answer waits and changes in place from
 * running to done, failed or, where another answer makes it, elsewhere; `data-shortened` where a prompt had to
 * be cut without a model; and `data-summarySkipped`, transient, where a summary was due or asked for and none was
 * made. Texts leave in the record alone. Write `{ type: 'start' }` before the first event.
 *
 * @param options.messages - Those of the page. With them a summary that no part of theirs shows yet, such as one made in
 * the background after its answer had ended, is written by the first answer that uses it.
 * @throws {SummarizationOptionError} for what is no writer.
 *
 * @example
 * summarizationMiddleware({ onEvent: summaryDataParts(writer, { messages }) })
 */
export function summaryDataParts(
  writer: Pick<UIMessageStreamWriter<SummarizationUIMessage>, 'write'>,
  { messages }: { readonly messages?: Parameters<typeof readSummarization>[0] | undefined } = {},
): (event: SummarizationEvent) => void {
  const allowed = 'the writer that createUIMessageStream gives to execute';
  checkThat(hasFunctions(writer, 'write'), 'writer', writer, allowed);
  /** `undefined` where nothing is said of the page, or another answer shows what this one waited for. */
  let shown = messages && shownRecords(messages);
  let id = '';
  let running: RunningSummary | undefined;
  /** The part that the answer waits for, until an event names its writer. */
  let awaited: RunningSummary | undefined;
  let isFallback = false;
  const write = (data: SummaryPart): void => writer.write({ type: 'data-summary', id, data });

  return (event) => {
    switch (event.type) {
      case 'waiting': {
        const { messages: count, reason, tokens, contextLength } = event;
        if (!event.isOver) {
          id = generateId();
          awaited = { state: 'running', messages: count, reason, tokens, contextLength };
          return write(awaited);
        }
        if (awaited === undefined) return undefined;
        awaited = undefined;
        shown = undefined;
        return write({ state: 'elsewhere' });
      }
      case 'start': {
        const { messages: count, reason } = event;
        // The text of a fallback replaces the failed one.
        if (!isFallback && awaited === undefined) id = generateId();
        const isKnown = awaited?.messages === count;
        running = { ...awaited, state: 'running', messages: count, reason };
        awaited = undefined;
        return isKnown ? undefined : write(running);
      }
      case 'progress': {
        const { layer, completed, total } = event;
        // A late event of an abandoned attempt does not reopen a finished part.
        return running && layer === 1
          ? write({ ...running, progress: { completed, total } })
          : undefined;
      }
      case 'failed':
        if (event.stage !== 'summarize') return undefined;
        running = undefined;
        return write({ state: 'failed', reason: event.reason });
      case 'fallback':
        isFallback = true;
        return undefined;
      case 'end': {
        const { record, coveredMessages, reason, tokensBefore, tokensAfter, durationMs } = event;
        const figures = { tokensBefore, tokensAfter, durationMs, usage: event.usage };
        shown?.add(record.id);
        running = undefined;
        isFallback = false;
        return write({ state: 'done', record, coveredMessages, reason, ...figures });
      }
      case 'applied': {
        const { record, coveredMessages } = event;
        if (shown?.has(record.id) !== false) return undefined;
        shown.add(record.id);
        id = generateId();
        return write({ state: 'done', record, coveredMessages });
      }
      case 'recovered': {
        const { tokensBefore, tokensAfter } = event;
        return writer.write({ type: 'data-shortened', data: { tokensBefore, tokensAfter } });
      }
      case 'skipped': {
        const data = { reason: event.reason };
        return writer.write({ type: 'data-summarySkipped', data, transient: true });
      }
      default:
        return undefined;
    }
  };
}

/** Ids of the records that parts of messages show. */
function shownRecords(messages: Parameters<typeof readSummarization>[0]): Set<string> {
  const { summaries } = readSummarization(messages);
  return new Set(summaries.flatMap(({ part }) => (part?.state === 'done' ? part.record.id : [])));
}
