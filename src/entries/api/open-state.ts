import { checkOptions, checkThat } from '../../foundations/checks/check-object.ts';
import {
  type OptionRule,
  anyFunction,
  anyString,
  anyText,
  checkedElsewhere,
  rule,
  secretAllowed,
  secretHint,
  secretRule,
} from '../../foundations/checks/option-rule.ts';
import { SummarizationError } from '../../foundations/errors/summarization-error.ts';
import {
  type ConversationIdentity,
  identifyConversation,
} from '../../prompt/identity/conversation-identity.ts';
import { type FileIdentity, safeFileIdentity } from '../../prompt/identity/file-address.ts';
import type { Message } from '../../prompt/messages/prompt-types.ts';
import { recordIdOf } from '../../foundations/record/build-record.ts';
import { summaryRecordSchema } from '../../foundations/record/record-schemas.ts';
import type { SummaryRecord } from '../../foundations/record/summary-record.ts';
import { splitSystem } from '../../planning/selection/conversation-view.ts';
import { conversationKeys } from '../../state/conversation/conversation-keys.ts';
import type { KeptRecord } from '../../state/conversation/document.ts';
import { ConversationDocuments } from '../../state/conversation/conversation-documents.ts';
import { type LocalCache, localCacheOf } from '../../state/conversation/local-cache.ts';
import { type SealedStore, guardedStore, sealedStore } from '../../state/stores/sealed-store.ts';
import { processSecret, retentionMs, storeKeys } from '../../state/stores/store-keys.ts';
import { type AcceptedStore, storeRule, toSummaryStore } from '../../state/stores/summary-store.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import { type Conversation, readMessages } from './conversation-input.ts';

/** Names the state for a function, with the same values as the middleware's options. */
export interface StateInput {
  /** The store object of the middleware, so that what this process knows of it is reached too. */
  readonly store: AcceptedStore;
  /** The `secret` of the middleware. Required for a store that other processes share. */
  readonly secret?: string | readonly string[] | undefined;
  /**
   * The `namespace` of the middleware or of the calls.
   * @default ''
   */
  readonly namespace?: string | undefined;
}

/** The conversation of the state, named in one of two ways. */
export type ConversationSelector =
  | {
      /** The `conversationId` that its calls carry. */
      readonly conversationId: string;
      readonly messages?: undefined;
    }
  | {
      /** All messages of a conversation without an id, as its last call sent them. */
      readonly messages: Conversation;
      readonly conversationId?: undefined;
      /**
       * The `fileIdentity` of the middleware.
       * @default the middleware's default
       */
      readonly fileIdentity?: FileIdentity | undefined;
    };

/** A record, or an entry of `listSummaries`. */
export type RecordReference = Pick<SummaryRecord, 'id' | 'prefixDigest' | 'openingDigests'>;

const stateRules = {
  store: storeRule,
  secret: secretRule,
  namespace: anyString,
  conversationId: anyText,
  messages: checkedElsewhere,
  fileIdentity: anyFunction(),
};

/** Rules of a {@link RecordReference}. */
export const recordRule: OptionRule<RecordReference> = rule(
  'a record, or an entry of listSummaries',
  (value) =>
    isObject(value) && typeof value['id'] === 'string' && typeof value['prefixDigest'] === 'string',
);

/**
 * Checks what a function on state is given.
 *
 * @param rules - Rules of the other inputs.
 * @param required - Names of required inputs.
 * @throws {SummarizationOptionError} naming what is wrong and what is allowed.
 */
export function checkStateInput(
  input: StateInput,
  rules: Readonly<Record<string, OptionRule>>,
  ...required: readonly string[]
): void {
  checkOptions(input, 'store', { ...stateRules, ...rules }, 'store', ...required);
  const canBeFound = input.secret !== undefined || input.store.isLocal === true;
  checkThat(canBeFound, 'secret', input.secret, secretForStore);
}

const secretForStore = `for a shared store, ${secretAllowed}; ${secretHint}`;

type PartialSelector = Pick<Partial<ConversationSelector>, 'conversationId' | 'messages'> & {
  readonly fileIdentity?: FileIdentity | undefined;
};

/** @throws {SummarizationOptionError} when a conversation is given by both or none. */
export function checkSelector({ conversationId, messages }: PartialSelector): void {
  const isOne = (conversationId === undefined) !== (messages === undefined);
  checkThat(isOne, 'conversationId', conversationId, 'given, or messages, and not both');
}

/** State as a function on it sees it. */
export interface OpenedState {
  readonly store: SealedStore;
  readonly cache: LocalCache;
  /** The first failure; `undefined` if the store has answered everything. */
  readonly fault: () => unknown;
}

/** Milliseconds that one operation of the store may take. */
const timeoutMs = 10_000;

/** Opens the state that a function works on. */
export function openState({
  store: given,
  secret = processSecret(),
  namespace = '',
}: StateInput): OpenedState {
  const store = toSummaryStore(given);
  let fault: unknown;
  let isSilent = false;
  const onFault = (error: unknown): void => {
    fault ??= error;
    isSilent ||= error instanceof DOMException && error.name === 'TimeoutError';
  };
  const guarded = guardedStore(store, { onFault });
  // A store that is left alone in an outage is not asked.
  const watched: Parameters<typeof sealedStore>[0] = {
    ...guarded,
    ask: async (...asked) => {
      // Nobody waits twice for a store that has been silent: all that is left to do is to say so.
      const answer = isSilent ? undefined : await guarded.ask(...asked);
      if (answer === undefined)
        fault ??= new Error('The store failed a moment ago and is left alone for a while.');
      return answer;
    },
  };
  const keys = storeKeys(secret, namespace);
  return {
    store: sealedStore(watched, keys, { timeoutMs, isUrgent: true }),
    cache: localCacheOf(store),
    fault: () => fault,
  };
}

/** Error of a function on state if the store did not do its part. */
export function storeFailure(message: string, cause: unknown): SummarizationError {
  return new SummarizationError({ reason: 'store', message, retryable: true, cause });
}

/** @throws {SummarizationError} unless the store has answered all that it was asked. */
export function checkAnswered({ fault }: Pick<OpenedState, 'fault'>): void {
  if (fault() !== undefined) throw storeFailure('The store did not answer.', fault());
}

/**
 * Identity of a conversation given by its messages; `undefined` for one given by its id.
 *
 * @throws {SummarizationOptionError} when it is given by both or none, or a message cannot be read.
 */
export async function selectedIdentity(
  given: PartialSelector,
): Promise<ConversationIdentity | undefined> {
  checkSelector(given);
  if (given.messages === undefined) return undefined;
  const { conversation } = splitSystem(await readMessages(given.messages));
  return identifyConversation(
    conversation,
    safeFileIdentity(given.fileIdentity, () => {}),
  );
}

/** State of a conversation in the store. */
export interface FoundState extends OpenedState {
  readonly documents: ConversationDocuments;
  /** Its identity; `undefined` if it is given by its id, or by a record. */
  readonly identity: ConversationIdentity | undefined;
  /** The given record as it is stored, else the newest one; `undefined` where there is none, or none any more. */
  readonly kept: KeptRecord | undefined;
}

/**
 * Finds a record of a conversation, or its newest.
 *
 * @param keptMs - Milliseconds for which the documents are kept if they are changed.
 * @throws {SummarizationOptionError} when a record belongs to another namespace, conversation or secret: its id is
 * derived from all three.
 * @throws {SummarizationError} when there is none, and the store did not answer.
 */
export async function findState(
  input: StateInput & PartialSelector & { readonly record?: RecordReference | undefined },
  keptMs: number = retentionMs,
): Promise<FoundState> {
  const { conversationId, record: given } = input;
  const identity = given === undefined ? await selectedIdentity(input) : undefined;
  const opened = openState(input);
  const { keys } = opened.store;
  const names = conversationKeys(keys, given?.openingDigests ?? identity, conversationId);
  if (given !== undefined) {
    const { id, prefixDigest } = given;
    const key = await names.recordKey(prefixDigest);
    const isTheirs = [key, keys.former(key)?.key].some((each) => each && recordIdOf(each) === id);
    const allowed = 'a record of this conversationId (or of none), namespace and secret';
    checkThat(isTheirs, 'record', { id, prefixDigest }, allowed);
  }
  const documents = new ConversationDocuments({ ...opened, names }, keptMs);
  await documents.read();
  const { newestRecord } = await import('../../state/conversation/stored-conversation.ts');
  const isGiven = ({ record }: KeptRecord): boolean => record.prefixDigest === given?.prefixDigest;
  const kept =
    given === undefined
      ? await newestRecord(documents, identity)
      : (await documents.records()).find(isGiven);
  if (kept === undefined) checkAnswered(opened);
  return { ...opened, documents, identity, kept };
}

/** Messages that a record covers beyond its parent, as they were archived. */
export interface RecordOriginals {
  readonly id: string;
  /** Messages that the record before stands for. */
  readonly from: number;
  /** In their order; `undefined` where one is gone. */
  readonly messages: readonly (Message | undefined)[];
}

/**
 * Reads the originals of a record that was found and of those that it continues, of so many records, the oldest first.
 *
 * @throws {SummarizationError} when the store did not answer: what cannot be read now is not to count as lost.
 */
export async function originalsOf(
  found: FoundState,
  most: number,
): Promise<readonly RecordOriginals[]> {
  const { documents, kept } = found;
  if (kept === undefined) return [];
  const { readOriginals } = await import('../../state/archive/stored-archive.ts');
  const { readChain } = await import('../../state/conversation/stored-conversation.ts');
  const chain = (await readChain(documents, kept)).slice(0, most);
  const originals: RecordOriginals[] = [];
  for (const { figures, from, archiveId } of chain.toReversed()) {
    const messages = await readOriginals(documents.store, archiveId);
    const lost = Math.max(0, figures.coveredMessages - from - messages.length);
    const gone = Array.from({ length: lost }, () => undefined);
    originals.push({ id: figures.id, from, messages: [...messages, ...gone] });
  }
  checkAnswered(found);
  return originals;
}

/**
 * Reads a value as a record.
 *
 * @param option - Name of the option.
 * @throws {SummarizationOptionError} naming what of it is wrong.
 */
export function checkedRecord(record: unknown, option: string, allowed: string): SummaryRecord {
  const { data, error } = summaryRecordSchema.safeParse(record);
  const path = error?.issues[0]?.path.join('.') ?? '';
  const wrong = path === '' ? '' : `; its ${path} is wrong`;
  checkThat(data !== undefined, option, record, allowed + wrong);
  return data;
}
