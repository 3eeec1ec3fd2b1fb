import type { LanguageModel } from 'ai';
import type { ArchiveOptions } from '../../state/archive/pack-archive.ts';
import {
  anyAbortSignal,
  anyFunction,
  anyString,
  anyText,
  anyBoolean,
  hasFunctions,
  integer,
  isModel,
  lazily,
  oneOf,
  optionsOf,
  valueOrOptions,
  mapOf,
  rule,
  secretRule,
  type OptionRules,
  type WithDefaults,
} from '../../foundations/checks/option-rule.ts';
import type { ProposedSummary } from '../../planning/plan/plan.ts';
import type { CallOptions, Message, ModelIdentity } from '../../prompt/messages/prompt-types.ts';
import { promptsRule } from '../../summaries/templates/summarization-prompts.ts';
import type { SummarizationEvent } from '../report/events.ts';
import type { Priority } from '../../planning/selection/conversation-view.ts';
import {
  storeRule,
  type AcceptedStore,
  type SummaryTreeStore,
} from '../../state/stores/summary-store.ts';
import {
  telemetryRule,
  type SummarizationTelemetry,
} from '../../foundations/telemetry/telemetry.ts';
import type { LlmStrategyOptions } from '../../summaries/llm/llm-writer.ts';
import { messageFilterRule } from '../../summaries/messages/message-filter.ts';
import type { RuleBasedStrategyOptions } from '../../summaries/rule-based/rule-based-strategy.ts';
import { strategyRule } from '../../summaries/strategies/define-strategy.ts';
import type { SummaryStrategy } from '../../summaries/strategies/summary-strategy.ts';
import { longestTimerMs } from '../../foundations/util/async/waiting.ts';
import {
  overrideRules,
  pricesRule,
  type ProviderOverrides,
  type TokenPrices,
} from './provider-overrides.ts';
import type { SummaryQueue } from './summary-queue.ts';

/** Strategies with a name. */
export type NamedStrategy = 'llm' | 'rule-based' | 'heuristic';

/** Options of `summarizationMiddleware`. */
export interface SummarizationOptions
  extends
    Omit<ProviderOverrides, 'contextLength' | 'tokenMultiplier'>,
    Pick<LlmStrategyOptions, 'prompts' | 'messageFilter' | 'maxTranscriptTokens'>,
    Pick<RuleBasedStrategyOptions, 'minUserTurns' | 'preserveErrorDetails'> {
  // The limit of the model

  /**
   * Tokens the model accepts: a number, or a function of the model. The function may return `undefined` for the
   * package's table. It is also called, and `providers` is also read, for summarizing models. Where a call has no
   * `maxOutputTokens`, 4,096 tokens, at most a tenth, stay free for the answer; below a length of 4,096 none do.
   * @default the package's table, 128_000 for a model it does not know
   */
  readonly contextLength?: number | ((model: ModelIdentity) => number | undefined) | undefined;
  /**
   * Overrides by provider or by `provider:model`, the most specific first: `openai` covers `openai.responses`. Keys
   * match without regard to case.
   * @default {}
   */
  readonly providers?: Readonly<Record<string, ProviderOverrides>> | undefined;

  // When to summarize

  /**
   * Whether the middleware works at all. With `false`, calls pass unchanged, and stored summaries are not applied.
   * @default true
   */
  readonly enabled?: boolean | undefined;
  /**
   * Summarize once this many user messages have come since the last summary.
   * @default undefined (off)
   */
  readonly turnThreshold?: number | undefined;
  /**
   * Summarize after this many new messages even below the trigger.
   * @default undefined (off)
   */
  readonly forceRefreshAfterMessages?: number | undefined;
  /**
   * Below this many messages, act only if the prompt does not fit.
   * @default 12
   */
  readonly minMessages?: number | undefined;
  /**
   * New messages before the next summary, unless the prompt does not fit.
   * @default 4
   */
  readonly cooldownMessages?: number | undefined;
  /**
   * Generations of narrative that may be written from an earlier narrative.
   * @default 3
   */
  readonly maxSummaryChainDepth?: number | undefined;
  /**
   * At `maxSummaryChainDepth`, `'rebase'` rewrites the narrative, `'halt'` makes no more summaries. A rewritten
   * narrative is made from the items of the record and the new messages, and has depth 0. After a halt, a prompt that
   * does not fit is trimmed.
   * @default 'rebase'
   */
  readonly atMaxDepth?: 'rebase' | 'halt' | undefined;
  /**
   * Before paying for a summary, replace old tool outputs by a line of facts each. Recent messages keep theirs. If
   * that alone brings the prompt to `resetTokenRatio`, nothing is summarized. With `optimizeFor: 'cost'` it is done
   * whenever it saves money, in one step that stays.
   * @default false, but true with optimizeFor 'cost'
   */
  readonly condenseToolResults?: boolean | undefined;
  /**
   * Called before a summary is made, with the messages it would cover and its cost. Return `false` to decline, which
   * holds for this call, and only while the prompt fits. Each call that would make a summary asks again, and so does
   * `explainSummarization`. If the function throws, returns no boolean or takes longer than 2,000 ms, a `failed`
   * event reports it and the summary is made.
   * @default none
   * @see docs/costs.md
   */
  readonly onBeforeSummarize?:
    | ((plan: ProposedSummary) => boolean | undefined | void | Promise<boolean | undefined | void>)
    | undefined;
  /**
   * Whether the provider's own compaction is ignored. By default the middleware bypasses a call that turns that
   * compaction on, or whose history holds one. With `'never'` it summarizes nevertheless, and sends the settings of
   * the call unchanged. It always bypasses a call whose history only the provider has.
   * @default undefined
   * @see docs/how-it-works.md#the-providers-own-compaction
   */
  readonly providerCompaction?: 'ignore' | undefined;

  // Costs of a conversation

  /**
   * Whether summaries are due by how full the context is (`'memory'`), or by what they save (`'cost'`). `'cost'`
   * first removes the outputs of old tool calls. The other triggers stay as the latest moment.
   * @default 'memory'
   * @see docs/costs.md
   */
  readonly optimizeFor?: 'memory' | 'cost' | undefined;
  /**
   * Prices by provider or by `provider:model`, the most specific first, for `optimizeFor: 'cost'`. Only their ratios
   * count. If a cheaper model summarizes, give both prices in the same unit. `above` is the price of longer prompts.
   * @default ratios of the large providers
   */
  readonly prices?: Readonly<Record<string, TokenPrices>> | undefined;
  /**
   * How a summarizing model gets the messages: as data (`'transcript'`), in the cached prompt (`'conversation'`), or
   * the cheaper of the two (`'auto'`). `'auto'` decides by the cache usage that the provider reported for the last
   * call. In the conversation the messages are instructions too, and no statement of a summary has a source. If the
   * answer is not a record, the transcript is used. With `summarizerModelPreference` or `redact`, the transcript is
   * always used.
   * @default 'auto'
   */
  readonly summarizerInput?: 'auto' | 'transcript' | 'conversation' | undefined;

  // Messages that stay verbatim

  /**
   * Messages that always stay verbatim, with their group. The function is called with every message after the leading
   * system messages. If it throws, the message is not pinned.
   */
  readonly pin?: ((message: Message) => boolean) | undefined;
  /**
   * How much a message matters: texts with a lower number are shortened first. They are also quoted last in records
   * of the rule-based summarizer and in the activity log. The defaults are 4 for texts of the user, 3 for errors of
   * tools, 1 for texts of the assistant, 0 for other outputs of tools. Constraints come before all of them, and
   * decisions before other texts of the assistant. If the function throws or returns no number, the default counts.
   * @default by whose words they are
   * @see docs/how-it-works.md#priorities
   */
  readonly priority?: Priority | undefined;

  // The writer of summaries

  /**
   * The writer of summaries: `'llm'` (a model, through `generateObject`), `'rule-based'` or its alias `'heuristic'`
   * (code, without a model), `'none'` (no summaries: prompts that do not fit are trimmed), or a strategy of your own.
   * Options that only the named strategies read are refused beside a strategy object, which has options of its own.
   * @default 'llm'
   */
  readonly strategy?: NamedStrategy | 'none' | SummaryStrategy | undefined;
  /**
   * The writer of the summary if `strategy` fails. Its records are marked `degraded`. With `false`, the prompt stays
   * unchanged while it fits.
   * @default 'rule-based', but false with `abortOnFailure`
   */
  readonly fallbackStrategy?: false | Exclude<NamedStrategy, 'llm'> | SummaryStrategy | undefined;
  /**
   * Summarizing models, in order of preference. Strings are resolved like any model id in the AI SDK.
   * @default the wrapped model
   */
  readonly summarizerModelPreference?: LanguageModel | readonly LanguageModel[] | undefined;

  // Size and privacy of summaries

  /**
   * Tokens the injected summary may take. The maximum is a quarter of the context; a warning reports a higher value.
   * A model is asked for at most 2,500 of them. Code fills what a short answer leaves with quotes, activity, files and
   * identifiers.
   * @default a sixteenth of the context, 2,000 to 16,000, at most a tenth of it and an eighth of the trigger; with
   * optimizeFor 'cost' 2,500
   */
  readonly maxSummaryTokens?: number | undefined;
  /**
   * Changes every text before it goes to a summarizing model, into a store, an event, an error or the debug log.
   * Invisible characters are removed before. The function must be synchronous. If it throws or returns no string, the
   * text is left out and a `failed` event reports it; a summary of nothing else fails with the reason `redact`. The
   * model of the conversation reads the messages unchanged.
   * @default none
   */
  readonly redact?: ((text: string) => string) | undefined;
  /**
   * Whether records quote the user and keep a log of activity, in the words of the messages. Set `false` if you may store
   * no raw text: the constraints of the user stay, as sentences, and without a model little else.
   * @default true
   * @see docs/users-data.md#no-raw-text
   */
  readonly userQuotes?: boolean | undefined;
  /**
   * Telemetry of the calls of summarizing models: figures under the `functionId` `ai-sdk-summarization`, and texts
   * only on request. A middleware cannot see the `telemetry` of the call that it serves: to disable it, disable it
   * here too.
   * @default { isEnabled: true, recordInputs: false, recordOutputs: false }
   * @see docs/when-something-is-wrong.md#telemetry
   */
  readonly telemetry?: SummarizationTelemetry | undefined;
  /**
   * Throw a `SummarizationError` if no summary could be made, instead of going on without one.
   * @default false
   */
  readonly abortOnFailure?: boolean | undefined;

  // Waiting

  /**
   * Milliseconds for which a call waits for its summary while its prompt fits, counted from the start of the summary
   * and not anew for each call or step. Then the prompt is sent unchanged, even with `force`. The summary is finished
   * for the next call. With 0 a call never waits. A summarizing model whose calls take longer counts as failing for
   * the calls after them (with 0: longer than 10,000).
   * @default 10_000, but 0 with background
   */
  readonly maxWaitMs?: number | undefined;
  /**
   * Milliseconds for which a summarizing model may send nothing, and within which a failed call of it is tried once
   * more. A call whose prompt does not fit waits this long for its summary, and at most three times as long while the
   * model keeps writing. Then the fallback strategy writes, or the prompt is shortened without a summary.
   * @default 60_000
   */
  readonly summaryTimeoutMs?: number | undefined;
  /**
   * Whether summaries are written beside the answers, so that no call waits for one while its prompt fits: `true` in
   * a process that stays alive. On a platform that freezes or ends the process after the response, pass its function,
   * such as `after` of Next.js or `waitUntil`: it is called within the request, before the model, with a promise that
   * never rejects. Two turns before it is due, the next summary is prepared once the model has begun to answer. It is
   * used when the trigger fires, in this process or in another one that shares the store. The fallback strategy
   * prepares nothing: if models fail, they are asked again when the trigger fires. An interrupted summary harms
   * nothing; the next call continues it. An object with `enqueue` passes summaries to a queue instead, whose worker
   * gives each job to `prepareSummary`; it needs a shared `store` and its `secret`.
   * @default false
   * @see docs/deploy.md#background-work
   */
  readonly background?: boolean | ((work: Promise<void>) => void) | SummaryQueue | undefined;
  /**
   * Ends all summaries in progress, for a process that shuts down. Prompts are then sent unchanged, or shortened
   * without a summary.
   * @default none
   */
  readonly abortSignal?: AbortSignal | undefined;

  // Position of the summary

  /**
   * Repeat the user's own recent texts verbatim beside the summary, newest first, within `maxSummaryTokens`.
   * @default false
   */
  readonly preserveUserTurns?: boolean | undefined;

  // Storage

  /**
   * Keeps summaries between requests. A store with `set` instead of `compareAndSet` is read, then written: two
   * processes may then pay for the same summary, which a warning reports.
   * @default memoryStore()
   */
  readonly store?: AcceptedStore | undefined;
  /**
   * Separates the state of tenants or users. Set one for each tenant: without it, two users whose conversations begin
   * with the same messages share a summary of them.
   * @default ''
   */
  readonly namespace?: string | undefined;
  /**
   * The id of the conversation, or a function that returns it for a call. `providerOptions.summarization` comes
   * first. The function reads the id from the place where the host puts it, such as `({ headers }) =>
   * headers?.['x-thread-id']` with Mastra's memory. The application must have authorized the id. If the function
   * throws or returns no text, a `failed` event reports it and the call has no id.
   * @default none: conversations are recognized by their first messages
   */
  readonly conversationId?: string | ((call: CallOptions) => string | undefined) | undefined;
  /**
   * The identity of a file with a URL, if its URL changes with each request. Query parameters that sign it or say
   * when it expires (S3, GCS, CloudFront, Azure, Supabase and others) are ignored by default. The function of the URL
   * returns the name of the file, or `undefined` for the default. It must be synchronous and quick. If it throws or
   * returns another value, a `failed` event reports it and the default counts. Functions that find a conversation by
   * its messages take the same option.
   * @default its origin, path and unsigned query
   * @see docs/when-something-is-wrong.md#changed-history
   */
  readonly fileIdentity?: ((url: string) => string | undefined) | undefined;
  /**
   * Derives the keys of the store and seals its values: the same secret in every instance that shares a store. Nobody
   * with write access to the store can then guess a key or change a value. At least 16 characters, best random:
   * `openssl rand -base64 32`. To change it without paying again, give `[current, former]` to all instances until
   * everything stored under the former one has expired.
   * @default a random one for this process, so that no other process finds its summaries
   * @see docs/users-data.md#secret-and-encryption
   */
  readonly secret?: string | readonly string[] | undefined;
  /**
   * Whether values are encrypted before they are stored (AES-GCM), for a store that others can read. Values with the
   * other setting can still be read, so you can switch at any time.
   * @default false
   */
  readonly encrypt?: boolean | undefined;
  /**
   * Milliseconds that a call waits for the store before it would pay for a summary. Without an answer it goes on as
   * if nothing were stored. A call never waits for data in the local cache. Minimum: 1.
   * @default 2_000
   */
  readonly storeTimeoutMs?: number | undefined;
  /**
   * Milliseconds for which state is kept after it was written. A conversation that rests for longer is summarized
   * again. Minimum: 60_000.
   * @default 2_592_000_000 (30 days)
   */
  readonly retentionMs?: number | undefined;
  /**
   * Whether the summarized messages are kept, for `readArchive` and `recallTool`. They are kept after `redact`,
   * compressed and sealed, with the texts of all summaries. They are written when a summary is saved, and expire at
   * twice `retentionMs` after the newest summary of the conversation, unless they are erased before. The bytes of
   * files do not pass `redact`.
   * @default false
   * @see docs/users-data.md#originals-recall-undo
   */
  readonly archive?: boolean | ArchiveOptions | undefined;
  /**
   * Calls of summarizing models for a namespace in an hour, failed ones included. Above it the rule-based summarizer
   * writes. It limits the costs of a tenant, except for calls of summaries that are written at the same time.
   * Minimum: 1.
   * @default undefined (off)
   */
  readonly maxSummaryCallsPerHour?: number | undefined;
  /**
   * Keeps the current summary of each conversation for people and programs, under the id that `summaryTreeId`
   * returns. The `persisted` event names it. It is written after a summary was made. The call waits 250 ms for it at
   * most. A failure within a minute is reported as an event and changes nothing else.
   * @default undefined (off)
   * @see docs/users-data.md#trees
   */
  readonly summaryTreeStore?: SummaryTreeStore | undefined;

  // Events

  /** Called with every event. An error that it throws is ignored. */
  readonly onEvent?: ((event: SummarizationEvent) => void) | undefined;
  /**
   * Writes lines about summaries and failed attempts: to `console.debug`, or to a function of your own.
   * @default false
   */
  readonly debug?: boolean | ((line: string) => void) | undefined;
}

/** Defaults that depend neither on the model nor on other options. */
export const defaults = {
  enabled: true,
  triggerTokenRatio: 0.8,
  minMessages: 12,
  cooldownMessages: 4,
  maxSummaryChainDepth: 3,
  atMaxDepth: 'rebase',
  optimizeFor: 'memory',
  prices: {},
  summarizerInput: 'auto',
  beyondPriceStep: false,
  preserveRecent: 6,
  preserveRecentTokenRatio: 0.1,
  strategy: 'llm',
  abortOnFailure: false,
  summaryTimeoutMs: 60_000,
  background: false,
  placement: 'auto',
  preserveUserTurns: false,
  userQuotes: true,
  namespace: '',
  encrypt: false,
  storeTimeoutMs: 2000,
  retentionMs: 2_592_000_000,
  archive: false,
  debug: false,
  providers: {},
} as const;

/** Options with their defaults in place. */
export type ResolvedOptions = WithDefaults<SummarizationOptions, typeof defaults> & {
  readonly maxWaitMs: number;
};

/** Rules of the values that each option accepts. */
export const optionRules: () => OptionRules<SummarizationOptions> = lazily(() => {
  const { tokenMultiplier: _ofModels, ...overridable } = overrideRules();
  return {
    ...overridable,
    contextLength: rule(
      'an integer of at least 1, or a function of the model that returns one',
      (value) => typeof value === 'function' || integer(1).safeParse(value).success,
    ),
    providers: mapOf(
      'an object of overrides by provider or provider:model',
      optionsOf(overrideRules()),
    ),
    enabled: anyBoolean,
    turnThreshold: integer(1),
    forceRefreshAfterMessages: integer(1),
    minMessages: integer(0),
    cooldownMessages: integer(0),
    maxSummaryChainDepth: integer(0),
    atMaxDepth: oneOf('rebase', 'halt'),
    condenseToolResults: anyBoolean,
    onBeforeSummarize: anyFunction(),
    providerCompaction: oneOf('ignore'),
    optimizeFor: oneOf('memory', 'cost'),
    prices: mapOf('an object of prices by provider or provider:model', pricesRule()),
    summarizerInput: oneOf('auto', 'transcript', 'conversation'),
    pin: anyFunction(),
    priority: anyFunction(),
    strategy: strategyRule('llm', 'rule-based', 'heuristic', 'none'),
    fallbackStrategy: strategyRule(false, 'rule-based', 'heuristic'),
    summarizerModelPreference: rule(
      'a model, a model id, or a list of them that is not empty',
      (value) => (Array.isArray(value) ? value.length > 0 && value.every(isModel) : isModel(value)),
    ),
    maxTranscriptTokens: integer(500),
    prompts: promptsRule(),
    messageFilter: messageFilterRule(),
    minUserTurns: integer(0),
    preserveErrorDetails: anyBoolean,
    maxSummaryTokens: integer(50),
    redact: anyFunction(),
    userQuotes: anyBoolean,
    telemetry: telemetryRule(),
    abortOnFailure: anyBoolean,
    maxWaitMs: integer(0, longestTimerMs),
    summaryTimeoutMs: integer(1, longestTimerMs),
    background: rule(
      'a boolean, a function, or an object with the function enqueue',
      (value) => ['boolean', 'function'].includes(typeof value) || hasFunctions(value, 'enqueue'),
    ),
    abortSignal: anyAbortSignal,
    preserveUserTurns: anyBoolean,
    store: storeRule,
    namespace: anyString,
    conversationId: rule(
      'a string that is not empty, or a function of the call that returns one',
      (value) => typeof value === 'function' || anyText.safeParse(value).success,
    ),
    fileIdentity: anyFunction(),
    secret: secretRule,
    encrypt: anyBoolean,
    storeTimeoutMs: integer(1),
    retentionMs: integer(60_000),
    archive: valueOrOptions(
      rule<boolean>(
        'a boolean or an object with maxFileBytes, an integer of at least 0',
        (value) => typeof value === 'boolean',
      ),
      optionsOf<ArchiveOptions>({ maxFileBytes: integer(0) }),
    ),
    maxSummaryCallsPerHour: integer(1),
    summaryTreeStore: rule(
      'an object with the functions persist, getFinalSummary, list and delete',
      (value) => hasFunctions(value, 'persist', 'getFinalSummary', 'list', 'delete'),
    ),
    onEvent: anyFunction(),
    debug: rule('a boolean or a function', (value) =>
      ['boolean', 'function'].includes(typeof value),
    ),
  };
});
