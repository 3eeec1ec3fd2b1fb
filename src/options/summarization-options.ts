import type { LanguageModel } from 'ai';
import type { SummarizationEvent } from '../events/summarization-event.ts';
import type { Placement } from '../injection/resolve-placement.ts';
import type { Message, ModelIdentity } from '../prompt/prompt-types.ts';
import type { SummaryStore } from '../state/summary-store.ts';
import type { SummaryStrategy } from '../summarize/summary-strategy.ts';

/** What may differ between the models of one middleware. */
export interface ProviderOverrides {
  /**
   * Tokens the model accepts.
   * @default the package's table, 128_000 for a model it does not know
   */
  readonly contextLength?: number | undefined;
  /**
   * Summarise at or above this share of the tokens the model accepts. Above 0, at most 1.
   * @default 0.8
   */
  readonly triggerTokenRatio?: number | undefined;
  /**
   * Aim at or below this share when summarising; armed again below it. Above 0, below
   * `triggerTokenRatio`.
   * @default 0.7, or 0.875 of a lower `triggerTokenRatio`
   */
  readonly resetTokenRatio?: number | undefined;
  /**
   * Messages kept verbatim at the end. Grows to the next place where the conversation may be cut,
   * shrinks (never below 2) when the tail alone is too large. Minimum: 2.
   * @default 6
   */
  readonly preserveRecent?: number | undefined;
  /**
   * The tail grows beyond `preserveRecent` while it fits in this share of the context. 0 to 1.
   * @default 0.1
   */
  readonly preserveRecentTokenRatio?: number | undefined;
  /**
   * Where the summary goes. `'auto'` is a system message of its own, merged into the leading one for
   * providers that may reject a second.
   * @default 'auto'
   */
  readonly placement?: Placement | 'auto' | undefined;
  /**
   * Factor over the o200k count, for models whose tokenizer counts more. 0.1 to 10. One that is given
   * is taken as it is.
   * @default 1 for OpenAI, 1.1 for Gemini, 1.35 for Claude and every other model, then learned from the
   * usage that the provider reports (at most twice and at least half of that)
   */
  readonly tokenMultiplier?: number | undefined;
}

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
   * returning `undefined`.
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
   * Who writes summaries: `'llm'` (a model, through `generateObject`), `'none'` (nobody: only prompts
   * that do not fit are trimmed), or a strategy of your own.
   * @default 'llm'
   */
  readonly strategy?: 'llm' | 'none' | SummaryStrategy | undefined;
  /**
   * Who writes the summary when `strategy` fails. Its records are marked `degraded`.
   * @default false (nobody: the prompt stays as it was while it fits)
   */
  readonly fallbackStrategy?: false | SummaryStrategy | undefined;
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
   * Tokens one call of the summarising model may read. What is longer is read in pieces.
   * @default 0.6 of the summarising model's context length
   */
  readonly maxTranscriptTokens?: number | undefined;
  /**
   * Overrides by provider or by `provider:model`, the most specific first: `openai` covers
   * `openai.responses`.
   * @default {}
   */
  readonly providers?: Readonly<Record<string, ProviderOverrides>> | undefined;
  /**
   * Where summaries are kept between requests.
   * @default memoryStore()
   */
  readonly store?: SummaryStore | undefined;
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
  /** Applied to every text before it goes to a summarising model or into the store. */
  readonly redact?: ((text: string) => string) | undefined;
  /**
   * Throw a `SummarizationError` when no summary could be made, instead of carrying on without.
   * @default false
   */
  readonly abortOnFailure?: boolean | undefined;
  /** Told what happens. What it throws is ignored. */
  readonly onEvent?: ((event: SummarizationEvent) => void) | undefined;
  /**
   * Writes one line a summarisation: to `console.debug`, or to a function of your own.
   * @default false
   */
  readonly debug?: boolean | ((line: string) => void) | undefined;
}

/** `providerOptions.summarization` of one call. Removed before the provider sees the call. */
export interface SummarizationCallOptions {
  /** Narrows the search for a stored summary. Never trusted instead of the content. */
  readonly conversationId?: string | undefined;
  /** Summarise now, even below the trigger: what a `/resummarize` command sets. */
  readonly force?: boolean | undefined;
  /** `false` lets this call pass unchanged. */
  readonly enabled?: boolean | undefined;
  /**
   * Indexes of messages that stay verbatim, counted after the leading system messages, from the end if
   * negative. A single message can carry `providerOptions: { summarization: { pin: true } }` instead.
   */
  readonly pin?: readonly number[] | undefined;
}
