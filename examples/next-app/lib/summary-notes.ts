import { generateId, type UIMessageStreamWriter } from 'ai';
import type { SummarizationEvent } from 'ai-sdk-summarization';
import type { ChatMessage, SummaryNote } from './chat-message.ts';

/**
 * Turns the events of the middleware into data parts of the answer: one for each summarisation, which
 * changes in place from running to done, so the page shows it live and keeps it.
 *
 * @param asked - Whether the user asked for a summary, and so wants to know why there is none.
 */
export function summaryNotes(
  writer: UIMessageStreamWriter<ChatMessage>,
  asked: boolean,
): (event: SummarizationEvent) => void {
  let id = '';
  let messages = 0;
  let fallbackReason: string | undefined;
  let failedTokens = 0;
  const write = (data: SummaryNote): void => writer.write({ type: 'data-summary', id, data });

  return (event) => {
    switch (event.type) {
      case 'start':
        // What a fallback writes takes the place of what failed.
        if (fallbackReason === undefined) id = generateId();
        messages = event.messages;
        return write({ state: 'running', messages });
      case 'progress': {
        const { layer, completed, total } = event;
        if (layer === 1) write({ state: 'running', messages, chunks: { completed, total } });
        return undefined;
      }
      case 'fallback':
        fallbackReason = event.reason;
        return undefined;
      case 'end': {
        const { record, coveredMessages, tokensBefore, tokensAfter, durationMs, usage } = event;
        const summarizerTokens = failedTokens + usage.inputTokens + usage.outputTokens;
        const sizes = { coveredMessages, tokensBefore, tokensAfter, durationMs, summarizerTokens };
        write({ state: 'done', record, ...sizes, fallbackReason });
        fallbackReason = undefined;
        failedTokens = 0;
        return undefined;
      }
      case 'failed': {
        if (event.stage !== 'summarize') return undefined;
        const { reason, usage = { inputTokens: 0, outputTokens: 0 } } = event;
        failedTokens += usage.inputTokens + usage.outputTokens;
        return write({ state: 'failed', reason });
      }
      case 'recovered': {
        const { tokensBefore, tokensAfter } = event;
        return writer.write({ type: 'data-shortened', data: { tokensBefore, tokensAfter } });
      }
      case 'skipped':
        if (asked)
          writer.write({ type: 'data-notice', data: noticeOf(event.reason), transient: true });
        return undefined;
      case 'check':
      case 'applied':
      case 'persisted':
      case 'limit-learned':
      case 'warning':
      case 'constraints-left-out':
      case 'history-gap':
      case 'store-outage':
        return undefined;
    }
  };
}

function noticeOf(reason: string): string {
  if (reason === 'nothing-to-cover') return 'There is nothing yet that a summary would shorten.';
  if (reason === 'no-strategy') return 'The strategy of this conversation is “none”: see Settings.';
  return `No summary was made: ${reason}.`;
}
