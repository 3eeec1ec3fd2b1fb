import { convertToModelMessages, type LanguageModel, type UIMessage } from 'ai';
import {
  explainSummarization,
  prepareSummary,
  type SummarizationOptions,
  type SummaryStore,
} from 'ai-sdk-summarization';

/** A chat as an application has it stored. */
export interface StoredChat {
  readonly id: string;
  /** Its namespace, if its calls carry one. */
  readonly namespace?: string | undefined;
  readonly messages: UIMessage[];
}

/** Progress so far. */
export interface Progress {
  readonly done: number;
  /** Chats that have a summary now. */
  readonly summarized: number;
  /** Chats whose summary could not be made; their next call makes it. */
  readonly failed: readonly string[];
  /** Tokens that the summarizing model billed. */
  readonly tokens: number;
  /** Id of the last chat of the batch: all up to here are done. */
  readonly last: string;
}

export interface JoinOptions {
  readonly model: LanguageModel;
  readonly store: SummaryStore;
  readonly secret: string;
  /** Those of the middleware. */
  readonly options?: SummarizationOptions | undefined;
  /** Chats at once: as many as the limits of the model's provider allow. */
  readonly atOnce?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void | Promise<void>) | undefined;
}

/** More than the calls of a history that is a hundred times what a model reads. */
const maxSummaries = 200;

/**
 * Makes the summaries that the next calls of chats will need. A chat that needs none costs no call; one that was done
 * before is found done.
 */
export async function joinChats(
  chats: AsyncIterable<StoredChat> | Iterable<StoredChat>,
  { model, store, secret, options = {}, atOnce = 4, onProgress = () => {} }: JoinOptions,
): Promise<Progress> {
  const failed: string[] = [];
  const progress = { done: 0, summarized: 0, failed, tokens: 0, last: '' };

  async function join(chat: StoredChat): Promise<void> {
    const { id: conversationId, namespace = '' } = chat;
    // As the route of the application converts them.
    const messages = await convertToModelMessages(chat.messages, {
      ignoreIncompleteToolCalls: true,
    });
    const given = { model, messages };
    const providerOptions = { summarization: { conversationId, namespace } };
    const all = { ...options, store, secret };
    for (let summaries = 0; summaries < maxSummaries; summaries += 1) {
      const { act, applied } = await explainSummarization({
        ...given,
        providerOptions,
        options: all,
      });
      const isDue = act === 'summarize' || act === 'emergency';
      const state = { store, secret, namespace, conversationId, options };
      const made = isDue ? await prepareSummary({ ...given, ...state, force: true }) : undefined;
      if (made?.ok === false) {
        failed.push(conversationId);
        return;
      }
      if (made?.record === undefined) {
        if (applied !== undefined) progress.summarized += 1;
        return;
      }
      const { inputTokens, outputTokens } = made.usage;
      progress.tokens += inputTokens + outputTokens;
    }
  }

  async function finish(batch: readonly StoredChat[]): Promise<void> {
    await Promise.all(batch.map(join));
    progress.done += batch.length;
    progress.last = batch.at(-1)?.id ?? progress.last;
    await onProgress({ ...progress });
  }

  let batch: StoredChat[] = [];
  for await (const chat of chats) {
    batch.push(chat);
    if (batch.length < atOnce) continue;
    await finish(batch);
    batch = [];
  }
  if (batch.length > 0) await finish(batch);
  return progress;
}

/** A bar of progress, and what it took so far. */
export function barOf({ done, summarized, failed, tokens }: Progress, total: number): string {
  const width = 24;
  const filled = total === 0 ? width : Math.round((width * done) / total);
  const bar = '#'.repeat(filled).padEnd(width, '.');
  return `[${bar}] ${done} of ${total} chats, ${summarized} summarized, ${failed.length} failed, ${tokens} tokens`;
}
