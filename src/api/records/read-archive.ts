import type { ReadArchiveInput, ReadArchiveResult } from './read-archive-of.ts';

/**
 * Reads the messages that a record stands for beyond the one that it continues, or with `ancestors` all of them, as
 * they were: what the option `archive` kept of them, which is everything but files above its size and what `redact`
 * took out.
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong, such as a record of another namespace.
 * @throws {SummarizationError} with the reason `archive` when messages are gone or damaged, naming which; the
 * record can still be used. With the reason `store` when the store did not answer.
 *
 * @example
 * const { messages } = await readArchive({ store, secret, conversationId: chatId, record });
 */
export async function readArchive(input: ReadArchiveInput): Promise<ReadArchiveResult> {
  const { readArchiveOf } = await import('./read-archive-of.ts');
  return readArchiveOf(input);
}
