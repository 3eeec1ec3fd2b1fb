import type { JSONValue } from 'ai';

/** An open or finished task in the summarized messages. */
export interface ActionItem {
  /** The owner, if the conversation names one. */
  readonly owner?: string | undefined;
  /** The task itself. */
  readonly task: string;
  /** When it is due, in the conversation's own words. */
  readonly due?: string | undefined;
}

/** The itemised part of a summary. Every list holds short, self-contained statements. */
export interface SummaryContext {
  /** Participants, filled by code: roles, and the names of speakers in texts that the user pastes. */
  readonly participants: readonly string[];
  /** Decisions of the conversation. */
  readonly decisions: readonly string[];
  /** Tasks that are still to be done. */
  readonly actionItems: readonly ActionItem[];
  /** Open questions and problems. */
  readonly unresolved: readonly string[];
  /** Files, classes, APIs, identifiers, products and places, spelled as in the conversation. */
  readonly domainEntities: readonly string[];
  /**
   * Constraints of the user that hold, which a model pointed at: whole sentences or clauses of the user's own messages.
   * A constraint that changed in part is as the model restates it in the user's words, or else followed by `→ now:` and
   * the sentence that changed it. At most 64.
   */
  readonly constraints: readonly string[];
  /**
   * Positions in `constraints` of those that the budget has no room for: they hold, and stand in the record
   * alone, not in prompts.
   * @default []
   */
  readonly unshownConstraints?: readonly number[] | undefined;
  /**
   * Rules that the user has ended, in the order in which they were ended.
   * @default []
   */
  readonly endedConstraints?: readonly EndedConstraint[] | undefined;
  /**
   * User quotes, word for word, oldest first: whole messages, or whole sentences if there is no room for the message.
   * Text that an application marks as not the user's is excluded.
   * @default []
   */
  readonly userQuotes?: readonly string[] | undefined;
  /**
   * Data of the strategy itself: JSON of at most 8,000 characters, returned to it in `previous`. Stored, and carried
   * by records whose strategy returns none; in no prompt and never read.
   * @default what the record before carried
   */
  readonly raw?: JSONValue | undefined;
}

/** A rule that the user has ended. */
export interface EndedConstraint {
  readonly rule: string;
  /** The user's newer words that ended it. */
  readonly by: string;
}

/** Role of the message that an item comes from; `model` if no message supports it. */
export type OriginRole = 'user' | 'assistant' | 'tool' | 'system' | 'model';

/** Where an item of a record comes from. Stamped by code, whatever a model cites. */
export interface ItemOrigin {
  readonly role: OriginRole;
  /**
   * Position of the message in the conversation, from 0; messages of nothing but reasoning do not count.
   * Absent for `model`, and only there.
   */
  readonly message?: number | undefined;
}

/** The origin of what no message supports. */
export const modelOrigin: ItemOrigin = { role: 'model' };

/** Mark after a value without evidence, in an item without an origin. */
export const doubtMark = '(unconfirmed)';

/** A list of a summary's content. */
export type ItemField = 'keyPoints' | keyof Omit<SummaryContext, 'unshownConstraints' | 'raw'>;

/** The origin of each item, list by list: each as long as the list it belongs to. */
export type ItemOrigins = Readonly<Record<ItemField, readonly ItemOrigin[]>>;

/** Content of a record, as a strategy writes it. Every other field of a {@link SummaryRecord} is computed. */
export interface SummaryContent {
  /** Narrative in the third person, past tense and the user's language. */
  readonly summary: string;
  /**
   * Activity log that code adds in the remaining room: lines of the conversation, in its order. Of earlier lines, the
   * oldest are dropped first.
   * @default none
   */
  readonly activity?: string | undefined;
  /**
   * The last state of a tool whose every call replaces the one before, such as a list of todos: an entry a line.
   * @default none
   */
  readonly plan?: string | undefined;
  /** Most important first; as many as the budget holds. */
  readonly keyPoints: readonly string[];
  readonly context: SummaryContext;
  /**
   * Where the items come from. An origin that names no message of the conversation, or none of that role, counts as
   * the model's.
   * @default all the model's
   */
  readonly origins?: { readonly [Field in ItemField]?: ItemOrigins[Field] | undefined } | undefined;
}

/**
 * How much there was to condense: by default below 100, 500, 3,000 and 15,000 tokens, or more. A text that
 * `summarize` has to read in chunks is DETAILED at least.
 */
export type SummaryLevel = 'NONE' | 'BRIEF' | 'STANDARD' | 'DETAILED' | 'HIERARCHICAL';

/** Sizes of one summary. */
export interface SummaryMetrics {
  /** Tokens of the messages (and of the previous summary) that the record replaces. */
  readonly inputTokens: number;
  /** Tokens of the summary as it is injected. */
  readonly outputTokens: number;
  /** `outputTokens / inputTokens`, clamped to [0, 1]. */
  readonly compressionRatio: number;
  readonly level: SummaryLevel;
}

/** A stored summary of the first `coveredMessages` messages of a conversation that identify it. */
export interface SummaryRecord extends SummaryContent {
  readonly version: 3;
  readonly origins: ItemOrigins;
  /** Derived from the store key, so that every process computes the same one. */
  readonly id: string;
  /** Milliseconds since the epoch at which the record was made. Never part of a prompt. */
  readonly timestamp: number;
  /** Generations of narrative written from narrative; 0 is written from messages alone. */
  readonly depth: number;
  /** `id` of the record this one continues. */
  readonly parentId?: string | undefined;
  /** Messages it stands for, from the beginning; those of nothing but reasoning do not count. */
  readonly coveredMessages: number;
  /** Digest of the whole summarized prefix; it decides whether the record applies to a prompt. */
  readonly prefixDigest: string;
  /** Digests of the first messages, by which a record is found again whose conversation has no id. */
  readonly openingDigests?: readonly string[] | undefined;
  /** Name of the strategy that wrote it, such as `llm`. */
  readonly strategy: string;
  /** Whether a fallback wrote it. */
  readonly degraded: boolean;
  readonly metrics: SummaryMetrics;
}

/** Fields of a record beside its content: they stay when its texts expire. */
export type RecordFigures = Omit<SummaryRecord, 'version' | keyof SummaryContent>;

/** State of the prompt right after the last summary; cooldown and arming are read from it. */
export interface LastSummarization {
  readonly depth: number;
  /** Significant messages of the conversation at that time, with the summarized ones. */
  readonly messageCount: number;
  /** Tokens of the rewritten prompt over the tokens that a prompt may have. */
  readonly tokenRatio: number;
}

/** The summary of one chunk of a text, or of a group of such summaries. */
export interface ChunkSummary {
  /** Place among the summaries of its kind, from 0. */
  readonly chunkIndex: number;
  readonly content: string;
  /** Tokens of `content`. */
  readonly tokenCount: number;
  /** Tokens of what it was made from: the chunk, or the group's summaries. */
  readonly sourceTokens: number;
  /**
   * Index in `l2Summaries` of the group it was merged into; `undefined` when the final summary was made
   * from it.
   */
  readonly parentGroup: number | undefined;
}

/** The summaries a long text was condensed through. */
export interface HierarchicalSummary {
  /** One for each chunk, in the order of the text. */
  readonly l1Summaries: readonly ChunkSummary[];
  /**
   * One for each group; groups of groups follow the groups they hold. Empty below
   * HIERARCHICAL, unless the model reads too little to merge all chunks at once.
   */
  readonly l2Summaries: readonly ChunkSummary[];
  /** The final summary. */
  readonly l3Summary: string;
  /** Tokens a chunk had at most, its overlap with the chunk before included. */
  readonly chunkSize: number;
  /** Tokens of the end of the chunk before that a chunk begins with. */
  readonly chunkOverlap: number;
}

/** A text and how it was condensed; from `summarize` sizes are those of the text and of `summary`. */
export interface SummaryResult extends SummaryMetrics {
  /** From `summarize` at level NONE the text itself; `''` for a blank one. */
  readonly summary: string;
  /**
   * Present when the text was read in chunks; from `summarize` always at the levels DETAILED and
   * HIERARCHICAL.
   */
  readonly hierarchical?: HierarchicalSummary | undefined;
}
