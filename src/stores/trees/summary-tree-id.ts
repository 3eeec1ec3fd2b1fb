import { checkInput, checkTexts } from '../../checks/check-object.ts';

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
