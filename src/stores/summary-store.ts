/** Options of {@link SummaryStore.set}. */
export interface SummaryStoreSetOptions {
  /** Write only when the key holds nothing. */
  readonly ifAbsent?: boolean | undefined;
  /** Milliseconds after which the entry may be forgotten. */
  readonly ttlMs?: number | undefined;
}

/**
 * Keeps summaries between requests. Small and string-valued, so that any key-value store can back it.
 * Keys are hexadecimal, fixed in length and unguessable; values are JSON.
 */
export interface SummaryStore {
  /** Returns the value of a key. Anything that is not a string, such as `null`, says that there is none. */
  readonly get: (key: string) => Promise<string | null | undefined>;
  /**
   * Writes a value. Resolves to `true` when it was written, to `false` when `ifAbsent` was asked for and the
   * key was taken. Anything else, such as a client's `'OK'`, is no evidence of a write and counts as none.
   */
  readonly set: (key: string, value: string, options?: SummaryStoreSetOptions) => Promise<boolean>;
  /** Removes a key; removing what is not there is no error. */
  readonly delete: (key: string) => Promise<void>;
  /**
   * Called when a conversation was erased: resolves when nothing that was deleted or overwritten stands in a file of
   * the store any more, its journals included. A store without files of its own leaves it out.
   */
  readonly scrub?: (() => Promise<void>) | undefined;
  /**
   * Whether the store lives in the memory of this process, answers at once and ends with the process. Such
   * a one needs no `secret`, and no timer while it does answer at once.
   * @default false
   */
  readonly isLocal?: boolean | undefined;
  /** Tells without delay that the store holds nothing, so that it need not be asked. */
  readonly isEmpty?: (() => boolean) | undefined;
}
