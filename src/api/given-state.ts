import { checkThat, checked } from '../checks/check-object.ts';
import {
  type OptionRule,
  type OptionRules,
  anyString,
  anyText,
  checkedElsewhere,
  optionsOf,
  rule,
  secretAllowed,
  secretRule,
} from '../checks/option-rule.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import { type ProcessCopy, processCopyOf } from '../state/process-copy.ts';
import { type GivenStore, storeRule, usedStore } from '../stores/summary-store.ts';
import { type SealedStore, guardedStore, sealedStore } from '../stores/sealed-store.ts';
import { processSecret } from '../stores/store-options.ts';
import { type StoreKeys, storeKeyring } from '../stores/store-keys.ts';
import {
  type ConversationIdentity,
  identifyConversation,
} from '../identity/conversation-identity.ts';
import { splitSystem } from '../prompt/prompt-types.ts';
import {
  type Conversation,
  checkMessages,
  readMessages,
  standInTools,
} from './given-conversation.ts';
import { recordIdOf } from '../record/build-record.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { conversationKeys } from '../state/conversation-keys.ts';
import type { StoredConversation, StoredPlace } from '../state/stored-conversation.ts';
import { isObject } from '../util/is-object.ts';
import type { WholeRecord } from '../state/document.ts';

/** Whose state a function works on: as the middleware was given it. */
export interface StateInput {
  /** The store object of the middleware, so that what this process knows of it is reached too. */
  readonly store: GivenStore;
  /** The `secret` of the middleware. Required for a store that other processes share. */
  readonly secret?: string | readonly string[] | undefined;
  /**
   * The `namespace` of the middleware or of the calls.
   * @default ''
   */
  readonly namespace?: string | undefined;
}

/** State as a function on it sees it. */
export interface OpenState {
  /** With the current secret, then with the former one. */
  readonly stores: readonly [SealedStore, ...SealedStore[]];
  readonly copy: ProcessCopy;
  /** What went wrong first: `undefined` when the store has answered all that it was asked. */
  readonly fault: () => unknown;
}

/** Milliseconds that one operation of the store may take. */
const timeoutMs = 10_000;

const stateRules: OptionRules<StateInput> = {
  store: storeRule,
  secret: secretRule,
  namespace: anyString,
};

/**
 * Checks what a function on state is given.
 *
 * @throws {SummarizationOptionError} naming what is wrong and what is allowed.
 */
export function checkStateInput(
  input: StateInput,
  rules: Readonly<Record<string, OptionRule>>,
): void {
  const allowed = 'an object with store';
  const all: OptionRules<StateInput> = { ...stateRules, ...rules };
  checked(optionsOf(all, { allowed, required: ['store'] }), input, 'input');
  const canBeFound = input.secret !== undefined || input.store.isLocal === true;
  checkThat(canBeFound, 'secret', input.secret, `for a shared store, ${secretAllowed}`);
}

/** Opens the state that a function works on. */
export function openState(input: StateInput): OpenState {
  const { secret = processSecret(), namespace = '' } = input;
  const store = usedStore(input.store);
  let fault: unknown;
  const guarded = guardedStore(store)({ onFault: (error) => (fault ??= error) });
  // One that is left alone in an outage is not asked at all.
  const watched: Parameters<typeof sealedStore>[0] = {
    ask: async (...given) => {
      const answer = await guarded.ask(...given);
      if (answer === undefined)
        fault ??= new Error('The store is not asked for a while after an outage.');
      return answer;
    },
  };
  const wait = { timeoutMs, isUrgent: true };
  const sealed = (keys: StoreKeys): SealedStore => sealedStore(watched, keys, wait);
  const [current, ...former] = storeKeyring({ secret, namespace });
  return {
    stores: [sealed(current), ...former.map(sealed)],
    copy: processCopyOf(store),
    fault: () => fault,
  };
}

/** What a function on state throws when the store did not do what it was to do. */
export function storeFailure(message: string, cause: unknown): SummarizationError {
  return new SummarizationError({ reason: 'store', message, retryable: true, cause });
}

/** @throws {SummarizationError} unless the store has answered all that it was asked. */
export function checkAnswered({ fault }: Pick<OpenState, 'fault'>): void {
  if (fault() !== undefined) throw storeFailure('The store did not answer.', fault());
}

/** Whose state it is: a conversation, by one of the two. */
export type GivenState =
  | {
      /** The `conversationId` that its calls carry. */
      readonly conversationId: string;
      readonly messages?: undefined;
    }
  | {
      /** Of a conversation without an id, all messages, as its last call sent them. */
      readonly messages: Conversation;
      readonly conversationId?: undefined;
    };

/** Rules of what {@link GivenState} adds to an input. */
export const givenStateRules: Readonly<Record<keyof GivenState, OptionRule>> = {
  conversationId: anyText,
  messages: checkedElsewhere,
};

/**
 * The identity of a conversation that is given by its messages; `undefined` for one that is given by its id.
 *
 * @throws {SummarizationOptionError} when it is given by both or none, or a message cannot be read.
 */
export async function identityOfGiven({
  conversationId,
  messages,
}: Pick<Partial<GivenState>, 'conversationId' | 'messages'>): Promise<
  ConversationIdentity | undefined
> {
  const isOne = (conversationId === undefined) !== (messages === undefined);
  checkThat(isOne, 'conversationId', conversationId, 'given, or messages, and not both');
  if (messages === undefined) return undefined;
  checkMessages(messages, 'messages');
  const prompt = await readMessages(messages, 'messages', standInTools(messages));
  return identifyConversation(splitSystem(prompt).conversation);
}

/** A record, or an entry of `listSummaries`. */
export type GivenRecord = Pick<SummaryRecord, 'id' | 'prefixDigest' | 'openingDigests'>;

export const recordRule: OptionRule<GivenRecord> = rule(
  'a record, or an entry of listSummaries',
  (value) =>
    isObject(value) && typeof value['id'] === 'string' && typeof value['prefixDigest'] === 'string',
);

/**
 * Where the conversation of a record is.
 *
 * @throws {SummarizationOptionError} when it belongs to another namespace, conversation or secret: its id is
 * derived from all three.
 */
export async function placeOfRecord(
  { stores, copy }: OpenState,
  conversationId: string | undefined,
  { id, prefixDigest, openingDigests }: GivenRecord,
): Promise<StoredPlace> {
  const names = conversationKeys(openingDigests, conversationId);
  for (const { keys } of stores)
    if (recordIdOf(await names.recordKey(keys, prefixDigest)) === id)
      return { stores, copy, names };
  const allowed = 'a record of this conversationId (or of none), namespace and secret';
  checkThat(false, 'record', { id, prefixDigest }, allowed);
}

/** What was found of a conversation. */
export interface FoundConversation extends Pick<OpenState, 'fault'> {
  /** What it says; `undefined` when it is given by its id. */
  readonly identity: ConversationIdentity | undefined;
  /** Its newest record; `undefined` where there is none. */
  readonly found?: { readonly conversation: StoredConversation; readonly newest: WholeRecord };
}

/** Finds the newest record of a conversation. */
export async function storedConversation(
  input: StateInput & GivenState,
): Promise<FoundConversation> {
  const identity = await identityOfGiven(input);
  const { stores, copy, fault } = openState(input);
  const names = conversationKeys(identity, input.conversationId);
  const { newestRecord, readConversationState } = await import('../state/stored-conversation.ts');
  const conversation = await readConversationState({ stores, copy, names });
  const newest = await newestRecord(conversation, identity);
  return { identity, fault, ...(newest && { found: { conversation, newest } }) };
}
