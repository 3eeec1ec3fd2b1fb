import type { ArchivedMessage, OmittedFile } from '../archive/pack-archive.ts';
import { checked } from '../checks/check-object.ts';
import { anyText, flag } from '../checks/option-rule.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { ChainedRecord, StoredPlace } from '../state/stored-conversation.ts';
import {
  type GivenRecord,
  type StateInput,
  checkAnswered,
  checkStateInput,
  openState,
  placeOfRecord,
  recordRule,
} from './given-state.ts';

/** Input of `readArchive`. */
export interface ReadArchiveInput extends StateInput {
  /** The record whose messages are wanted: as an event or `listSummaries` gave it. */
  readonly record: GivenRecord;
  /** The `conversationId` that the calls of its conversation carry, if they do. */
  readonly conversationId?: string | undefined;
  /**
   * Whether the messages of all records that it continues come before its own: the conversation from its
   * beginning.
   * @default false
   */
  readonly ancestors?: boolean | undefined;
}

/** What `readArchive` found. */
export interface ReadArchiveResult {
  /** In their order, in the form in which a middleware sees them. */
  readonly messages: readonly Message[];
  /** Files that were too large to be kept; a text stands in the place of each. */
  readonly omittedFiles: readonly OmittedFile[];
}

const readArchiveRules = {
  record: recordRule,
  conversationId: anyText,
  ancestors: flag,
};

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
  checkStateInput(input, readArchiveRules);
  const { record, conversationId, ancestors = false } = input;
  checked(recordRule, record, 'record');
  const opened = openState(input);
  const place = await placeOfRecord(opened, conversationId, record);
  const { readChain, readConversationState } = await import('../state/stored-conversation.ts');
  const conversation = await readConversationState(place);
  const kept = conversation.records.find(
    (each) => each.record.prefixDigest === record.prefixDigest,
  );
  const chain = kept === undefined ? [] : (await readChain(conversation, kept)).toReversed();
  if (chain.length === 0) checkAnswered(opened);
  const archives: RecordArchive[] = [];
  for (const link of ancestors ? chain : chain.slice(-1))
    archives.push(await archiveOf(place, link));
  if (chain.length === 0) archives.push({ id: record.id, messages: [], least: 1 });
  const isCut = ancestors && (chain[0]?.from ?? 0) > 0;
  const lost = [
    ...(isCut ? ['all before those of the oldest record that is left'] : []),
    ...archives.flatMap(describeLost),
  ];
  if (lost.length > 0) {
    checkAnswered(opened);
    const message = `Messages are missing from the archive: ${lost.join('; ')}.`;
    throw new SummarizationError({ reason: 'archive', message });
  }
  return joined(archives.flatMap(({ messages }) => messages));
}

interface RecordArchive {
  readonly id: string;
  readonly messages: readonly (ArchivedMessage | undefined)[];
  /** Messages it must have at least, where that is known. */
  readonly least: number;
}

async function archiveOf(
  place: StoredPlace,
  { figures, from, archiveId }: ChainedRecord,
): Promise<RecordArchive> {
  const { readOriginals } = await import('../archive/stored-archive.ts');
  const { messages } = await readOriginals(place, archiveId);
  return { id: figures.id, messages, least: figures.coveredMessages - from };
}

/** How many messages of a record are missing, in words. */
function describeLost({ id, messages, least }: RecordArchive): readonly string[] {
  if (messages.length < least)
    return [`all of the record ${id}, which stands for ${least} messages or more`];
  const lost = messages.filter((message) => message === undefined).length;
  return lost === 0 ? [] : [`${lost} of the ${messages.length} of the record ${id}`];
}

function joined(archived: readonly (ArchivedMessage | undefined)[]): ReadArchiveResult {
  const all = archived.filter((each) => each !== undefined);
  return {
    messages: all.map(({ message }) => message),
    omittedFiles: all.flatMap(({ omitted }, message) =>
      omitted.map((file) => ({ message, ...file })),
    ),
  };
}
