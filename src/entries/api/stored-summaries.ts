import { checkThat } from '../../foundations/checks/check-object.ts';
import { anyBoolean, integer, lazily } from '../../foundations/checks/option-rule.ts';
import { SummarizationError } from '../../foundations/errors/summarization-error.ts';
import { optionRules } from '../../call/options/summarization-options.ts';
import type { Message } from '../../prompt/messages/prompt-types.ts';
import type { FileIdentity } from '../../prompt/identity/file-address.ts';
import type { Conversation } from './conversation-input.ts';
import type { RecordFigures, SummaryRecord } from '../../foundations/record/summary-record.ts';
import { conversationKeys, seedKey } from '../../state/conversation/conversation-keys.ts';
import type { Erasure } from '../../state/conversation/stored-conversation.ts';
import { retentionMs } from '../../state/stores/store-keys.ts';
import {
  type SummaryTreeStore,
  summaryTreeId,
  treeQueues,
} from '../../state/stores/summary-store.ts';
import { withDeadline } from '../../foundations/util/async/waiting.ts';
import {
  type RecordReference,
  type ConversationSelector,
  type OpenedState,
  type StateInput,
  checkAnswered,
  checkStateInput,
  findState,
  selectedIdentity,
  openState,
  originalsOf,
  recordRule,
  storeFailure,
} from './open-state.ts';

/** Input of `listSummaries`: the conversation by its id or by its messages, or by both for `originalMessageIds`. */
export type ListSummariesInput = StateInput &
  (
    | ConversationSelector
    | {
        readonly conversationId: string;
        readonly messages: Conversation;
        /**
         * The `fileIdentity` of the middleware.
         * @default the middleware's default
         */
        readonly fileIdentity?: FileIdentity | undefined;
      }
  );

/** A summary of a conversation, with its figures. */
export interface ListedSummary extends RecordFigures {
  /** The whole record; `undefined` when its texts have left, some time after another one took its place. */
  readonly record: SummaryRecord | undefined;
  /**
   * Content digests of the messages that it stands for and the one before does not, in order; `undefined` where no
   * `messages` are given, all of the conversation beside its id where it has one.
   */
  readonly originalMessageIds?: readonly string[] | undefined;
}

/**
 * Lists the summaries of a conversation, the newest first: the one that its next call sends, then those that
 * it continues. Summaries whose texts have expired keep their sizes.
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong, and what is allowed.
 * @throws {SummarizationError} with the reason `store` when the store did not answer.
 *
 * @example
 * const summaries = await listSummaries({ store, secret, conversationId: chatId });
 */
export async function listSummaries(input: ListSummariesInput): Promise<readonly ListedSummary[]> {
  checkStateInput(input, {});
  const { messages, ...named } = input;
  const isByBoth = input.conversationId !== undefined && messages !== undefined;
  const found = await findState(isByBoth ? named : input);
  const { documents, kept } = found;
  const fileIdentity = 'fileIdentity' in input ? input.fileIdentity : undefined;
  const identity = isByBoth ? await selectedIdentity({ messages, fileIdentity }) : found.identity;
  if (kept === undefined) return [];
  const { readChain } = await import('../../state/conversation/stored-conversation.ts');
  const chain = await readChain(documents, kept);
  return Promise.all(
    chain.map(async ({ figures, from, record }) => {
      const ids = await identity?.messageDigests(from, figures.coveredMessages);
      return { ...figures, record, ...(ids && { originalMessageIds: ids }) };
    }),
  );
}

/** Input of `readArchive`. */
export interface ReadArchiveInput extends StateInput {
  /** The record whose messages are wanted: as an event or `listSummaries` gave it. */
  readonly record: RecordReference;
  /** The `conversationId` that the calls of its conversation carry, if they do. */
  readonly conversationId?: string | undefined;
  /**
   * Whether the messages of all records that it continues come before its own: the conversation from its
   * beginning.
   * @default false
   */
  readonly ancestors?: boolean | undefined;
}

/** Result of `readArchive`. */
export interface ReadArchiveResult {
  /**
   * In their order, in the form in which a middleware sees them. A text that says what it was stands in the place of a
   * file that was too large to be kept.
   */
  readonly messages: readonly Message[];
  /** Which ones are gone or damaged, the oldest first: empty where all are there. */
  readonly missing: readonly MissingMessages[];
}

/** Messages that an archive does not have. */
export interface MissingMessages {
  /** Id of the record that stands for them; `undefined` for those before all records that are known. */
  readonly recordId: string | undefined;
  /** How many there were. */
  readonly count: number;
}

/**
 * Reads the messages that a record stands for beyond the one that it continues, or with `ancestors` all of them, as
 * they were: what the option `archive` kept of them, which is everything but files above its size and what `redact`
 * took out.
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong, such as a record of another namespace.
 * @throws {SummarizationError} with the reason `archive` when none of them is there; the record can still be used.
 * With the reason `store` when the store did not answer.
 *
 * @example
 * const { messages, missing } = await readArchive({ store, secret, conversationId: chatId, record });
 */
export async function readArchive(input: ReadArchiveInput): Promise<ReadArchiveResult> {
  checkStateInput(input, { record: recordRule, ancestors: anyBoolean }, 'record');
  const { record, ancestors = false } = input;
  const wanted = await originalsOf(await findState(input), ancestors ? Infinity : 1);
  const messages = wanted.flatMap((each) => each.messages).filter((each) => each !== undefined);
  if (messages.length === 0) {
    const message = `Messages are missing from the archive of the record ${record.id}: none is there.`;
    throw new SummarizationError({ reason: 'archive', message });
  }
  const missing: MissingMessages[] = wanted.map(({ id, messages: each }) => ({
    recordId: id,
    count: each.filter((message) => message === undefined).length,
  }));
  const before = ancestors ? (wanted[0]?.from ?? 0) : 0;
  missing.unshift({ recordId: undefined, count: before });
  return { messages, missing: missing.filter(({ count }) => count > 0) };
}

/** Input of `undoSummarization`. */
export interface UndoSummarizationInput extends StateInput {
  /** The newest record of the conversation: as an event or `listSummaries` gave it. */
  readonly record: RecordReference;
  /** The `conversationId` that the calls of its conversation carry, if they do. */
  readonly conversationId?: string | undefined;
  /**
   * The `retentionMs` of the middleware: for so long nothing brings the record back, and the one that it
   * continued is kept anew.
   * @default 2_592_000_000 (30 days)
   */
  readonly retentionMs?: number | undefined;
}

/** Result of `undoSummarization`. */
export interface UndoSummarizationResult {
  /** The record that applies now; `undefined` where all messages are sent. */
  readonly record: SummaryRecord | undefined;
  /**
   * Whether the parent of the undone record has lost its text, which happens without `archive` an hour after a record
   * continued it. All messages are then sent, which may not fit until they are summarized again.
   */
  readonly isParentGone: boolean;
}

const refusals = {
  absent: 'a record that is still stored',
  continued: 'the newest record of its conversation, which listSummaries names first',
} as const;

/**
 * Takes back the newest summary of a conversation: its next call sends what it would have sent before, with the
 * summary that this one continued, if there was one. The next summary is not due before the prompt has grown
 * as much as after any other, unless it does not fit, or is asked for. Other processes know of it when they
 * next compare what they know with the store, five seconds after a call at most; no summary that is being made
 * brings it back. Its archive goes with it. Asked again, it says the same.
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong: a record that is not the newest of its
 * conversation, belongs to another namespace, or is not there any more.
 * @throws {SummarizationError} with the reason `store` when the store did not answer, or did not confirm all of
 * it: call it again.
 *
 * @example
 * const [newest] = await listSummaries({ store, secret, conversationId: chatId });
 * if (newest) await undoSummarization({ store, secret, conversationId: chatId, record: newest });
 */
export async function undoSummarization(
  input: UndoSummarizationInput,
): Promise<UndoSummarizationResult> {
  checkStateInput(input, { record: recordRule, retentionMs: integer(60_000) }, 'record');
  const { record, retentionMs: keptMs } = input;
  const found = await findState(input, keptMs);
  // Another process may have continued it.
  checkAnswered(found);
  const { undoRecord } = await import('../../state/conversation/stored-conversation.ts');
  const result = await undoRecord(found.documents, record.prefixDigest);
  if (result.state === 'unknown')
    throw storeFailure(
      'The store did not confirm the whole change. Call the function again.',
      found.fault(),
    );
  if (result.state !== 'undone') checkThat(false, 'record', record, refusals[result.state]);
  return { record: result.record, isParentGone: result.isParentGone };
}

/** Input of `eraseConversation`: the conversation by one of the two, or a whole namespace by its name alone. */
export type EraseConversationInput = StateInput & {
  /**
   * The `retentionMs` of the middleware: for so long nothing brings back what is erased.
   * @default 2_592_000_000 (30 days)
   */
  readonly retentionMs?: number | undefined;
  /**
   * The `summaryTreeStore` of the middleware: its trees of the conversation are erased too.
   * @default trees stay, and the result says which
   */
  readonly summaryTreeStore?: SummaryTreeStore | undefined;
} & (
    | ConversationSelector
    | {
        /** All that a store holds of it, which has to have `list`. */
        readonly namespace: string;
        readonly conversationId?: undefined;
        readonly messages?: undefined;
      }
  );

/** Result of `eraseConversation`. */
export interface EraseConversationResult {
  /** Records that were erased. */
  readonly records: number;
  /**
   * Ids of trees that a `summaryTreeStore` still has of the conversation, because it was not given: `delete` them
   * there. Empty where one was given.
   */
  readonly treesLeft: readonly string[];
  /**
   * Why nothing was erased: the store knows nothing of it, nor that it was erased before. Another `secret`, `namespace`
   * or store than the middleware's, or other messages than its last call sent, look like this.
   */
  readonly reason?: 'unknown-conversation' | undefined;
}

const eraseRules = lazily(() => ({
  retentionMs: integer(60_000),
  summaryTreeStore: optionRules().summaryTreeStore,
}));

/** Milliseconds that a tree store may take for a tree, and a store to overwrite what it has deleted. */
const timeoutMs = 10_000;

/**
 * Erases what is stored of a conversation: its records and archives, what it was seeded with, and what this process
 * knows of them; or all of a namespace, where it is given alone and the store can list its keys. Other processes
 * forget theirs when they next compare it with the store, five seconds after a call at most, and no summary that is
 * being made brings anything back. A later call that sends the conversation again is summarized again. Trees are
 * erased where the `summaryTreeStore` is given; where it is not, `treesLeft` names those that records tell of. Where
 * the store knows nothing of it, `reason` says so: nothing was erased.
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong, and what is allowed.
 * @throws {SummarizationError} with the reason `store` when the store, or the tree store, did not confirm all of it: call
 * it again.
 *
 * @example
 * await eraseConversation({ store, summaryTreeStore, secret, namespace: tenantId, conversationId: chatId });
 */
export async function eraseConversation(
  input: EraseConversationInput,
): Promise<EraseConversationResult> {
  checkStateInput(input, eraseRules());
  if (typeof input.secret === 'object') {
    // Other processes may write under any of them.
    const erased: EraseConversationResult[] = [];
    for (const secret of input.secret) erased.push(await eraseConversation({ ...input, secret }));
    return {
      records: Math.max(...erased.map(({ records }) => records)),
      treesLeft: [...new Set(erased.flatMap(({ treesLeft }) => treesLeft))],
      reason: erased.some(({ reason }) => reason === undefined) ? undefined : erased[0]?.reason,
    };
  }
  const { conversationId, messages, namespace, retentionMs: ttlMs = retentionMs } = input;
  const isWhole = conversationId === undefined && messages === undefined && namespace !== undefined;
  const list = input.store.list?.bind(input.store);
  const lists = 'for a whole namespace, a store with list';
  checkThat(!isWhole || list !== undefined, 'store', input.store, lists);
  const identity = isWhole ? undefined : await selectedIdentity(input);
  const opened = openState(input);
  const erasure = { identity, ttlMs, trees: treesOf(input) };
  const names = conversationKeys(opened.store.keys, identity, conversationId);
  try {
    const { eraseNamespace, eraseDocuments } =
      await import('../../state/conversation/stored-conversation.ts');
    const { isConfirmed, isKnown, records, treesLeft } =
      isWhole && list !== undefined
        ? await eraseNamespace(opened, erasure, list)
        : await eraseDocuments(await names.all(), opened, erasure);
    const seeds = await eraseSeeds(opened, conversationId);
    if (!isConfirmed || !seeds.isGone) throw opened.fault();
    await withDeadline(undefined, timeoutMs, async () => input.store.scrub?.());
    const result = { records, treesLeft };
    return isKnown || seeds.isThere ? result : { ...result, reason: 'unknown-conversation' };
  } catch (error) {
    throw storeFailure(
      'The store did not confirm that everything was erased. Call the function again.',
      error,
    );
  }
}

/** Removes what a conversation was seeded with, if it was. */
async function eraseSeeds({ store }: OpenedState, conversationId: string | undefined) {
  if (conversationId === undefined) return { isThere: false, isGone: true };
  const key = await seedKey(store.keys, conversationId);
  const answer = await store.read(key);
  const isThere = answer.raw !== undefined;
  // A full server may have no room for a mark where nothing is.
  return { isThere, isGone: (await store.bury(key)) || (answer.known && !isThere) };
}

/** The trees of a conversation, if they can be removed. */
function treesOf({
  conversationId,
  namespace,
  summaryTreeStore,
}: EraseConversationInput): Erasure['trees'] {
  if (summaryTreeStore === undefined) return undefined;
  // Waits for writes in progress.
  const inTurn = treeQueues(summaryTreeStore);
  return {
    ids: conversationId === undefined ? [] : [summaryTreeId({ conversationId, namespace })],
    remove: (treeId) =>
      withDeadline(undefined, timeoutMs, () =>
        inTurn(treeId, () => summaryTreeStore.delete(treeId)),
      ),
  };
}
