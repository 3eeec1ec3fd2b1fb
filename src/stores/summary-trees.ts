import { checkInput, checkTexts } from '../checks/check-object.ts';
import type { SummaryLevel } from '../record/summary-record.ts';
import type { SummaryResult } from '../record/summary-result.ts';
import { turns, type InTurn } from '../util/async/waiting.ts';

/** One summary of a tree as a {@link SummaryTreeStore} holds it. */
export interface SummaryTreeNode {
  /** `{conversation}:summary:L{n}:{index}`. */
  readonly id: string;
  readonly conversationId: string;
  /** 1 for a chunk, 2 for a group, 3 for the final summary. */
  readonly layer: 1 | 2 | 3;
  /** Place in its layer, from 0. */
  readonly index: number;
  /** Index of the group in layer 2 that it was merged into, if it was. */
  readonly parentGroup?: number | undefined;
  readonly content: string;
  /** Level of the whole summary. */
  readonly summaryLevel: SummaryLevel;
  /** Tokens of what it was made from. */
  readonly inputTokens: number;
  /** Tokens of `content`. */
  readonly outputTokens: number;
  /** `outputTokens / inputTokens`, clamped to [0, 1]. */
  readonly compressionRatio: number;
  /** When it was persisted: ISO 8601, UTC. */
  readonly createdAt: string;
}

/**
 * Keeps the current summary of each conversation, with the summaries it was made from, where people
 * and programs can find them.
 */
export interface SummaryTreeStore {
  /**
   * Puts a summary in the place of the conversation's previous one. Whatever happens in between, one
   * complete set can be read.
   */
  readonly persist: (conversationId: string, result: SummaryResult) => Promise<void>;
  /** The text of the final summary, `undefined` if there is none. */
  readonly getFinalSummary: (conversationId: string) => Promise<string | undefined>;
  /** The summaries of a conversation, layer by layer; empty if there are none. */
  readonly list: (conversationId: string) => Promise<readonly SummaryTreeNode[]>;
  /** Removes all summaries of a conversation; removing what is not there is no error. */
  readonly delete: (conversationId: string) => Promise<void>;
}

/** Which conversation is meant. */
export interface SummaryTreeIdInput {
  /** `providerOptions.summarization.conversationId` of its calls. */
  readonly conversationId: string;
  /**
   * The middleware's option.
   * @default ''
   */
  readonly namespace?: string | undefined;
}

/**
 * The id under which the middleware's `summaryTreeStore` keeps a conversation: `conversationId`, and
 * `namespace/conversationId` with a namespace. `%` and `/` inside of either are written as in URLs, so
 * that no two conversations have the same.
 *
 * @example
 * await store.getFinalSummary(summaryTreeId({ conversationId: 'chat-42', namespace: 'tenant' }));
 *
 * @throws {SummarizationOptionError} naming what is no string.
 */
export function summaryTreeId(input: SummaryTreeIdInput): string {
  checkInput(input, 'conversationId, and perhaps namespace');
  const { conversationId, namespace = '' } = input;
  checkTexts({ conversationId, namespace });
  const id = escape(conversationId);
  return namespace === '' ? id : `${escape(namespace)}/${id}`;
}

/** The id for a conversation without one: no `conversationId` gives an id that begins with `/`. */
export function anonymousTreeId(key: string): string {
  return `/${key}`;
}

function escape(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('/', '%2F');
}

/** Milliseconds after which a tree store that has not answered counts as failed. */
export const treeTimeoutMs = 60_000;

const queues = new WeakMap<SummaryTreeStore, InTurn>();

/** What writes to a store, whoever asks for it: to each tree one after another, so that a slow one replaces no newer one. */
export function treeTurns(store: SummaryTreeStore): InTurn {
  const queue = queues.get(store) ?? turns(treeTimeoutMs);
  queues.set(store, queue);
  return queue;
}
