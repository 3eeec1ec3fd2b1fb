import type { JSONValue } from 'ai';
import type { ItemOrigin } from './item-origin.ts';

/** An open or finished task that the summarised messages speak of. */
export interface ActionItem {
  /** Who does it, if the conversation says so. */
  readonly owner?: string | undefined;
  /** What is to be done. */
  readonly task: string;
  /** When it is due, in the conversation's own words. */
  readonly due?: string | undefined;
}

/** The itemised part of a summary. Every list holds short, self-contained statements. */
export interface SummaryContext {
  /** People, agents and systems that take part. */
  readonly participants: readonly string[];
  /** What was decided. */
  readonly decisions: readonly string[];
  /** Tasks that are still to be done. */
  readonly actionItems: readonly ActionItem[];
  /** Open questions and problems. */
  readonly unresolved: readonly string[];
  /** Files, classes, APIs, identifiers, products and places, spelled as in the conversation. */
  readonly domainEntities: readonly string[];
  /**
   * Rules of the user that hold, as a model understood them: each stands in a message of the user with half of its
   * words or more. At most 64.
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
  readonly replacedConstraints?: readonly ReplacedConstraint[] | undefined;
  /**
   * What the user said, word for word, oldest first: whole messages, and of those that there is no room for whole
   * sentences. What an application marks as not the user's is not among it.
   * @default []
   */
  readonly userWords?: readonly string[] | undefined;
  /**
   * What the strategy keeps for itself: JSON of at most 8,000 characters and 32 levels, handed back to it in
   * `previous`. Stored, and carried by records whose strategy returns none; in no prompt and never read.
   * @default what the record before carried
   */
  readonly raw?: JSONValue | undefined;
}

/** A rule that the user has ended. */
export interface ReplacedConstraint {
  readonly rule: string;
  /** The user's newer words that ended it. */
  readonly by: string;
}

/** A list of a summary's content. */
export type ItemField = 'keyPoints' | keyof Omit<SummaryContext, 'unshownConstraints' | 'raw'>;

/** The origin of each item, list by list: each as long as the list it belongs to. */
export type ItemOrigins = Readonly<Record<ItemField, readonly ItemOrigin[]>>;

/** What a strategy writes. Every other field of a {@link SummaryRecord} is computed. */
export interface SummaryContent {
  /** Narrative in the third person, past tense and the user's language. */
  readonly summary: string;
  /**
   * What code adds in the room that a model's summary leaves: lines of the conversation, in its order. Of
   * earlier ones the oldest leave first.
   * @default none
   */
  readonly minutes?: string | undefined;
  /** Most important first; as many as the budget holds. */
  readonly keyPoints: readonly string[];
  readonly context: SummaryContext;
  /**
   * Where the items come from. What names no message of the conversation, or none of that role, counts as
   * the model's.
   * @default all the model's
   */
  readonly origins?: { readonly [Field in ItemField]?: ItemOrigins[Field] | undefined } | undefined;
}

/**
 * How much there was to condense: by default below 100, 500, 3,000 and 15,000 tokens, or more. What
 * `summarize` has to read in chunks is DETAILED at least.
 */
export type SummaryLevel = 'NONE' | 'BRIEF' | 'STANDARD' | 'DETAILED' | 'HIERARCHICAL';

/** Sizes of one summarisation. */
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
  readonly version: 2;
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
  /** Digest of the whole summarised prefix; it decides whether the record applies to a prompt. */
  readonly prefixDigest: string;
  /** Digests of the first messages, by which a record is found again whose conversation has no id. */
  readonly openingDigests?: readonly string[] | undefined;
  /** Name of the strategy that wrote it, such as `llm`. */
  readonly strategy: string;
  /** Whether a fallback wrote it. */
  readonly degraded: boolean;
  readonly metrics: SummaryMetrics;
}

/** What of a record is not its content: kept when its texts have left. */
export type RecordFigures = Omit<SummaryRecord, 'version' | keyof SummaryContent>;
