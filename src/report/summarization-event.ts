import type { SummaryLevel, SummaryRecord } from '../record/summary-record.ts';
import type { LastSummarization } from '../record/stored-summary.ts';
import type { LimitNews } from '../overflow/learned-limits.ts';
import type { TriggerReason } from '../planning/decide.ts';
import type { SummaryCost, SummaryOutcome } from '../planning/plan.ts';
import type { EventCall, EventSize } from './event-call.ts';
import type { WarningBody } from './warning-body.ts';

/** What happened in one call, in the order in which it happens. No event carries message text but `record`. */
export type SummarizationEvent = EventCall &
  (
    | ({
        /** A call was looked at. `exact` is false when less than a count was enough to decide. */
        readonly type: 'check';
        readonly act: 'none' | 'summarize' | 'emergency';
        readonly reason: TriggerReason;
        /** Whether a summary will be due soon, and is prepared beside the answer. */
        readonly ahead?: true | undefined;
        readonly exact: boolean;
        /**
         * What the decision rests on: a bound of the size, the usage reported for the call before and an
         * estimate of what is new, an estimate without the tokenizer, or a count, where that decides
         * with a bound of the rest.
         */
        readonly measuredBy: 'bound' | 'usage' | 'estimate' | 'count';
        /** Whether the tokenizer had to be asked for it; far from the trigger, lengths are enough. */
        readonly tokenized: boolean;
        readonly messageCount: number;
        /** What a summary now would cost and save, with `optimizeFor: 'cost'`. */
        readonly cost?: SummaryCost | undefined;
        /** What came of the summary that stands in the prompt, with `optimizeFor: 'cost'`. */
        readonly outcome?: SummaryOutcome | undefined;
        readonly lastSummarization?: LastSummarization | undefined;
      } & EventSize)
    | ({
        /**
         * The call begins to wait for a summary, be it one that it has written or one that another call or process is
         * writing: told before a store or a model is asked for it. Or it waits no longer, whatever came of it.
         */
        readonly type: 'waiting';
        readonly isOver: boolean;
        readonly reason: TriggerReason;
        /** Messages that no record covered before. */
        readonly messages: number;
      } & EventSize)
    | {
        /** A strategy begins to write a summary; with the reason `ahead` one that stands in no prompt before it is due. */
        readonly type: 'start';
        readonly reason: TriggerReason;
        readonly strategy: string;
        readonly depth: number;
        /** Messages that no record covered before. */
        readonly messages: number;
      }
    | {
        /** Of what is too long to be read at once, one more part has been summarised. */
        readonly type: 'progress';
        readonly strategy: string;
        /** 1 for the parts it is read in; strategies of others: 2 for groups of them, 3 for the final summary. */
        readonly layer: 1 | 2 | 3;
        /** Parts of the layer that are finished. */
        readonly completed: number;
        /** Parts of the layer. */
        readonly total: number;
      }
    | {
        /** A summary has been written and stored. */
        readonly type: 'end';
        readonly reason: TriggerReason;
        readonly strategy: string;
        readonly record: SummaryRecord;
        readonly depth: number;
        readonly degraded: boolean;
        /** Version of the prompts it was asked for with, where they have one. */
        readonly promptVersion?: string | undefined;
        readonly coveredMessages: number;
        readonly tokensBefore: number;
        readonly tokensAfter: number;
        /** `tokensBefore` over what the model accepts less the room for the answer. */
        readonly ratioBefore: number;
        readonly durationMs: number;
        /** Calls of summarising models, failed ones included. */
        readonly calls: number;
        /** Tokens billed by summarising models. */
        readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
      }
    | {
        /**
         * Rules of the user left the prompt because their budget is full: they hold, and stand in the record alone
         * (`unshownConstraints`).
         */
        readonly type: 'constraints-left-out';
        /** Rules that stand in the record alone, and all that hold. */
        readonly leftOut: number;
        readonly constraints: number;
      }
    | {
        /** The summary tree store holds a conversation's current summary. */
        readonly type: 'persisted';
        /** The id it is kept under. */
        readonly treeId: string;
        /** The ids of all summaries that were stored, layer by layer: chunks, groups, the final one last. */
        readonly nodeIds: readonly string[];
        readonly level: SummaryLevel;
        readonly durationMs: number;
      }
    | ({
        /** A record stands in the prompt that is sent. */
        readonly type: 'applied';
        readonly record: SummaryRecord;
        readonly recordId: string;
        readonly depth: number;
        readonly degraded: boolean;
        readonly coveredMessages: number;
      } & EventSize)
    | {
        /**
         * A trigger fired, or the caller asked, and nothing was done about it in this call.
         * `summary-pending`: a summary is being written, and the call was not to wait for it any longer.
         * `declined`: `onBeforeSummarize` said so. `condensed`: old tool outputs gave way to a line of facts each.
         */
        readonly type: 'skipped';
        readonly reason:
          | TriggerReason
          | 'nothing-to-cover'
          | 'recent-failure'
          | 'sliding-window'
          | 'no-strategy'
          | 'condensed'
          | 'declined'
          | 'summary-pending';
      }
    | {
        /**
         * A client sends only the end of a conversation, and what it sends begins after all that a summary
         * stands for: no summary applies.
         */
        readonly type: 'history-gap';
      }
    | {
        /**
         * The store has failed three times in a row and is asked ever more rarely, down to once a minute: state
         * is not shared with other processes; or it answers again.
         */
        readonly type: 'store-outage';
        readonly isOver: boolean;
      }
    | {
        /** The strategy gave up and something else took its place. */
        readonly type: 'fallback';
        readonly from: string;
        readonly to: string;
        readonly reason: string;
      }
    | {
        /** Part of the work failed; the call goes on as well as it can. */
        readonly type: 'failed';
        readonly stage:
          | 'summarize'
          | 'store'
          | 'persist'
          | 'prepare'
          | 'pin'
          | 'conversationId'
          | 'redact'
          | 'onBeforeSummarize'
          | 'recover'
          | 'background';
        readonly reason: string;
        /** Tokens that summarising models billed for it, where that is known. */
        readonly usage?:
          | { readonly inputTokens: number; readonly outputTokens: number }
          | undefined;
        readonly error: unknown;
      }
    | {
        /**
         * A prompt that did not fit was made to fit without a model: before it was sent (`too-long`), or
         * after the provider had refused it (`provider-overflow`), which then took the shorter one.
         */
        readonly type: 'recovered';
        readonly reason: 'too-long' | 'provider-overflow';
        readonly tokensBefore: number;
        readonly tokensAfter: number;
        /** Indexes, in the prompt sent, of the messages whose texts were shortened. */
        readonly shortenedMessages: readonly number[];
        /** After an overflow: tokens the model accepts from now on, as its error stated or as was learned. */
        readonly learnedContextLength?: number | undefined;
      }
    | ({
        /**
         * What the model accepts was learned from a refusal: for an hour, and for every conversation of
         * this process under the same store, secret and namespace. `forgetLearnedLimits` ends it.
         */
        readonly type: 'limit-learned';
      } & LimitNews)
    | WarningBody
  );

/** An event that something is to be mended in the set-up. */
export type WarningEvent = Extract<SummarizationEvent, { type: 'warning' }>;
