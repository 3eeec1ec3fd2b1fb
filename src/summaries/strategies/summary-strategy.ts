import type { SummarizationError } from '../../foundations/errors/summarization-error.ts';
import type {
  CallOptions,
  Message,
  ModelIdentity,
  WrappedModel,
} from '../../prompt/messages/prompt-types.ts';
import type { CallSettings } from '../../prompt/messages/provider-options.ts';
import type { SummaryContent, SummaryRecord } from '../../foundations/record/summary-record.ts';
import type { Priority } from '../../planning/selection/conversation-view.ts';
import type { SummarizationTelemetry } from '../../foundations/telemetry/telemetry.ts';

/** Most tokens of a summary that a model is asked for: more would take minutes. */
export const maxAskedTokens = 2500;

/** Input of a strategy. */
export interface SummaryInput {
  /** The messages to summarize, those of `previous` aside, oldest first, unabridged. */
  readonly messages: readonly Message[];
  /**
   * The same messages as a model is to read them: where cost decides, tool outputs as a line of facts each.
   * @default messages
   */
  readonly transcript?: readonly Message[] | undefined;
  /**
   * The call for which the summary is made, as it would be sent: where the model of the conversation is to be asked at
   * the end of it.
   * @default the messages are given as data
   */
  readonly conversation?: CallOptions | undefined;
  /** Messages at the end of `conversation` that the summary does not stand for. */
  readonly recentMessages?: number | undefined;
  /**
   * The state of a plan tool that the record is to hold, an entry a line.
   * @default none
   */
  readonly plan?: string | undefined;
  /** The record these messages continue, if there is one. */
  readonly previous?: SummaryRecord | undefined;
  /**
   * Whether the previous record's narrative may be read. `false` at the depth cap: the new narrative
   * is then written from the previous record's items and the messages alone.
   */
  readonly usePreviousNarrative: boolean;
  /**
   * Guidance of the caller for this summary, redacted and cut to 2,000 characters. Data of the user: it
   * may choose among facts, but changes no rule and is no source of facts.
   */
  readonly instructions?: string | undefined;
  /**
   * How tool results are read for the activity log, where the strategy does not say it itself.
   * @default the package's own extractors
   */
  readonly toolResults?: ToolResultOptions | undefined;
  /**
   * Whether the record may quote the user and tell what was done in the words of the messages.
   * @default true
   */
  readonly userQuotes?: boolean | undefined;
  /** How much a message matters, where the caller has said so: what matters less is left out first. */
  readonly priority?: Priority | undefined;
  /** The model whose conversation is summarized, without this middleware around it. */
  readonly model: WrappedModel;
  /**
   * The id that the record will have, which stands in its text.
   * @default an id of the most tokens
   */
  readonly recordId?: string | undefined;
  /** Tokens the injected summary may take. */
  readonly maxSummaryTokens: number;
  /** Tokens `model` accepts in this conversation, where that is known. */
  readonly contextLength?: number | undefined;
  /**
   * Headers and provider options that calls of a summarizing model are to carry: those of the call for which the
   * summary is made, as far as they are for that model.
   * @default none
   */
  readonly termsFor?: ((model: ModelIdentity) => CallSettings) | undefined;
  /** Tokens that other models accept, as far as the caller has said so. Does not throw. */
  readonly declaredContextLength?: ((model: ModelIdentity) => number | undefined) | undefined;
  /**
   * Tokens of `model` for one of o200k, as the usage it reported has shown.
   * @default what is known of its tokenizer
   */
  readonly tokenMultiplier?: number | undefined;
  /** Tokens one call of a summarizing model may read; `undefined` means its context length less room for the answer. */
  readonly maxTranscriptTokens?: number | undefined;
  /**
   * Calls of models it may make, where `maxSummaryCallsPerHour` leaves no more. At least 1.
   * @default no bound but that of the strategy
   */
  readonly maxCalls?: number | undefined;
  /**
   * The tenant of the conversation: data that a strategy keeps of one namespace must not be used for another.
   * @default ''
   */
  readonly namespace?: string | undefined;
  /**
   * Applied to every text before it leaves for a model. The middleware's function also removes invisible characters
   * and does not throw: a note takes the place of a text that the option `redact` fails on.
   */
  readonly redact?: ((text: string) => string) | undefined;
  /**
   * Settings for the AI SDK's telemetry of model calls.
   * @default figures, no texts
   */
  readonly telemetry?: SummarizationTelemetry | undefined;
  /** Told about every attempt; for debug logs. */
  readonly onAttempt?: ((attempt: SummaryAttempt) => void) | undefined;
  /**
   * Milliseconds for which a summarizing model that was asked may send nothing, and within which a call that failed
   * may be made once more.
   * @default 60_000
   */
  readonly summaryTimeoutMs?: number | undefined;
  /**
   * Milliseconds after which a call of a model that is under way counts as failing for the calls after it;
   * 0 means the default.
   * @default 10_000
   */
  readonly maxWaitMs?: number | undefined;
  /** Told before a call waits so many milliseconds to be made once more. */
  readonly onRest?: ((ms: number) => void) | undefined;
  /** Told of each sign of a model that it is at work. */
  readonly onAlive?: (() => void) | undefined;
  /** Told what came of the messages that the filter has condensed, where there are some. */
  readonly onCondensed?: ((condensed: CondensedMessages) => void) | undefined;
  /** Told of a message that could not be condensed, and is cut instead. */
  readonly onCondenseFailure?: ((error: SummarizationError) => void) | undefined;
  /** Told which prompts have changed since the summary before: `summary.first`, `toolResults`. */
  readonly onPromptsReloaded?: ((templates: readonly string[]) => void) | undefined;
  /** Told why the prompts could not be read again; those of the summary before are used. */
  readonly onReloadFailure?: ((error: unknown) => void) | undefined;
  /** Told each time a part is read of a transcript that is read in parts. */
  readonly onProgress?: ((progress: SummaryProgress) => void) | undefined;
  /** Writes a line to the debug log. Never given message text. */
  readonly log?: ((line: string) => void) | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** Results of messages that were to be condensed. */
export interface CondensedMessages {
  /** Messages whose condensed text was known. */
  readonly hits: number;
  /** Messages that a model was to be asked for. */
  readonly misses: number;
  /** UTF-16 characters of all that have a condensed text, and of those texts. */
  readonly charactersBefore: number;
  readonly charactersAfter: number;
}

/** How far a text that is read in chunks has come. */
export interface SummaryProgress {
  /** 1 for chunks, or the parts of a transcript; 2 for groups of them, 3 for the final summary. */
  readonly layer: 1 | 2 | 3;
  /** Summaries of the layer that are finished, those found in the cache included. */
  readonly completed: number;
  /** Summaries of the layer. In layer 2 it grows if groups have to be grouped again. */
  readonly total: number;
}

/** One call to a summarizing model and how it ended. */
export interface SummaryAttempt {
  /** `provider:model` of the summarizing model. */
  readonly model: string;
  readonly outcome: 'ok' | 'transport-error' | 'invalid-output' | 'aborted';
  /** Why it failed, without message text. */
  readonly detail?: string | undefined;
  /** Whether the model refused what it was to read as too long: a shorter one is written then. */
  readonly isTooLong?: boolean | undefined;
  /**
   * Parts of the request that the model refused, if it is asked once more without them: JSON by the provider's own
   * means, a system message, limits of effort and output.
   */
  readonly refused?: readonly string[] | undefined;
  /** The first 200 characters of an unusable answer, redacted. May hold words of the conversation. */
  readonly excerpt?: string | undefined;
}

/** Output of a strategy. */
export interface SummaryOutput {
  /** The complete content of the new record: previous items already merged in. */
  readonly content: SummaryContent;
  /** Tokens billed by summarizing models, 0 if none was called. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

/**
 * Writes summaries. A strategy throws when it cannot: whatever it returns is taken as content, so an
 * error text must never be returned.
 */
export interface SummaryStrategy {
  /** Stored in {@link SummaryRecord.strategy}. */
  readonly name: string;
  /**
   * How it reads tool results. Code that condenses them without a summary, to make a prompt fit or for
   * `condenseToolResults`, reads them alike.
   * @default the package's own extractors
   */
  readonly toolResults?: ToolResultOptions | undefined;
  readonly summarize: (input: SummaryInput) => Promise<SummaryOutput>;
}

/** Facts of a tool call and its result. */
export interface ToolSummary {
  readonly toolName: string;
  /**
   * `partial`: the output was cut, timed out, is still missing or goes on; or a search found nothing. `unknown`: nothing
   * says how the call ended; its line has no mark.
   */
  readonly status: 'success' | 'error' | 'partial' | 'unknown';
  /** Short statements, most important first: `File: a.ts`, `Lines: 120`. */
  readonly keyFacts: readonly string[];
  /** Fields of a caller's extractor that nobody reads here. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** A tool call together with its result. */
export interface ToolUse {
  readonly toolName: string;
  /** The call's input, parsed where it is JSON in a string. */
  readonly input: unknown;
  /** The result as text; empty when there is none. */
  readonly output: string;
  /** The result's JSON value, where it is JSON or a string of JSON. */
  readonly value?: unknown;
  /** Whether the tool reported an error or the call was denied. */
  readonly isError: boolean;
  /** Whether error texts are to be kept whole. */
  readonly preserveErrorDetails: boolean;
}

/** Reads the key facts out of a tool call and its result. Must not throw and not keep what it is given. */
export type ToolExtractor = (use: ToolUse) => ToolSummary;

/** Extractors by tool name, whatever its case, punctuation and version. */
export type ToolExtractors = Readonly<Record<string, ToolExtractor>>;

/** How tool results are read. */
export interface ToolResultOptions {
  /**
   * Extractors for the results of your own tools, by tool name; they come before the general reading of tools.
   * @default {}
   */
  readonly extractors?: ToolExtractors | undefined;
  /**
   * Whether the error text of a failed tool call stays whole, up to 2,000 characters.
   * @default true
   */
  readonly preserveErrorDetails?: boolean | undefined;
}
