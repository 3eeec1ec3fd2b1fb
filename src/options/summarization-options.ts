import type { LanguageModel } from 'ai';
import type { SummarizationEvent } from '../report/summarization-event.ts';
import type { Message, ModelIdentity } from '../prompt/prompt-types.ts';
import type { SummarizationPrompts } from '../prompts/summarization-prompts.ts';
import type { SummaryStore } from '../stores/summary-store.ts';
import type { SummarizationTelemetry } from '../strategies/call-telemetry.ts';
import type { MessageFilter } from '../strategies/messages/message-filter.ts';
import type { SummaryTreeStore } from '../stores/summary-tree-store.ts';
import type { SummaryStrategy } from '../strategies/summary-strategy.ts';
import type { ProviderOverrides } from './provider-overrides.ts';

/** Options of `summarizationMiddleware`. */
export interface SummarizationOptions extends Omit<
  ProviderOverrides,
  'contextLength' | 'tokenMultiplier'
> {
  /**
   * Master switch. When `false`, calls pass unchanged and stored summaries are not applied either.
   * @default true
   */
  readonly enabled?: boolean | undefined;
  /**
   * Tokens the model accepts: a number, or a function that may leave a model to the package's table by
   * returning `undefined`. The function, and `providers`, are asked about summarising models too.
   * @default the package's table, 128_000 for a model it does not know
   */
  readonly contextLength?: number | ((model: ModelIdentity) => number | undefined) | undefined;
  /**
   * Summarise at or above this many tokens too, whatever the ratio.
   * @default undefined (off)
   */
  readonly tokenThreshold?: number | undefined;
  /**
   * Summarise once this many user messages have come since the last summarisation.
   * @default undefined (off)
   */
  readonly turnThreshold?: number | undefined;
  /**
   * Below this many messages, act only when the prompt does not fit.
   * @default 12
   */
  readonly minMessages?: number | undefined;
  /**
   * Repeat the user's own recent texts verbatim beside the summary, newest first, within
   * `maxSummaryTokens`.
   * @default false
   */
  readonly preserveUserTurns?: boolean | undefined;
  /**
   * Generations of narrative that may be written from a narrative.
   * @default 3
   */
  readonly maxSummaryChainDepth?: number | undefined;
  /**
   * At `maxSummaryChainDepth`: `'rebase'` writes the next narrative from the record's items and the new
   * messages, at depth 0 again; `'halt'` makes no more summaries, and a prompt that no longer fits is
   * trimmed without a model.
   * @default 'rebase'
   */
  readonly atMaxDepth?: 'rebase' | 'halt' | undefined;
  /**
   * New messages before the next summarisation, unless the prompt does not fit.
   * @default 4
   */
  readonly cooldownMessages?: number | undefined;
  /**
   * Summarise after this many new messages even below the trigger.
   * @default undefined (off)
   */
  readonly forceRefreshAfterMessages?: number | undefined;
  /**
   * Who writes summaries: `'llm'` (a model, through `generateObject`), `'rule-based'` (code, without a
   * model; also called `'heuristic'`), `'none'` (nobody: only prompts
   * that do not fit are trimmed), or a strategy of your own. Options that only the named strategies read
   * are refused beside a strategy object, which has options of its own.
   * @default 'llm'
   */
  readonly strategy?: 'llm' | 'rule-based' | 'heuristic' | 'none' | SummaryStrategy | undefined;
  /**
   * Who writes the summary when `strategy` fails; its records are marked `degraded`. With `false`, the
   * prompt stays as it was while it fits.
   * @default 'rule-based', but false with `abortOnFailure`
   */
  readonly fallbackStrategy?: false | 'rule-based' | 'heuristic' | SummaryStrategy | undefined;
  /**
   * Rule-based summaries list the user's messages from this many on; fewer are a placeholder line.
   * @default 3
   */
  readonly minUserTurns?: number | undefined;
  /**
   * Keep error texts of tools whole in rule-based facts.
   * @default true
   */
  readonly preserveErrorDetails?: boolean | undefined;
  /**
   * Before paying for a summary, replace old tool outputs in front of the tail by a line of facts each;
   * if that alone brings the prompt to `resetTokenRatio`, nothing is summarised.
   * @default false
   */
  readonly condenseToolResults?: boolean | undefined;
  /**
   * Models to summarise with, in order of preference. Strings are resolved like any model id in the
   * AI SDK.
   * @default the wrapped model
   */
  readonly summarizerModelPreference?: LanguageModel | readonly LanguageModel[] | undefined;
  /**
   * Tokens the injected summary may take; never more than a tenth of the context.
   * @default 2000
   */
  readonly maxSummaryTokens?: number | undefined;
  /**
   * Tokens one call of the summarising model may read. What is longer is read in chunks of at most 3,000,
   * four at a time, whose summaries are merged.
   * @default 0.6 of the summarising model's context length
   */
  readonly maxTranscriptTokens?: number | undefined;
  /**
   * Overrides by provider or by `provider:model`, the most specific first: `openai` covers
   * `openai.responses`. Keys compare without regard to case. One that is no known provider is warned of
   * when a call of another provider passes.
   * @default {}
   */
  readonly providers?: Readonly<Record<string, ProviderOverrides>> | undefined;
  /**
   * What models are instructed with, for the strategies that are named. Files are read by
   * `loadPromptTemplates` of `ai-sdk-summarization/node`.
   * @default 'default' each
   */
  readonly prompts?: SummarizationPrompts | undefined;
  /**
   * What the summariser reads of each type of message, for the strategies that are named: all of it, a
   * text condensed to `prompts.maxSummaryChars`, or a marker that it was there.
   * @default 'full' each
   */
  readonly messageFilter?: MessageFilter | undefined;
  /**
   * Where summaries are kept between requests.
   * @default memoryStore()
   */
  readonly store?: SummaryStore | undefined;
  /**
   * Keeps the current summary of each conversation where people and programs can find it, under the id
   * that `summaryTreeId` gives; the `persisted` event names it. Written when a summary has been made. The
   * call waits for it 250 ms at most; what it could not keep within a minute is reported as an event and
   * changes nothing else.
   * @default undefined (off)
   */
  readonly summaryTreeStore?: SummaryTreeStore | undefined;
  /**
   * Keeps states apart that must never meet. Multi-tenant back ends set one for each tenant: without,
   * two users whose conversations begin with the same messages share a summary of them.
   * @default ''
   */
  readonly namespace?: string | undefined;
  /**
   * Keys the store's keys: the same on every instance that shares a store. At least 16 characters.
   * @default a random one for this process, so that no other process finds what this one stored
   */
  readonly secret?: string | undefined;
  /**
   * Messages that stay verbatim for ever, with their group. Called with every message after the leading
   * system messages; one that throws counts as `false`.
   */
  readonly pin?: ((message: Message) => boolean) | undefined;
  /**
   * Applied to every text before it goes to a summarising model, into a store, an event, an error or the
   * debug log; invisible characters are removed before. Must be synchronous. A text for which it throws or
   * returns no string is left out, which a `failed` event says; a summary made of nothing else fails with
   * the reason `redact`. The conversation's model reads the messages as they are.
   * @default none
   */
  readonly redact?: ((text: string) => string) | undefined;
  /**
   * What calls of summarising models show to the AI SDK's telemetry: figures under the `functionId`
   * `ai-sdk-summarization`, and no texts unless they are asked for. A middleware cannot see the `telemetry`
   * of the call it works for: who disables it there disables it here too.
   * @default { isEnabled: true, recordInputs: false, recordOutputs: false }
   */
  readonly telemetry?: SummarizationTelemetry | undefined;
  /**
   * Throw a `SummarizationError` when no summary could be made, instead of carrying on without.
   * @default false
   */
  readonly abortOnFailure?: boolean | undefined;
  /** Told what happens. What it throws is ignored. */
  readonly onEvent?: ((event: SummarizationEvent) => void) | undefined;
  /**
   * Writes lines about summarisations, their progress and failed attempts: to `console.debug`, or to a
   * function of your own.
   * @default false
   */
  readonly debug?: boolean | ((line: string) => void) | undefined;
}
