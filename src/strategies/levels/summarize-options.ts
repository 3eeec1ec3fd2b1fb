import type { LanguageModel } from 'ai';
import type { SummaryThresholds } from '../../record/summary-level.ts';
import type { EmbedTexts } from '../../stores/chroma/embed-texts.ts';
import type { SummaryStore } from '../../stores/summary-store.ts';
import type { SummarizationTelemetry } from '../call-telemetry.ts';
import type { ContentType, LevelPrompts } from './level-prompts.ts';
import type { SummaryResult } from '../../record/summary-result.ts';
import type { SummaryProgress } from '../summary-strategy.ts';

/** Options of `summarize`. */
export interface SummarizeOptions {
  /** Writes the summaries. A string is resolved by the SDK's default provider or the gateway. */
  readonly model: LanguageModel;
  /**
   * Summary of what came before the text, which the model is shown with every part of it. Of a result
   * only the final summary is read.
   * @default none
   */
  readonly priorSummary?: string | SummaryResult | undefined;
  /**
   * What the text is; decides what its summary pays attention to.
   * @default 'general'
   */
  readonly contentType?: ContentType | undefined;
  /**
   * Tokens from which on a text is summarised at each level; increasing.
   * @default { brief: 100, standard: 500, detailed: 3000, hierarchical: 15_000 }
   */
  readonly thresholds?: Partial<SummaryThresholds> | undefined;
  /**
   * Tokens of a chunk at most, its overlap included; fewer where the model cannot read that many.
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
   * Where chunks end: `'paragraphs'` fills them; `'semantic'` ends them where the subject changes, at 0.4 of
   * `chunkSize` at least, for about a third more chunks and without an overlap there. Needs `embed`.
   * @default 'paragraphs'
   */
  readonly chunking?: 'paragraphs' | 'semantic' | undefined;
  /**
   * Turns texts into vectors, one each, for `chunking: 'semantic'`: at most a hundred texts at once, as `redact`
   * leaves them. Where it fails, or takes longer than `timeoutMs` in all, chunks end at paragraphs.
   * @default none
   */
  readonly embed?: EmbedTexts | undefined;
  /**
   * Chunk summaries that are merged into one. Minimum: 2.
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
   * Where summaries are kept, so that nothing is paid for twice: for 30 days, by content, prompt and
   * model. A store that fails, or takes longer than 250 ms, counts as empty. `false` keeps nothing.
   * @default 8 MiB of memory for each model object, for as long as that lives, and for all ids of models
   */
  readonly store?: SummaryStore | false | undefined;
  /**
   * Keeps the summaries of a tenant apart from those of others in the same store.
   * @default ''
   */
  readonly namespace?: string | undefined;
  /**
   * Makes the store's keys and seals what stands under them; without one whoever knows the text can. At
   * least 16 characters, or `[current, former]`: what was stored under the former one is still read.
   * @default none
   */
  readonly secret?: string | readonly string[] | undefined;
  /**
   * Applied to the text and the prior summary before anything leaves for the model, and to what the model
   * wrote before it is kept or returned. When it throws or returns no string, `summarize` fails.
   * @default none
   */
  readonly redact?: ((text: string) => string) | undefined;
  /**
   * What calls of the model show to the AI SDK's telemetry: figures, and no texts unless they are asked for.
   * @default { isEnabled: true, recordInputs: false, recordOutputs: false }
   */
  readonly telemetry?: SummarizationTelemetry | undefined;
  /** Told each time a summary of a tree is finished: chunk `completed` of `total`. */
  readonly onProgress?: ((progress: SummaryProgress) => void) | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}
