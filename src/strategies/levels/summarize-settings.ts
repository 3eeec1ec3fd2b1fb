import { checkIsObject, checkObject, checkThat } from '../../checks/check-object.ts';
import {
  anyAbortSignal,
  anyFunction,
  anyObject,
  integer,
  oneOf,
  type OptionRule,
  commonRules,
  isModel,
  isStore,
} from '../../checks/option-rule.ts';
import { isObject } from '../../util/is-object.ts';
import { defaultThresholds, type SummaryThresholds } from '../../record/summary-level.ts';
import type { ContentType } from './level-prompts.ts';
import type { SummarizeOptions } from './summarize-options.ts';

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
const defaultChunkSize = 3000;
const defaultChunkOverlap = 200;

/** Default number of summaries that are merged, and of calls at once. */
const defaultGroupSize = 5;
const defaultConcurrency = 4;

const summarizeRules: Readonly<Record<keyof SummarizeOptions, OptionRule>> = {
  model: { allowed: 'a language model or the id of one', accepts: isModel },
  priorSummary: {
    allowed: 'a string or the result of a summary',
    accepts: (value) =>
      typeof value === 'string' || (isObject(value) && typeof value['summary'] === 'string'),
  },
  contentType: oneOf('general', 'conversation', 'journal', 'document'),
  thresholds: anyObject,
  chunkSize: integer(10),
  chunkOverlap: integer(0),
  chunking: oneOf('paragraphs', 'semantic'),
  embed: anyFunction,
  groupSize: integer(2),
  concurrency: integer(1),
  contextLength: integer(1),
  timeoutMs: integer(1),
  prompts: anyObject,
  store: {
    allowed: 'an object with get, set and delete, or false',
    accepts: (value) => value === false || isStore(value),
  },
  namespace: commonRules.namespace,
  secret: commonRules.secret,
  redact: anyFunction,
  telemetry: commonRules.telemetry,
  onProgress: anyFunction,
  abortSignal: anyAbortSignal,
};

const thresholdRules: Readonly<Record<keyof SummaryThresholds, OptionRule>> = {
  brief: integer(1),
  standard: integer(1),
  detailed: integer(1),
  hierarchical: integer(1),
};

/**
 * Checks the options of `summarize`.
 *
 * @throws SummarizationOptionError naming the option, its value and what is allowed.
 */
export function summarizeSettings(options: SummarizeOptions): SummarizeSettings {
  checkIsObject(options, 'options');
  checkObject({ ...options, model: options.model ?? null }, summarizeRules, '');
  const {
    contentType = 'general',
    chunkSize = defaultChunkSize,
    chunkOverlap = Math.min(defaultChunkOverlap, Math.floor(chunkSize / 2)),
    groupSize = defaultGroupSize,
    concurrency = defaultConcurrency,
    timeoutMs = 60_000,
  } = options;
  const allowed = `at most half of chunkSize, which is ${chunkSize}`;
  checkThat(chunkOverlap <= chunkSize / 2, 'chunkOverlap', chunkOverlap, allowed);
  const isSemantic = options.chunking === 'semantic';
  const given = isSemantic
    ? "a function with chunking: 'semantic'"
    : "nothing without chunking: 'semantic'";
  checkThat(isSemantic === (options.embed !== undefined), 'embed', options.embed, given);
  const thresholds = checkedThresholds(options.thresholds);
  return { thresholds, chunkSize, chunkOverlap, groupSize, concurrency, contentType, timeoutMs };
}

function checkedThresholds(given: Partial<SummaryThresholds> = {}): SummaryThresholds {
  const path = 'thresholds.';
  const { brief, standard, detailed, hierarchical } = defaultThresholds;
  checkObject(given, thresholdRules, path);
  const thresholds: SummaryThresholds = {
    brief: given.brief ?? brief,
    standard: given.standard ?? standard,
    detailed: given.detailed ?? detailed,
    hierarchical: given.hierarchical ?? hierarchical,
  };
  let least = 0;
  for (const [name, value] of Object.entries(thresholds)) {
    const allowed = `a number above the threshold before it, which is ${least}`;
    checkThat(value > least, path + name, value, allowed);
    least = value;
  }
  return thresholds;
}
