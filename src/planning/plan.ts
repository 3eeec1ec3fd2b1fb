import type { Composition, CompositionStyle } from '../composing/compose-prompt.ts';
import type { SummarizationError } from '../errors/summarization-error.ts';
import type { ToolResultOptions } from '../strategies/tool-summary.ts';
import type { CallOptions, Message, Prompt } from '../prompt/prompt-types.ts';
import type { ConversationView } from '../selection/conversation-view.ts';
import type { SizeInterval } from '../sizing/size-call.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';
import type { TriggerDecision, TriggerPolicy, TriggerReason, TriggerSnapshot } from './decide.ts';

/** What the next record will summarise. */
export interface SummaryRange {
  /** Index in the conversation of the first message that no record summarises yet. */
  readonly start: number;
  /** Index in the conversation at which the recent messages begin. */
  readonly cut: number;
  /** Messages before the cut that identify the conversation. */
  readonly count: number;
}

/** How much of a conversation is summarised. */
export interface RangePolicy {
  /** Tokens the prompt may take. */
  readonly limit: number;
  /** Messages to keep at the end. */
  readonly preserveRecent: number;
  /** Share of the limit up to which the recent messages grow beyond `preserveRecent`. */
  readonly preserveRecentTokenRatio: number;
  /** Tokens the injected summary may take. */
  readonly maxSummaryTokens: number;
}

/** What a summary would do. */
export interface SummarizationPlan {
  /** Messages the record would cover, from the beginning. */
  readonly coveredMessages: number;
  /** Messages of the tail that stay verbatim. */
  readonly tailMessages: number;
  /** Tokens of the messages a summarising model would read, before its own instructions. */
  readonly summarizerInputTokens: number;
  /** Calls of it that this would take, where none fails: an estimate; 0 where code writes. */
  readonly summarizerCalls: number;
  /** The most tokens the summary would take. */
  readonly maxSummaryTokens: number;
}

/** A summary that is about to be made. */
export interface ProposedSummary extends SummarizationPlan {
  /** What triggered it. */
  readonly reason: TriggerReason;
  /** The messages that no summary stands for so far, and this one would. */
  readonly messages: readonly Message[];
  /** Tokens of the prompt as it stands. */
  readonly tokens: number;
  /** Tokens the model accepts, less the room for the answer. */
  readonly limit: number;
  /** Whether the prompt could be sent as it stands. */
  readonly fits: boolean;
}

/** What of a proposal is to be done: all of it, nothing, or up to an index. */
export type Verdict = boolean | { readonly upTo: number };

/** What is known of a call before anything is done about it. */
export interface CallFacts {
  /** The call without the package's own options. */
  readonly params: CallOptions;
  readonly view: ConversationView;
  /** The prompt as it would be sent if nothing were done. */
  readonly prompt: Prompt;
  /** The stored record that applies, in its place. */
  readonly composition: Composition | undefined;
  readonly snapshot: Omit<TriggerSnapshot, 'tokens' | 'fixedTokens'>;
  readonly policy: TriggerPolicy & RangePolicy;
  /**
   * Index in the conversation up to which a summary is wanted by who asked for one, caller or agent. Moved to a
   * legal cut.
   */
  readonly boundary?: number | undefined;
  /** Whether the caller has said where a summary ends or what it looks to, so that no other one will do. */
  readonly isToOrder: boolean;
  /** Sizes of the prompt as it stands, see `sizeCall`. */
  readonly sizes: AsyncIterable<SizeInterval>;
  /** What stands beside a summary. */
  readonly style: Pick<CompositionStyle, 'userTextCharacters'>;
  /** Calls of models that a summary of so many tokens would take, as o200k counts them. */
  readonly callsFor: (tokens: number) => number;
  /** Whether there is a strategy to summarise with. */
  readonly canSummarize: boolean;
  /** How old tool results are condensed, where that is to be tried before a summary. */
  readonly condensing: ToolResultOptions | undefined;
  /** Whether a summary is prepared that can be put in place when one is due. */
  readonly canPutInPlace: boolean;
  /** Messages that the summary stands for that is being written already; `undefined` where there is none. */
  readonly writing: number | undefined;
  /** How a summary of so many messages that identify the conversation failed a short while ago. */
  readonly recentFailure: (count: number) => Promise<SummarizationError | undefined>;
  /** Whether summaries of a window that slides were paid for before, and not found again. */
  readonly isSliding: () => Promise<boolean>;
  /** Asks the application about a summary that would be made. Does not fail. */
  readonly consider?: ((proposal: ProposedSummary) => Promise<Verdict>) | undefined;
}

/** What `onBeforeSummarize` may answer. */
export type SummaryVerdict = boolean | { readonly upTo: number } | undefined | void;

/** Whether another summary of the conversation that is being written is waited for instead of making one. */
export type Joins = 'any' | 'none';

/** Why a plan is what it is: why it was triggered, or why nothing is summarised although it was. */
export type PlanReason =
  | TriggerReason
  | 'no-strategy'
  | 'nothing-to-cover'
  | 'recent-failure'
  | 'sliding-window'
  | 'declined';

/** What every plan says. */
interface PlanFigures {
  readonly reason: PlanReason;
  /** What the trigger says. */
  readonly decision: TriggerDecision;
  /** The size that it was decided at, known as well as the decision needed. */
  readonly size: SizeInterval;
  /** Tokens of the prompt as it stands, a stored record applied: the best figure at hand. */
  readonly tokens: number;
}

/** A call whose trigger has fired. */
export interface TriggeredCall extends PlanFigures {
  readonly measure: TokenMeasure;
}

/** What is to be done about a call. */
export type Plan = PlanFigures &
  (
    | {
        /**
         * The call is not ours to touch; is sent as it is; is sent with its stored record; is planned anew with the
         * prepared summary in its place, which is due.
         */
        readonly step: 'stand-aside' | 'send' | 'apply' | 'put-in-place';
        readonly measure?: undefined;
      }
    /** Condensing old tool results is enough. */
    | { readonly step: 'condense'; readonly measure: TokenMeasure; readonly prompt: Prompt }
    | {
        readonly step: 'summarize';
        readonly measure: TokenMeasure;
        readonly range: SummaryRange;
        readonly joins: Joins;
      }
    | {
        /** No summary will be made: the prompt is sent as it stands, shortened if it has to be. */
        readonly step: 'fit';
        readonly measure: TokenMeasure;
        /** How the same summary failed a short while ago. */
        readonly failure?: SummarizationError | undefined;
      }
  );

/** What a summary would cost and save, in tokens at the price of uncached input of the model of the conversation. */
export interface SummaryCost {
  /** Whether it pays. */
  readonly pays: boolean;
  /** What it costs now: reading, writing, and sending what stays anew. */
  readonly cost: number;
  /** What it saves with each call to come. */
  readonly savingPerCall: number;
  /** Calls to come that are assumed: as many again as there were. */
  readonly callsAssumed: number;
  /** What the calls since the last summary have paid more than they would have with one. */
  readonly paidMore: number;
}

/** What came of the summary that stands in the prompt, in the unit of {@link SummaryCost}. */
export interface SummaryOutcome {
  /** Calls since it was made. */
  readonly calls: number;
  /** What it has cost and saved by now, by the prices and the sizes that its record holds. */
  readonly cost: number;
  readonly saved: number;
}
