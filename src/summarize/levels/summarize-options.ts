import type { LanguageModel } from 'ai';
import { SummarizationOptionError } from '../../errors/summarization-option-error.ts';
import { checkObject } from '../../options/check-object.ts';
import {
  anyFunction,
  isModel,
  isStore,
  oneOf,
  wholeNumber,
  type OptionRule,
} from '../../options/option-rules.ts';
import { defaultThresholds, type SummaryThresholds } from '../../record/summary-level.ts';
import type { SummaryStore } from '../../state/summary-store.ts';
import type { ContentType, LevelPrompts } from './level-prompts.ts';
import type { SummaryResult } from './summary-result.ts';
import type { SummaryProgress } from './summarize-tree.ts';

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
   * model. A store that fails counts as empty. `false` keeps nothing.
   * @default 8 MiB of memory for each model object, for as long as that lives
   */
  readonly store?: SummaryStore | false | undefined;
  /**
   * Keeps the summaries of a tenant apart from those of others in the same store.
   * @default ''
   */
  readonly namespace?: string | undefined;
  /**
   * Keys the store's keys; without one they can be computed by whoever knows the text. At least 16
   * characters.
   * @default none
   */
  readonly secret?: string | undefined;
  /** Applied to the text and the prior summary before anything leaves for the model or the store. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Told each time a summary of a tree is finished: chunk `completed` of `total`. */
  readonly onProgress?: ((progress: SummaryProgress) => void) | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** Checked options, with the defaults in place. */
export interface SummarizeSettings {
  readonly thresholds: SummaryThresholds;
  readonly chunkSize: number;
  readonly chunkOverlap: number;
  readonly groupSize: number;
  readonly concurrency: number;
  readonly contentType: ContentType;
  readonly timeoutMs: number;
}

/** Default size of a chunk and its overlap, in tokens. */
export const defaultChunkSize = 3000;
export const defaultChunkOverlap = 200;

/** Default number of summaries that are merged, and of calls at once. */
export const defaultGroupSize = 5;
export const defaultConcurrency = 4;

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const anyObject: OptionRule = { allowed: 'an object', accepts: isObject };

const rules: Readonly<Record<keyof SummarizeOptions, OptionRule>> = {
  model: { allowed: 'a language model or the id of one', accepts: isModel },
  priorSummary: {
    allowed: 'a text or the result of a summary',
    accepts: (value) => typeof value === 'string' || isObject(value),
  },
  contentType: oneOf('general', 'conversation', 'journal', 'document'),
  thresholds: anyObject,
  chunkSize: wholeNumber(10),
  chunkOverlap: wholeNumber(0),
  groupSize: wholeNumber(2),
  concurrency: wholeNumber(1),
  contextLength: wholeNumber(1),
  timeoutMs: wholeNumber(1),
  prompts: anyObject,
  store: {
    allowed: 'an object with get, set and delete, or false',
    accepts: (value) => value === false || isStore(value),
  },
  namespace: { allowed: 'a text', accepts: (value) => typeof value === 'string' },
  secret: {
    allowed: 'a text of at least 16 characters',
    accepts: (value) => typeof value === 'string' && value.length >= 16,
  },
  redact: anyFunction,
  onProgress: anyFunction,
  abortSignal: {
    allowed: 'an AbortSignal',
    accepts: (value) => isObject(value) && value instanceof AbortSignal,
  },
};

const thresholdRule: OptionRule = wholeNumber(1);

/**
 * Checks the options of `summarize`.
 *
 * @throws SummarizationOptionError naming the option, its value and what is allowed.
 */
export function summarizeSettings(options: SummarizeOptions): SummarizeSettings {
  if (!isObject(options))
    throw new SummarizationOptionError({ option: 'options', value: options, allowed: 'an object' });
  checkObject({ ...options, model: options.model ?? '' }, rules, '');
  const {
    contentType = 'general',
    chunkSize = defaultChunkSize,
    chunkOverlap = Math.min(defaultChunkOverlap, Math.floor(chunkSize / 2)),
    groupSize = defaultGroupSize,
    concurrency = defaultConcurrency,
    timeoutMs = 60_000,
  } = options;
  if (chunkOverlap > chunkSize / 2)
    throw new SummarizationOptionError({
      option: 'chunkOverlap',
      value: chunkOverlap,
      allowed: `at most half of chunkSize, which is ${chunkSize}`,
    });
  const thresholds = checkedThresholds(options.thresholds);
  return { thresholds, chunkSize, chunkOverlap, groupSize, concurrency, contentType, timeoutMs };
}

function checkedThresholds(given: Partial<SummaryThresholds> = {}): SummaryThresholds {
  const path = 'thresholds.';
  const { brief, standard, detailed, hierarchical } = defaultThresholds;
  checkObject(
    given,
    {
      brief: thresholdRule,
      standard: thresholdRule,
      detailed: thresholdRule,
      hierarchical: thresholdRule,
    },
    path,
  );
  const thresholds: SummaryThresholds = {
    brief: given.brief ?? brief,
    standard: given.standard ?? standard,
    detailed: given.detailed ?? detailed,
    hierarchical: given.hierarchical ?? hierarchical,
  };
  let least = 0;
  for (const [name, value] of Object.entries(thresholds)) {
    if (value <= least)
      throw new SummarizationOptionError({
        option: path + name,
        value,
        allowed: `a number above the threshold before it, which is ${least}`,
      });
    least = value;
  }
  return thresholds;
}
