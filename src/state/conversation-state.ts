import type { ArchivePolicy } from '../archive/archive-policy.ts';
import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { Joins } from '../planning/plan.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { LastSummarization, StoredSummary } from '../record/stored-summary.ts';
import type { GuardedStore } from '../stores/guard/guarded-store.ts';
import type { StoreKeyring } from '../stores/seal/store-keys.ts';
import type { Claim } from './changes/claim-summary.ts';
import type { ProcessCopy } from './lookup/process-copy.ts';
import type { Standing } from './changes/prepared-summary.ts';
import type { StateTimes } from './changes/state-place.ts';
import type { Erasures } from './lookup/was-erased.ts';

/** The state of one conversation, as one request sees it. */
export interface ConversationState {
  /**
   * How the conversation counts: from its beginning, also where a client sends only its end. That is known
   * once a summary was found.
   */
  readonly identity: () => ConversationIdentity;
  /**
   * The longest summary of this conversation that this process knows; the store is compared with it beside
   * the call. About a conversation of which it was never asked the store is asked first, for a moment.
   */
  readonly find: () => Promise<StoredSummary | undefined>;
  /** Resolves when the summaries of the conversation are saved that this process is saving now. */
  readonly saved: () => Promise<void>;
  /** The same as `find`, when the store was asked whatever is known: before a summary is paid for. */
  readonly findBeforePaying: () => Promise<StoredSummary | undefined>;
  /**
   * The summary that was prepared to continue what `find` found, as far as this process knows: it stands in no
   * prompt before it is due.
   */
  readonly findPrepared: () => Promise<StoredSummary | undefined>;
  /** The same, which this request goes on from as if it had been found. */
  readonly take: () => Promise<StoredSummary | undefined>;
  /**
   * Lets a prepared summary be found from now on: known to this process at once, and to the others when it
   * resolves. Never rejects.
   */
  readonly putInPlace: (prepared: StoredSummary, standing: Standing) => Promise<void>;
  /**
   * How the prompt stands where the newest summary of the conversation was undone: no other one is due before
   * it has grown from there.
   */
  readonly held: () => Promise<LastSummarization | undefined>;
  /** Erasures of the conversation's lists as they were first seen. */
  readonly erasures: () => Erasures;
  /** Whether the conversation has been erased since then, as far as the store was asked. */
  readonly isErased: () => boolean;
  /** Whether the store has not failed to answer in time in this request: nobody waits for it twice. */
  readonly isAnswered: () => boolean;
  /**
   * How many messages the summary stands for that this process is writing to continue what `find` found; `undefined`
   * where there is none.
   */
  readonly findWriting: () => Promise<number | undefined>;
  /**
   * Says that a summary of the first `count` messages is being written, unless one of this conversation is.
   *
   * @returns how many messages the other one stands for, where there is one.
   */
  readonly claim: (count: number, joins: Joins) => Promise<Claim | number>;
  /**
   * Reserves the preparation of a summary that continues what `find` found, of those of this process.
   *
   * @returns what ends it; `undefined` while somebody else has it.
   */
  readonly reservePreparation: () => Promise<(() => void) | undefined>;
  /** What the next summary continues: what another process stored first, where that is not what is sent. */
  readonly toContinue: () => StoredSummary | undefined;
  /** Store key of the summary of the first `count` messages that identify the conversation. */
  readonly keyOf: (count: number) => Promise<string>;
  /** The stored summary under such a key. */
  readonly read: (key: string) => Promise<StoredSummary | undefined>;
  /**
   * Keeps a summary, and stores it unless another process has stored one for the same prefix; returns the
   * one that was first: everybody sends the same bytes. Where the conversation was erased after `read` was
   * called for its key, it is not kept.
   */
  readonly save: (key: string, summary: StoredSummary) => Promise<StoredSummary>;
  /** Whether nothing that was saved was dropped, because of an erasure or an undoing since it was begun. */
  readonly isKept: () => boolean;
  /** Whether the conversation has been erased since `read` was called for a key; asks the store. */
  readonly isErasedSince: (key: string) => Promise<boolean>;
}

/** What the state of a conversation is opened with. */
export interface ConversationStateOptions {
  readonly store: GuardedStore;
  readonly copy: ProcessCopy;
  readonly keyring: StoreKeyring;
  readonly times: StateTimes;
  /** How originals are kept, if they are. */
  readonly archive?: ArchivePolicy | undefined;
  readonly identity: ConversationIdentity;
  /** What is sent of it. */
  readonly conversation: readonly Message[];
  /** Only narrows the search: digests decide. */
  readonly conversationId?: string | undefined;
  /** Messages below which a conversation has no summary, unless it needed one. */
  readonly minMessages: number;
  /** Erasures of its lists at an earlier time, from which on it counts as erased. */
  readonly erasures?: Erasures | undefined;
  /** Told where summaries are known, and none of what they stand for is sent any more. */
  readonly onGap: () => void;
}
