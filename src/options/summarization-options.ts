import type { LanguageModel } from 'ai';
import type { ArchiveOptions } from '../archive/pack-archive.ts';
import {
  anyAbortSignal,
  anyFunction,
  anyString,
  anyText,
  flag,
  hasFunctions,
  integer,
  isModel,
  lazily,
  oneOf,
  optionsOf,
  orNamed,
  recordOf,
  rule,
  secretRule,
  type OptionRule,
  type OptionRules,
  type WithDefaults,
} from '../checks/option-rule.ts';
import type { ProposedSummary } from '../planning/plan.ts';
import type { CallOptions, Message, ModelIdentity } from '../prompt/prompt-types.ts';
import { promptsRule } from '../prompts/summarization-prompts.ts';
import type { SummarizationEvent } from '../report/events.ts';
import type { Priority } from '../selection/conversation-view.ts';
import { storeRule, type GivenStore, type SummaryTreeStore } from '../stores/summary-store.ts';
import { telemetryRule, type SummarizationTelemetry } from '../telemetry/telemetry.ts';
import type { LlmStrategyOptions } from '../strategies/llm/llm-writer.ts';
import { messageFilterRule } from '../strategies/messages/message-filter.ts';
import type { RuleBasedStrategyOptions } from '../strategies/rule-based/rule-based-strategy.ts';
import type { SummaryStrategy } from '../strategies/summary-strategy.ts';
import { longestTimerMs } from '../util/async/waiting.ts';
import {
  overrideRules,
  pricesRule,
  type ProviderOverrides,
  type TokenPrices,
} from './provider-overrides.ts';
import type { SummaryQueue } from './summary-queue.ts';

/** The strategies that have a name. */
export type NamedStrategy = 'llm' | 'rule-based' | 'heuristic';

/** Options of `summarizationMiddleware`. */
export interface SummarizationOptions
  extends
    Omit<ProviderOverrides, 'contextLength' | 'tokenMultiplier'>,
    Pick<LlmStrategyOptions, 'prompts' | 'messageFilter' | 'maxTranscriptTokens'>,
    Pick<RuleBasedStrategyOptions, 'minUserTurns' | 'preserveErrorDetails'> {
  // How much the model accepts

  /**
   * Tokens the model accepts: a number, or a function that may leave a model to the package's table by returning
   * `undefined`. The function, and `providers`, are asked about summarising models too.
   * @default the package's table, 128_000 for a model it does not know
   */
  readonly contextLength?: number | ((model: ModelIdentity) => number | undefined) | undefined;
  /**
   * Overrides by provider or by `provider:model`, the most specific first: `openai` covers `openai.responses`. Keys
   * compare without regard to case.
   * @default {}
   */
  readonly providers?: Readonly<Record<string, ProviderOverrides>> | undefined;

  // When to summarise

  /**
   * Master switch. When `false`, calls pass unchanged and stored summaries are not applied either.
   * @default true
   */
  readonly enabled?: boolean | undefined;
  /**
   * Summarise once this many user messages have come since the last summarisation.
   * @default undefined (off)
   */
  readonly turnThreshold?: number | undefined;
  /**
   * Summarise after this many new messages even below the trigger.
   * @default undefined (off)
   */
  readonly forceRefreshAfterMessages?: number | undefined;
  /**
   * Below this many messages, act only when the prompt does not fit.
   * @default 12
   */
  readonly minMessages?: number | undefined;
  /**
   * New messages before the next summarisation, unless the prompt does not fit.
   * @default 4
   */
  readonly cooldownMessages?: number | undefined;
  /**
   * Generations of narrative that may be written from a narrative.
   * @default 3
   */
  readonly maxSummaryChainDepth?: number | undefined;
  /**
   * At `maxSummaryChainDepth`, `'rebase'` writes the next narrative afresh, `'halt'` makes no more summaries. Afresh is from
   * the record's items and the new messages, at depth 0; beyond a halt a prompt that does not fit is trimmed.
   * @default 'rebase'
   */
  readonly atMaxDepth?: 'rebase' | 'halt' | undefined;
  /**
   * Before paying for a summary, replace old tool outputs in front of the recent messages by a line of facts each; if
   * that alone brings the prompt to `resetTokenRatio`, nothing is summarised. With `optimizeFor: 'cost'` it is done
   * whenever it pays, in one step that then stays.
   * @default false, but true with optimizeFor 'cost'
   */
  readonly condenseToolResults?: boolean | undefined;
  /**
   * Asked before a summary is made: what would be covered, and what it would cost. `false`: not now, which holds for
   * this call and only while the prompt fits. Asked again by each call that would make one, and by
   * `explainSummarization`. One that throws, answers no boolean or takes longer than 2,000 ms changes nothing, which a
   * `failed` event says.
   * @default none
   * @see docs/costs.md
   */
  readonly onBeforeSummarize?:
    | ((plan: ProposedSummary) => boolean | undefined | void | Promise<boolean | undefined | void>)
    | undefined;
  /**
   * By default the package stands aside where a call turns on the provider's own compaction, or its history holds one.
   * `'never'` takes no notice of it: the package summarises as it would without, and the settings of the call are sent
   * as they are. It still stands aside where the history is at the provider alone.
   * @default undefined
   * @see docs/how-it-works.md#the-providers-own-compaction
   */
  readonly native?: 'never' | undefined;

  // What a conversation may cost

  /**
   * What decides when to summarise: how full the context is (`'memory'`), or what it saves (`'cost'`). `'cost'` takes the
   * outputs of old tool calls out before. The other triggers stay, as the latest moment.
   * @default 'memory'
   * @see docs/costs.md
   */
  readonly optimizeFor?: 'memory' | 'cost' | undefined;
  /**
   * Prices by provider or by `provider:model`, the most specific first, for `optimizeFor: 'cost'`. Only their ratios
   * count; where a cheaper model summarises, give both in the same unit. `above` is what longer prompts cost.
   * @default ratios of the large providers
   */
  readonly prices?: Readonly<Record<string, TokenPrices>> | undefined;
  /**
   * How the model is asked that summarises: with messages as data (`'transcript'`), in the cached prompt
   * (`'conversation'`), or as is cheaper (`'auto'`). By what the provider said of its cache in the last call. In the conversation the messages are instructions too, and no statement of a
   * summary says where it comes from; an answer that is no record gives way to the transcript. Only the transcript with
   * `summarizerModelPreference` or `redact`.
   * @default 'auto'
   */
  readonly summarizerInput?: 'auto' | 'transcript' | 'conversation' | undefined;

  // What stays verbatim

  /**
   * Messages that stay verbatim for ever, with their group. Called with every message after the leading system
   * messages; one that throws counts as `false`.
   */
  readonly pin?: ((message: Message) => boolean) | undefined;
  /**
   * How much a message matters: where room is short, texts of those that matter less are shortened first. They are also
   * quoted last in records of the rules and in minutes. Beside the defaults: what the user said 4, a tool's error 3, what the
   * assistant said 1, what else a tool printed 0; rules of the user come before all of them, and decisions before the
   * assistant's other words. Where it throws or returns no number, the default counts.
   * @default by whose words they are
   * @see docs/how-it-works.md#what-gives-way-first
   */
  readonly priority?: Priority | undefined;

  // Who writes summaries

  /**
   * Who writes summaries: `'llm'` (a model, through `generateObject`), `'rule-based'` or `'heuristic'`
   * (code, without a model), `'none'` (nobody: only prompts that do not fit are trimmed), or a strategy of your own.
   * Options that only the named strategies read are refused beside a strategy object, which has options of its own.
   * @default 'llm'
   */
  readonly strategy?: NamedStrategy | 'none' | SummaryStrategy | undefined;
  /**
   * Who writes the summary when `strategy` fails; its records are marked `degraded`. With `false`, the prompt stays as
   * it was while it fits.
   * @default 'rule-based', but false with `abortOnFailure`
   */
  readonly fallbackStrategy?: false | Exclude<NamedStrategy, 'llm'> | SummaryStrategy | undefined;
  /**
   * Models to summarise with, in order of preference. Strings are resolved like any model id in the AI SDK.
   * @default the wrapped model
   */
  readonly summarizerModelPreference?: LanguageModel | readonly LanguageModel[] | undefined;

  // What summaries may take and show

  /**
   * Tokens the injected summary may take; never more than a quarter of the context, of which a warning tells. A model is
   * asked for at most 2,500 of them; code fills the rest with what was said and done, its files and identifiers.
   * @default a sixteenth of the context, 2,000 to 16,000, at most a tenth of it and an eighth of the trigger; with
   *   optimizeFor 'cost' 2,500
   */
  readonly maxSummaryTokens?: number | undefined;
  /**
   * Applied to every text before it goes to a summarising model, into a store, an event, an error or the debug log;
   * invisible characters are removed before. Must be synchronous. A text for which it throws or returns no string is
   * left out, which a `failed` event says; a summary made of nothing else fails with the reason `redact`. The
   * conversation's model reads the messages as they are.
   * @default none
   */
  readonly redact?: ((text: string) => string) | undefined;
  /**
   * What calls of summarising models show to the AI SDK's telemetry: figures under the `functionId`
   * `ai-sdk-summarization`, and no texts unless they are asked for. A middleware cannot see the `telemetry` of the call
   * it works for: who disables it there disables it here too.
   * @default { isEnabled: true, recordInputs: false, recordOutputs: false }
   * @see docs/when-something-is-wrong.md#telemetry
   */
  readonly telemetry?: SummarizationTelemetry | undefined;
  /**
   * Throw a `SummarizationError` when no summary could be made, instead of carrying on without.
   * @default false
   */
  readonly abortOnFailure?: boolean | undefined;

  // How long calls wait

  /**
   * Milliseconds for which a call waits for its summary while its prompt fits: counted from the start of the summary,
   * not anew for each call or step. Then the prompt is sent as it stands; the summary goes on and serves the next call,
   * also where the call asked for it with `force`. 0: never. A summarising model whose calls are under way for longer
   * counts as failing for those after them (with 0: longer than 10,000).
   * @default 10_000, but 0 with background
   */
  readonly maxWaitMs?: number | undefined;
  /**
   * Milliseconds for which a summarising model may send nothing, and within which a call of it that failed may be made
   * once more. A call whose prompt does not fit waits for its summary so long, three times as long at most while the
   * model is seen to write. Then the fallback strategy writes, or the prompt is shortened without a summary.
   * @default 60_000
   */
  readonly summaryTimeoutMs?: number | undefined;
  /**
   * Whether summaries are written beside the answers, so that no call waits for one while its prompt fits: `true` where
   * the process lives on. Where it is frozen or ended when a response has been sent, a function such as Next's `after`
   * or the `waitUntil` of a platform: called within the request, before the model, with a promise that is to be kept
   * alive and never rejects. From two turns before it is due the next summary is prepared, once the model has begun to
   * answer; it stands in no prompt before the trigger fires, in this process or in another one that shares the store,
   * and is of no effect where the conversation went another way. What is prepared the fallback strategy does not write:
   * where models fail, they are asked again when the trigger fires. A summary that is cut off harms nothing; the next
   * call takes it up. An object with `enqueue` hands summaries to a queue instead, whose worker gives each job to
   * `prepareSummary`: nothing is left to be done in the request, unless the prompt does not fit. Needs a `store` that
   * is shared, and its `secret`.
   * @default false
   * @see docs/deploy.md#work-behind-the-answer
   */
  readonly background?: boolean | ((work: Promise<void>) => void) | SummaryQueue | undefined;
  /**
   * Ends the summaries that are being written, those that no call waits for included: for a process that shuts down.
   * Prompts are then sent as they stand, or are shortened without a summary.
   * @default none
   */
  readonly abortSignal?: AbortSignal | undefined;

  // How the summary stands in the prompt

  /**
   * Repeat the user's own recent texts verbatim beside the summary, newest first, within `maxSummaryTokens`.
   * @default false
   */
  readonly preserveUserTurns?: boolean | undefined;

  // Where summaries are kept

  /**
   * Where summaries are kept between requests. One that has `set` instead of `compareAndSet` is read, then written,
   * which can cost a second bill and is warned of.
   * @default memoryStore()
   */
  readonly store?: GivenStore | undefined;
  /**
   * Keeps states apart that must never meet. Multi-tenant back ends set one for each tenant: without, two users whose
   * conversations begin with the same messages share a summary of them.
   * @default ''
   */
  readonly namespace?: string | undefined;
  /**
   * The conversation that a call belongs to: an id, or a function of the call's parameters that gives it. It holds where
   * `providerOptions.summarization` does not say it; a function reads it from where the host puts it, such as `({ headers }) => headers?.['x-thread-id']` with Mastra's memory. The application must have
   * authorised it. One that throws or gives something else than a text counts as none, which a `failed` event says.
   * @default none: conversations are recognised by how they begin
   */
  readonly conversationId?: string | ((call: CallOptions) => string | undefined) | undefined;
  /**
   * What identifies a file that a message gives by its URL, where that changes with each request in more than query parameters
   * that sign it or say when it expires (S3, GCS, CloudFront, Azure, Supabase and others): these are left out by
   * themselves. A function of the URL gives the name of the file, or `undefined` for the default; it must be synchronous
   * and quick. One that throws or gives something else counts as `undefined`, which a `failed` event says. Functions
   * that find a conversation by its messages take the same one.
   * @default its origin, path and unsigned query
   * @see docs/when-something-is-wrong.md#changed-history
   */
  readonly fileIdentity?: ((url: string) => string | undefined) | undefined;
  /**
   * Makes the store's keys and seals what stands under them: the same on every instance that shares a store. Whoever can
   * write to the store can then neither guess a key nor change a value. At least 16 characters, best random:
   * `openssl rand -base64 32`. To change it without paying for summaries anew, give `[current, former]` until what was
   * stored under the former one has expired, and to all instances before one of them has the current one alone.
   * @default a random one for this process, so that no other process finds what this one stored
   * @see docs/users-data.md#secret-and-encryption
   */
  readonly secret?: string | readonly string[] | undefined;
  /**
   * Whether values are encrypted before they are stored (AES-GCM), for a store that others can read. What was stored
   * with the other setting is still read, so it can be switched at any time.
   * @default false
   */
  readonly encrypt?: boolean | undefined;
  /**
   * Milliseconds that a call waits for the store where paying would follow: without an answer it goes on as if nothing
   * were stored. What this process knows is never waited for. Minimum: 1.
   * @default 2_000
   */
  readonly storeTimeoutMs?: number | undefined;
  /**
   * Milliseconds for which state is kept after it was written. A conversation that rests for longer is summarised anew.
   * Minimum: 60_000.
   * @default 2_592_000_000 (30 days)
   */
  readonly retentionMs?: number | undefined;
  /**
   * Whether the messages that summaries stand for are kept, for `readArchive` and `recallTool`. They are kept as `redact`
   * leaves them, compressed and sealed like everything else, and with them the texts of all summaries. Written when a summary is saved. Kept until twice `retentionMs` after the newest summary of the
   * conversation, unless it is erased before; the bytes of files do not pass `redact`.
   * @default false
   * @see docs/users-data.md#originals-recall-undo
   */
  readonly archive?: boolean | ArchiveOptions | undefined;
  /**
   * Calls of summarising models for a namespace in an hour, failed ones included; beyond it the rules write. Bounds
   * what one tenant can spend, up to the calls of summaries that are written at the same time. Minimum: 1.
   * @default undefined (off)
   */
  readonly maxSummaryCallsPerHour?: number | undefined;
  /**
   * Keeps the current summary of each conversation where people and programs can find it, under the id that
   * `summaryTreeId` gives; the `persisted` event names it. Written when a summary has been made. The call waits for it
   * 250 ms at most; what it could not keep within a minute is reported as an event and changes nothing else.
   * @default undefined (off)
   * @see docs/users-data.md#trees
   */
  readonly summaryTreeStore?: SummaryTreeStore | undefined;

  // Who is told

  /** Told what happens. What it throws is ignored. */
  readonly onEvent?: ((event: SummarizationEvent) => void) | undefined;
  /**
   * Writes lines about summarisations and failed attempts: to `console.debug`, or to a function of your own.
   * @default false
   */
  readonly debug?: boolean | ((line: string) => void) | undefined;
}

/** What holds where nothing is given, whatever the model. What depends on the model or on other options is not here. */
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

function strategyRule<Value>(...names: readonly (string | false)[]): OptionRule<Value> {
  const listed = names.map((name) => (name === false ? 'false' : `'${name}'`)).join(', ');
  return rule(
    `${listed} or an object with a name and a summarize function`,
    (value) =>
      names.some((name) => name === value) ||
      (hasFunctions(value, 'summarize') && typeof Object(value).name === 'string'),
  );
}

/** What each option accepts. */
export const optionRules: () => OptionRules<SummarizationOptions> = lazily(() => {
  const { tokenMultiplier: _ofModels, ...overridable } = overrideRules();
  return {
    ...overridable,
    contextLength: rule(
      'an integer of at least 1, or a function of the model that returns one',
      (value) => typeof value === 'function' || integer(1).safeParse(value).success,
    ),
    providers: recordOf(
      'an object of overrides by provider or provider:model',
      optionsOf(overrideRules()),
    ),
    enabled: flag,
    turnThreshold: integer(1),
    forceRefreshAfterMessages: integer(1),
    minMessages: integer(0),
    cooldownMessages: integer(0),
    maxSummaryChainDepth: integer(0),
    atMaxDepth: oneOf('rebase', 'halt'),
    condenseToolResults: flag,
    onBeforeSummarize: anyFunction(),
    native: oneOf('never'),
    optimizeFor: oneOf('memory', 'cost'),
    prices: recordOf('an object of prices by provider or provider:model', pricesRule()),
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
    preserveErrorDetails: flag,
    maxSummaryTokens: integer(50),
    redact: anyFunction(),
    telemetry: telemetryRule(),
    abortOnFailure: flag,
    maxWaitMs: integer(0, longestTimerMs),
    summaryTimeoutMs: integer(1, longestTimerMs),
    background: rule(
      'a boolean, a function, or an object with the function enqueue',
      (value) => ['boolean', 'function'].includes(typeof value) || hasFunctions(value, 'enqueue'),
    ),
    abortSignal: anyAbortSignal,
    preserveUserTurns: flag,
    store: storeRule,
    namespace: anyString,
    conversationId: rule(
      'a string that is not empty, or a function of the call that returns one',
      (value) => typeof value === 'function' || anyText.safeParse(value).success,
    ),
    fileIdentity: anyFunction(),
    secret: secretRule,
    encrypt: flag,
    storeTimeoutMs: integer(1),
    retentionMs: integer(60_000),
    archive: orNamed(
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
