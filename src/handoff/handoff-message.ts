import type { UserModelMessage } from 'ai';
import { checkThat } from '../checks/check-object.ts';
import { renderHandoff } from '../composing/render-handoff.ts';
import { omittedSummary } from '../composing/render-summary.ts';
import { handoffMark } from '../prompt/own-options.ts';
import type { SummaryRecord } from '../record/summary-record.ts';

/** A message that begins a conversation with a record of another one. Its `providerOptions` keep it as it is. */
export interface HandoffMessage extends UserModelMessage {
  readonly content: string;
}

/**
 * The text of such a message.
 *
 * @param option - What the caller calls the record.
 * @param to - Who starts with it; `undefined` for what a conversation remembers.
 * @throws {SummarizationOptionError} when there was no room for what the record says.
 */
export function handoffText(record: SummaryRecord, option: string, to?: string): string {
  const isWhole = record.summary !== omittedSummary;
  checkThat(isWhole, option, record, 'a record whose texts were not left out');
  return renderHandoff(record, to);
}

/** The message of a rendered record: the user's, because data has no place among the instructions. */
export function handoffMessage(content: string): HandoffMessage {
  return { role: 'user', content, providerOptions: handoffMark };
}
