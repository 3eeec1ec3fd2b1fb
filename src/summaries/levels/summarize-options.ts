import brief from '../../../prompts/brief.md' with { type: 'text' };
import chunk from '../../../prompts/chunk.md' with { type: 'text' };
import conversation from '../../../prompts/conversation.md' with { type: 'text' };
import document from '../../../prompts/document.md' with { type: 'text' };
import journal from '../../../prompts/journal.md' with { type: 'text' };
import meta from '../../../prompts/meta.md' with { type: 'text' };
import standard from '../../../prompts/standard.md' with { type: 'text' };
import type { LanguageModel } from 'ai';
import { validate, checkThat } from '../../foundations/checks/check-object.ts';
import {
  anyAbortSignal,
  anyFunction,
  anyString,
  integer,
  isModel,
  lazily,
  oneOf,
  optionsOf,
  rule,
} from '../../foundations/checks/option-rule.ts';
import { templateRule } from '../templates/summarization-prompts.ts';
import {
  telemetryRule,
  type SummarizationTelemetry,
} from '../../foundations/telemetry/telemetry.ts';
import type { SummaryProgress } from '../strategies/summary-strategy.ts';

/** Kind of the text. */
export type ContentType = 'general' | 'conversation' | 'journal' | 'document';

/**
 * The texts a model is asked with for each kind of summary. Named as the files in `prompts`; `'default'` is the
 * text of that file. The variable named with each stands in it exactly once; `{context}`, `{max_chars}` and
 * `{prior_summary}` may: without the last one the model is not shown what came before. Values are JSON.
 */
export interface LevelPrompts {
  /** One sentence: `{content}`. */
  readonly brief: string;
  /** A text read at once, or a chunk of one, by content type: `{content}`. */
  readonly standard: string;
  readonly conversation: string;
  readonly journal: string;
  readonly document: string;
  /** One chunk of a text of type `general`: `{content}`, `{chunk_index}`, `{total_chunks}`. */
  readonly chunk: string;
  /** Merges summaries: `{summaries}`, `{total_chunks}`. */
  readonly meta: string;
}

/** The package's own texts of `summarize`, each the file of its name in `prompts`. */
export const levelPrompts: LevelPrompts = {
  brief,
  standard,
  conversation,
  journal,
  document,
  chunk,
  meta,
};

/** Options of `summarize`. */
export interface SummarizeOptions {
  /** Writes the summaries. A string is resolved by the SDK's default provider or the gateway. */
  readonly model: LanguageModel;
  /**
   * Summary of what came before the text, which the model is shown with every part of it.
   * @default none
   */
  readonly priorSummary?: string | undefined;
  /**
   * Kind of the text; it decides the focus of the summary.
   * @default 'general'
   */
  readonly contentType?: ContentType | undefined;
  /**
   * Tokens of a chunk, as the model reads it, its overlap included; fewer where the model cannot read that many.
   * Minimum: 10.
   * @default 3000
   */
  readonly chunkSize?: number | undefined;
  /**
   * Tokens at most of the end of a chunk that the next one begins with. Maximum: half of `chunkSize`.
   * @default 200
   */
  readonly chunkOverlap?: number | undefined;
  /**
   * Summaries that are merged into one; fewer where the model cannot read that many. Minimum: 2.
   * @default 5
   */
  readonly groupSize?: number | undefined;
  /**
   * Calls of the model at once. Minimum: 1.
   * @default 4
   */
  readonly concurrency?: number | undefined;
  /**
   * Tokens the model accepts.
   * @default the table of `contextLengthOf`
   */
  readonly contextLength?: number | undefined;
  /**
   * Milliseconds after which one call counts as failed. Minimum: 1.
   * @default 60_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Texts the model is asked with, in the place of the package's own.
   * @default the texts in the package's `prompts` folder
   */
  readonly prompts?: Partial<LevelPrompts> | undefined;
  /**
   * Applied to the text and the prior summary before anything leaves for the model, and to what the model
   * wrote before it is kept or returned. When it throws or returns no string, `summarize` fails.
   * @default none
   */
  readonly redact?: ((text: string) => string) | undefined;
  /**
   * Settings for the AI SDK's telemetry of calls of the model: figures, and texts only on request.
   * @default { isEnabled: true, recordInputs: false, recordOutputs: false }
   */
  readonly telemetry?: SummarizationTelemetry | undefined;
  /** Told each time a summary of a tree is finished: chunk `completed` of `total`. */
  readonly onProgress?: ((progress: SummaryProgress) => void) | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

const once = "'default' or a string with {content} exactly once";

const optionsRule = lazily(() => {
  const text = templateRule(once, 'content');
  return optionsOf<SummarizeOptions>(
    {
      model: rule('a language model or the id of one', isModel),
      priorSummary: anyString,
      contentType: oneOf('general', 'conversation', 'journal', 'document'),
      chunkSize: integer(10),
      chunkOverlap: integer(0),
      groupSize: integer(2),
      concurrency: integer(1),
      contextLength: integer(1),
      timeoutMs: integer(1),
      prompts: optionsOf<Partial<LevelPrompts>>({
        brief: text,
        standard: text,
        conversation: text,
        journal: text,
        document: text,
        chunk: text,
        meta: templateRule("'default' or a string with {summaries} exactly once", 'summaries'),
      }),
      redact: anyFunction(),
      telemetry: telemetryRule(),
      onProgress: anyFunction(),
      abortSignal: anyAbortSignal,
    },
    { required: ['model'] },
  );
});

/**
 * Checks the options of `summarize`.
 *
 * @throws SummarizationOptionError naming the option, its value and what is allowed.
 */
export function checkSummarizeOptions(given: SummarizeOptions): void {
  const { chunkSize = 3000, chunkOverlap = 0 } = validate(optionsRule(), given);
  const most = `at most half of chunkSize, which is ${chunkSize}`;
  checkThat(chunkOverlap <= chunkSize / 2, 'chunkOverlap', chunkOverlap, most);
}
