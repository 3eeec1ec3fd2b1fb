import type { ArchivePolicy } from '../../archive/archive-policy.ts';
import type { Message } from '../../prompt/prompt-types.ts';
import type { SummaryRecord } from '../../record/summary-record.ts';
import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import type { ProcessCopy } from '../lookup/process-copy.ts';
import type { StateScope } from '../prefixes/state-scope.ts';

/** How long state is kept and waited for. */
export interface StateTimes {
  /** Milliseconds a call waits for the store where paying would follow. */
  readonly storeTimeoutMs: number;
  /** Milliseconds a record is kept after it was written. */
  readonly retentionMs: number;
  /** Milliseconds the texts of a record are kept after another one took its place. */
  readonly supersededTtlMs: number;
}

/** Where the records of a conversation are, and how they are kept. */
export interface StatePlace {
  readonly copy: ProcessCopy;
  /** What the process files the conversation under. */
  readonly home: string;
  readonly scope: StateScope;
  readonly store: SealedStore;
  readonly times: StateTimes;
  /** How originals are kept, if they are. */
  readonly archive: ArchivePolicy | undefined;
}

/** The same, of a conversation that is being sent. */
export interface SentPlace extends StatePlace {
  /** The messages that a record newly stands for, where they are all sent. */
  readonly originalsOf: (record: SummaryRecord) => Promise<readonly Message[] | undefined>;
}
