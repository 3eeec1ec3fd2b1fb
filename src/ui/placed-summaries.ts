import type { UIMessage } from 'ai';
import { isObject } from '../util/is-object.ts';
import { callsOf } from './context-reading.ts';
import type { MessageNumbers } from './message-numbers.ts';
import type { SummaryPart } from './summary-part.ts';

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

/** Finds the summaries of a page, in the order in which they were made or first used. */
export function placedSummaries(
  messages: readonly Pick<UIMessage, 'id' | 'parts' | 'metadata'>[],
  numbers: MessageNumbers,
  isStreaming: boolean,
): readonly PlacedSummary[] {
  const known = new Set<string>();
  return messages.flatMap((message, index) => {
    const isLive = isStreaming && index === messages.length - 1;
    const made = message.parts.flatMap((part, partIndex) =>
      part.type === 'data-summary' && isSummaryPart(part.data) && !isLeft(part.data, isLive)
        ? placed(message.id, partIndex, part.data, numbers, isLive)
        : [],
    );
    for (const { recordId } of made) if (recordId !== undefined) known.add(recordId);
    const elsewhere = callsOf(message).flatMap(({ recordId, coveredMessages }) => {
      if (recordId === undefined || known.has(recordId)) return [];
      known.add(recordId);
      const coveredIds = wholeMessages(numbers, coveredMessages);
      const place = { messageId: message.id, partIndex: undefined, part: undefined };
      return [{ ...place, recordId, coveredIds, isInterrupted: false }];
    });
    return [...elsewhere, ...made];
  });
}

/** Ids of the messages all of which stands among the first so many for the model. */
export function wholeMessages({ ids }: MessageNumbers, covered: number): readonly string[] {
  const sent = new Set(ids.slice(covered));
  return [...new Set(ids.slice(0, covered))].filter((id) => !sent.has(id));
}

function placed(
  messageId: string,
  partIndex: number,
  part: SummaryPart,
  numbers: MessageNumbers,
  isLive: boolean,
): PlacedSummary {
  const place = { messageId, partIndex, part };
  if (part.state !== 'done') {
    const isInterrupted = part.state === 'running' && !isLive;
    return { ...place, recordId: undefined, coveredIds: [], isInterrupted };
  }
  const coveredIds = wholeMessages(numbers, part.coveredMessages);
  return { ...place, recordId: part.record.id, coveredIds, isInterrupted: false };
}

/** Whether a summary is, or was, prepared after its answer ended: it is placed where it is first used. */
function isLeft(part: SummaryPart, isLive: boolean): boolean {
  return part.state === 'running' && part.isAhead === true && !isLive;
}

/** Data parts are kept by applications, and others may bear the name. */
function isSummaryPart(data: unknown): data is SummaryPart {
  if (!isObject(data)) return false;
  const { state, record } = data;
  return state === 'done' ? isObject(record) : state === 'running' || state === 'failed';
}
