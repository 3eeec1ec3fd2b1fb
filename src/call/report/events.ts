import { SummarizationError } from '../../foundations/errors/summarization-error.ts';
import type { LimitUpdate } from '../../sizes/overflow/learned-limits.ts';
import type { TriggerReason } from '../../planning/plan/decide.ts';
import type { ShortenedOutputs, SummaryCost } from '../../planning/plan/plan.ts';
import type { SummaryRecord, LastSummarization } from '../../foundations/record/summary-record.ts';
import type {
  CondensedMessages,
  SummaryProgress,
} from '../../summaries/strategies/summary-strategy.ts';
import {
  failSpan,
  modelAttributes,
  runInSpan,
  type SummarizationTelemetry,
  type TelemetryAttributes,
} from '../../foundations/telemetry/telemetry.ts';

/** Which call an event speaks of. */
export interface EventCall {
  /** Provider id of the wrapped model. */
  readonly provider: string;
  /** Model id of the wrapped model. */
  readonly modelId: string;
  /** `providerOptions.summarization.conversationId`, if given. */
  readonly conversationId?: string | undefined;
}

/** Sizes of one call's prompt, in tokens of the wrapped model. */
export interface EventSize {
  /** Tokens of the prompt, tools and response schema included. */
  readonly tokens: number;
  /** Tokens the model accepts. */
  readonly contextLength: number;
  /**
   * `tokens` over what a prompt may have: the smaller of the model's input limit and of `contextLength` less the room for
   * the answer. A summary is due at `triggerTokenRatio`.
   */
  readonly ratio: number;
}

/** Tokens billed by summarizing models. */
interface BilledTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Fields of each event, by its type, in the order of a call. */
export interface EventFields {
  /** A call was looked at. */
  readonly check: EventSize & {
    readonly act: 'none' | 'summarize' | 'emergency';
    readonly reason: TriggerReason;
    /** Whether a summary will be due soon, and is prepared beside the answer. */
    readonly ahead?: true | undefined;
    /** Whether all was counted: less was enough to decide where it is false. */
    readonly exact: boolean;
    /**
     * Evidence of the size: a bound, the usage of the call before with an estimate of the new messages, an estimate
     * by a sample of the texts (or of all texts without a tokenizer), or a count.
     */
    readonly measuredBy: 'bound' | 'usage' | 'estimate' | 'count';
    /** Whether the tokenizer had to be asked for it; far from the trigger, lengths are enough. */
    readonly tokenized: boolean;
    readonly messageCount: number;
    /** Costs and savings of a summary now, with `optimizeFor: 'cost'`. */
    readonly cost?: SummaryCost | undefined;
    /** Tool outputs that are shortened in the prompt, with `maxToolOutputTokens`. */
    readonly shortened?: ShortenedOutputs | undefined;
    readonly lastSummarization?: LastSummarization | undefined;
  };
  /**
   * The call begins to wait for a summary, be it one that it has written or one that another call or process is
   * writing: told before a store or a model is asked for it. Or it waits no longer, whatever came of it.
   */
  readonly waiting: EventSize & {
    readonly isOver: boolean;
    readonly reason: TriggerReason;
    /** Messages that no record covered before. */
    readonly messages: number;
  };
  /** A strategy begins to write a summary; with the reason `ahead` one that stands in no prompt before it is due. */
  readonly start: {
    readonly reason: TriggerReason;
    readonly strategy: string;
    readonly depth: number;
    /** Messages that no record covered before. */
    readonly messages: number;
  };
  /** `prompts.reload` returned other texts than before the last summary: the names of these templates. */
  readonly 'prompts-reloaded': { readonly strategy: string; readonly templates: readonly string[] };
  /** One more part of messages that are too long for one call has been summarized. */
  readonly progress: SummaryProgress & { readonly strategy: string };
  /** Messages that `messageFilter` has condensed for the summarizing model: how many of them were known, or asked for. */
  readonly condensed: CondensedMessages & { readonly strategy: string };
  /** A summary has been written and stored. */
  readonly end: {
    readonly reason: TriggerReason;
    readonly strategy: string;
    readonly record: SummaryRecord;
    readonly depth: number;
    readonly degraded: boolean;
    readonly coveredMessages: number;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    /** `tokensBefore` over what the model accepts less the room for the answer. */
    readonly ratioBefore: number;
    readonly durationMs: number;
    /** Calls of summarizing models, failed ones included. */
    readonly calls: number;
    /**
     * Share of the names, figures and earlier constraints of what it stands for that the record holds, 0 to 1: of those that
     * one message or two of the user or the assistant say. A low one tells of what cannot be answered any more.
     */
    readonly score: number;
    /** Items of what was written that `maxSummaryTokens` had no room for. */
    readonly itemsLeftOut: number;
    readonly usage: BilledTokens;
  };
  /**
   * Rules of the user left the prompt because their budget is full: they hold, and stand in the record alone
   * (`unshownConstraints`): how many, and all that hold.
   */
  readonly 'constraints-left-out': { readonly leftOut: number; readonly constraints: number };
  /** The summary tree store holds a conversation's current summary, under this id. */
  readonly persisted: { readonly treeId: string };
  /**
   * A trigger fired, or the caller asked, and nothing was done about it in this call. `summary-pending`: a summary is
   * being written, and the call was not to wait for it any longer. `declined`: `onBeforeSummarize` said so. `condensed`:
   * old tool outputs gave way to a line of facts each.
   */
  readonly skipped: {
    readonly reason:
      | TriggerReason
      | 'nothing-to-cover'
      | 'recent-failure'
      | 'sliding-window'
      | 'changed-history'
      | 'no-strategy'
      | 'condensed'
      | 'declined'
      | 'summary-pending';
  };
  /** A record stands in the prompt that is sent. */
  readonly applied: EventSize & {
    readonly record: SummaryRecord;
    readonly recordId: string;
    readonly depth: number;
    readonly degraded: boolean;
    readonly coveredMessages: number;
  };
  /**
   * A prompt that did not fit was made to fit without a model: before it was sent (`too-long`), or after the provider
   * had refused it (`provider-overflow`), which then took the shorter one.
   */
  readonly recovered: {
    readonly reason: 'too-long' | 'provider-overflow';
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    /** Indexes, in the prompt sent, of the messages whose texts were shortened. */
    readonly shortenedMessages: readonly number[];
    /** After an overflow: tokens the model accepts from now on, as its error stated or as was learned. */
    readonly learnedContextLength?: number | undefined;
  };
  /**
   * A refusal taught a limit of the model, for an hour, and for every conversation of this process with the same
   * store, secret and namespace.
   */
  readonly 'limit-learned': LimitUpdate;
  /**
   * A client sends only the end of a conversation, and what it sends begins after all that a summary stands for: no
   * summary applies.
   */
  readonly 'history-gap': unknown;
  /**
   * A conversation that another provider compacted goes on with this model, which does not read that compaction: it is
   * covered by summaries like any message. Told once a conversation, model and process.
   */
  readonly 'foreign-compaction': unknown;
  /**
   * The store has failed three times in a row and is asked ever more rarely, down to once a minute: state is not shared
   * with other processes; or it answers again.
   */
  readonly 'store-outage': { readonly isOver: boolean };
  /** The strategy gave up and something else took its place. */
  readonly fallback: { readonly from: string; readonly to: string; readonly reason: string };
  /** Part of the work failed; the call goes on as well as it can. */
  readonly failed: {
    readonly stage:
      | 'summarize'
      | 'condense'
      | 'prompts'
      | 'store'
      | 'persist'
      | 'prepare'
      | 'pin'
      | 'conversationId'
      | 'fileIdentity'
      | 'redact'
      | 'onBeforeSummarize'
      | 'recover'
      | 'background';
    readonly reason: string;
    /** Tokens that summarizing models billed for it, where that is known. */
    readonly usage?: BilledTokens | undefined;
    readonly error: unknown;
  };
  /**
   * Something to mend in the set-up; each once for a model. The log of the SDK is told too, each once for the process.
   */
  readonly warning: {
    readonly code:
      | 'unknown-context-length'
      | 'summary-tokens-capped'
      | 'store-without-secret'
      | 'state-not-shared'
      | 'silent-truncation'
      | 'tokenizer-missing'
      | 'sliding-window'
      | 'changed-history'
      | 'summarizer-failed'
      | 'placement-refused';
    readonly message: string;
  };
}

/** An event without the fields that name the call; those are added where it is sent. */
export type EventBody = {
  [Type in keyof EventFields]: { readonly type: Type } & EventFields[Type];
}[keyof EventFields];

/** Events of one call, in their order. No event carries message text but `record`. */
export type SummarizationEvent = EventCall & EventBody;

/** Counters and their units: for `stats()`, and for a meter as `summarization.tokens.saved` and so on. */
export const instruments = {
  summaries: ['{summary}', 'Summaries that were written'],
  calls: ['{call}', 'Calls of summarizing models for summaries that were written'],
  tokensSaved: ['{token}', 'Tokens by which summaries shortened a prompt'],
  tokensBilled: ['{token}', 'Tokens that summarizing models billed'],
  skipped: ['{call}', 'Calls that were due for a summary and got none'],
  fallbacks: ['{summary}', 'Summaries that another strategy took over'],
  failures: ['{fault}', 'Parts of the work that failed, by stage'],
  condensedHits: ['{message}', 'Messages for a summary whose condensed text was known'],
  condensedMisses: ['{message}', 'Messages for a summary that a model was to condense'],
  condensedCharacters: ['{character}', 'Characters by which condensed messages were shorter'],
  score: ['1', 'Share of names, figures and constraints that a summary holds'],
  duration: ['s', 'How long a summary took to be written'],
} as const;

/**
 * Result of `stats()`: sums since the middleware was made, under the names of the metrics. Summaries that were
 * written, by fallbacks too, the calls of models for them and the milliseconds these took; tokens by which they
 * shortened a prompt, and tokens that were billed, for failed ones too; calls that were due for a summary and got
 * none; fallbacks; parts of the work that failed; messages that were condensed, known or asked for, and the
 * characters that this took away. `score` is the mean of what `end` says, 0 before the first.
 */
export type SummarizationStats = Readonly<
  Record<Exclude<Instrument, 'duration'> | 'durationMs', number>
>;

/** The names by which a meter counts. */
export type Instrument = keyof typeof instruments;

/** One value for an instrument. */
export type Measure = readonly [
  instrument: Instrument,
  value: number,
  attributes: TelemetryAttributes,
];

/** Uses of an event, beside `onEvent`. */
interface EventUse<Event> {
  /** For `stats()` and the meter of `telemetry`. */
  readonly measures?: (event: Event) => readonly Measure[];
  /** Attributes of the span of the summary; without, the first measure is an event of the span. */
  readonly span?: (event: Event) => TelemetryAttributes;
  /** The line of the debug log. */
  readonly line?: (event: Event) => string;
}

const uses: { readonly [Type in keyof EventFields]?: EventUse<EventFields[Type]> } = {
  end: {
    measures: ({ strategy, ...event }) => [
      ['summaries', 1, { reason: event.reason, strategy, degraded: event.degraded }],
      ['calls', event.calls, { strategy }],
      ['tokensSaved', event.tokensBefore - event.tokensAfter, {}],
      ['score', event.score, { strategy }],
      ['duration', event.durationMs / 1000, { strategy }],
      ...billed(event.usage),
    ],
    span: (event) => ({
      'gen_ai.conversation.compacted': true,
      // Under other names than on the spans of the calls, which backends add up.
      'summarization.input_tokens': event.usage.inputTokens,
      'summarization.output_tokens': event.usage.outputTokens,
      'summarization.calls': event.calls,
      'summarization.strategy': event.strategy,
      'summarization.record_id': event.record.id,
      'summarization.depth': event.depth,
      'summarization.degraded': event.degraded,
      'summarization.score': event.score,
      'summarization.covered_messages': event.coveredMessages,
      'summarization.tokens_after': event.tokensAfter,
      'summarization.duration_ms': event.durationMs,
    }),
    line: ({ depth, coveredMessages, ratioBefore, tokensAfter, score }) =>
      `depth=${depth} compressedMessages=${coveredMessages} ratioBefore=${ratioBefore.toFixed(3)} estimateAfter=${tokensAfter} score=${score.toFixed(2)}`,
  },
  condensed: {
    measures: ({ hits, misses, charactersBefore, charactersAfter }) => [
      ['condensedHits', hits, {}],
      ['condensedMisses', misses, {}],
      ['condensedCharacters', charactersBefore - charactersAfter, {}],
    ],
    line: ({ hits, misses, charactersBefore, charactersAfter }) =>
      `condensed hits=${hits} misses=${misses} charactersBefore=${charactersBefore} charactersAfter=${charactersAfter}`,
  },
  skipped: { measures: ({ reason }) => [['skipped', 1, { reason }]] },
  fallback: { measures: ({ from, to }) => [['fallbacks', 1, { from, to }]] },
  failed: { measures: ({ stage, usage }) => [['failures', 1, { stage }], ...billed(usage)] },
};

function billed(usage: BilledTokens | undefined): readonly Measure[] {
  if (usage === undefined) return [];
  const { inputTokens, outputTokens } = usage;
  return [
    ['tokensBilled', inputTokens, { 'gen_ai.token.type': 'input' }],
    ['tokensBilled', outputTokens, { 'gen_ai.token.type': 'output' }],
  ];
}

/** Uses of an event. */
export function eventUse<Type extends keyof EventFields>(event: {
  readonly type: Type;
}): EventUse<EventFields[Type]> | undefined {
  return uses[event.type];
}

/** Gives the meter of `telemetry` what is counted of the calls of a model; `undefined` where there is none. */
export function meterOf({ meter, isEnabled }: SummarizationTelemetry = {}):
  | ((call: EventCall, measure: Measure) => void)
  | undefined {
  if (meter === undefined || isEnabled === false) return undefined;
  return ({ provider, modelId }, [name, value, attributes]) => {
    const dotted = name.replace(/[A-Z]/, (letter) => `.${letter.toLowerCase()}`);
    const [unit, description] = instruments[name];
    // A meter gives the same instrument again for the same name.
    const isSpread = name === 'duration' || name === 'score';
    const make = isSpread ? 'createHistogram' : 'createCounter';
    const instrument = meter[make](`summarization.${dotted}`, { unit, description });
    const all = { ...modelAttributes({ provider, modelId }), ...attributes };
    if ('add' in instrument) instrument.add(value, all);
    else instrument.record(value, all);
  };
}

/**
 * Writes a summary in a span of the tracer that `telemetry` names. The span shows what events tell of the summary: figures, no texts.
 *
 * @param work - Given where it tells of itself.
 */
export async function inSummarySpan<Written>(
  telemetry: SummarizationTelemetry,
  begun: { readonly reason: string; readonly prepared: boolean; readonly tokensBefore: number },
  emit: (event: EventBody) => void,
  work: (emit: (event: EventBody) => void) => Promise<Written>,
): Promise<Written> {
  const name = 'summarize_conversation';
  const attributes = {
    'gen_ai.operation.name': name,
    'summarization.reason': begun.reason,
    'summarization.prepared': begun.prepared,
    'summarization.tokens_before': begun.tokensBefore,
  };
  return runInSpan(telemetry, name, { kind: 0, attributes }, async (tellSpan) => {
    const tell = (event: EventBody): void => {
      const { span: shown, measures } = eventUse(event) ?? {};
      const [first] = measures?.(event) ?? [];
      if (shown !== undefined) tellSpan((span) => span.setAttributes(shown(event)));
      else if (first !== undefined)
        tellSpan((span) => span.addEvent(`summarization.${event.type}`, first[2]));
      emit(event);
    };
    try {
      return await work(tell);
    } catch (error) {
      const errorType = SummarizationError.isInstance(error) ? error.reason : 'error';
      tellSpan((span) => failSpan(span, errorType));
      throw error;
    }
  });
}
