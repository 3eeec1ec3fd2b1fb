import type { ArchivePolicy } from '../archive/stored-archive.ts';
import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { Joins } from '../planning/plan.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { LastSummarization, StoredSummary } from '../record/stored-summary.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import type { GuardedStore } from '../stores/guarded-store.ts';
import type { StoreKeyring } from '../stores/store-keys.ts';
import type { Standing } from './document.ts';
import type { BegunSummary, ProcessCopy } from './process-copy.ts';

/** How long state is kept and waited for. */
export interface StateTimes {
  /** Milliseconds a call waits for the store where paying would follow. */
  readonly storeTimeoutMs: number;
  /** Milliseconds a record is kept after it was written. */
  readonly retentionMs: number;
  /** Milliseconds the texts of a record are kept after another one took its place. */
  readonly supersededTtlMs: number;
}

/** Epochs of the documents of a conversation. */
export type Epochs = ReadonlyMap<string, string>;

/** What a conversation is opened with. */
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
  /** Epochs at an earlier time, from which on it counts as erased. */
  readonly epochs?: Epochs | undefined;
  /** Told where summaries are known, and none of what they stand for is sent any more. */
  readonly onGap: () => void;
}

/** That this process writes the next summary. */
export interface Claim {
  /** Who writes it, also where the store does not know. */
  readonly token: string;
  /** Says that it is no more. Never rejects. */
  readonly end: () => Promise<void>;
}

/** A record that this process is writing. */
export interface BegunRecord {
  readonly key: string;
  readonly end: () => void;
}

/** Somebody who wants to write a summary. */
export interface Turn {
  readonly token: string;
  /** Which other summary will do as well. */
  readonly joins: Joins;
  /** Beats of others, and since when: one that does not change any more has ended. */
  readonly seen: Map<string, number>;
}

/** The state of one conversation, as one request sees it. Nothing of it rejects because of the store. */
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
  /** The same as `find`, when the store was asked whatever is known: before a summary is paid for. */
  readonly findBeforePaying: () => Promise<StoredSummary | undefined>;
  /**
   * The summary that was prepared to continue what `find` found, as far as this process knows: it stands in no
   * prompt before it is due.
   */
  readonly findPrepared: () => Promise<StoredSummary | undefined>;
  /** The same, which this request goes on from as if it had been found. */
  readonly take: () => Promise<StoredSummary | undefined>;
  /** Lets a prepared summary be found from now on: by this process at once, by the others when it resolves. */
  readonly putInPlace: (prepared: StoredSummary, standing: Standing) => Promise<void>;
  /**
   * How the prompt stands where the newest summary of the conversation was undone: no other one is due before
   * it has grown from there.
   */
  readonly held: () => Promise<LastSummarization | undefined>;
  /** Epochs as they were first seen. */
  readonly epochs: () => Epochs;
  /** Whether the conversation has been erased since then, as far as the store was asked. */
  readonly isErased: () => boolean;
  /** Whether the store has not failed to answer in time in this request: nobody waits for it twice. */
  readonly isAnswered: () => boolean;
  /** The summary that this process is writing to continue what `find` found. */
  readonly findWriting: () => Promise<BegunSummary | undefined>;
  /**
   * Says in this process that a summary of so many messages is being written, unless one of the conversation is that
   * will do as well.
   *
   * @returns the key of the record that is being written, and what says that it is no more.
   */
  readonly begin: (count: number, joins: Joins) => Promise<BegunRecord>;
  /**
   * Says to all processes that this one writes the summary of the first `count` messages, unless there is one that
   * continues what `find` found, or another process writes it.
   *
   * @returns `taken` while another process writes it.
   */
  readonly claim: (count: number, turn: Turn) => Promise<Claim | StoredSummary | 'taken'>;
  /**
   * Reserves the preparation of a summary that continues what `find` found, of those of this process.
   *
   * @returns what ends it; `undefined` while somebody else has it.
   */
  readonly reservePreparation: () => Promise<(() => void) | undefined>;
  /** Resolves when nobody of this process prepares one. */
  readonly preparationEnded: () => Promise<void>;
  /** What the next summary continues: what another process kept first, where that is not what is sent. */
  readonly toContinue: () => StoredSummary | undefined;
  /** Key of the record of the first `count` messages that identify the conversation, of which digits are its id. */
  readonly keyOf: (count: number) => Promise<string>;
  /** The digests by which a record is found again without an id. */
  readonly openings: () => Promise<readonly string[] | undefined>;
  /**
   * Keeps a summary, and stores it unless another process has stored one of the same messages; returns the one that
   * was first: everybody sends the same bytes.
   *
   * @returns `undefined` where it is dropped because of an erasure or an undoing.
   */
  readonly save: (summary: StoredSummary, claim: Claim) => Promise<StoredSummary | undefined>;
  /** Whether the store has a record. */
  readonly isStored: (record: SummaryRecord) => Promise<boolean>;
  /** Whether the conversation has been erased since it was opened; asks the store. */
  readonly isErasedSince: () => Promise<boolean>;
}
