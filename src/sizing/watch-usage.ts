import type { BoundedMap } from '../util/maps/bounded-map.ts';
import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { CallOptions, ModelIdentity } from '../prompt/prompt-types.ts';
import type { PromptScan } from '../tokens/scan-prompt.ts';
import type { ModelCalibration } from './model-calibration.ts';
import { readUsage } from './read-usage.ts';
import { tokenMeasure, type TokenMeasure } from './token-measure.ts';

/** A call as it was sent. */
export interface WatchedCall {
  readonly params: CallOptions;
  readonly model: ModelIdentity;
  readonly calibration: ModelCalibration;
  /** What messages take, if all of the prompt has been counted. */
  readonly measure?: TokenMeasure | undefined;
  /** The prompt as it was when it was measured. */
  readonly scan: PromptScan;
  /** Models of which one prompt has been counted again after a suspiciously small usage. */
  readonly countedModels: BoundedMap<true>;
  readonly warn: (warning: {
    readonly code: 'silent-truncation';
    readonly message: string;
  }) => void;
}

/**
 * A provider that reports less than this share of what was sent has cut the prompt: no tokenizer is that
 * far from ours (Claude's counts a third more), and Ollama, known to do it, keeps half of its context.
 */
const leastReportedShare = 0.5;

/** Tokens that have to be missing too: what is fixed in a small call weighs less than this. */
const leastMissingTokens = 2000;

/**
 * Characters a token of the report that make an exact count worth while where there is none. Prose
 * has four to five, so twice that is what a prompt of which half is missing looks like.
 */
const suspiciousCharacters = 9;

/**
 * Warns once for a model when it reports far fewer input tokens than were sent: some servers cut the
 * beginning of a prompt that is too long, system message and task first, without an error. Compares exact
 * counts of texts only, no files.
 */
export function watchUsage(call: WatchedCall, usage: LanguageModelV4Usage): void {
  const { params, measure, scan } = call;
  const reported = readUsage(usage)?.inputTokens;
  if (reported === undefined) return;
  if (measure !== undefined) compare(call, reported, measure.leastPrompt(params.prompt));
  else if (scan.characters - reported * suspiciousCharacters > leastMissingTokens) {
    void countAndCompare(call, reported).catch(() => {});
  }
}

/** After the answer, and once for a model: a warning is not worth a tokenizer run on every call. */
async function countAndCompare(call: WatchedCall, reported: number): Promise<void> {
  const { params, model, countedModels, calibration } = call;
  const name = `${model.provider}:${model.modelId}`;
  if (countedModels.get(name) === true) return;
  countedModels.set(name, true);
  const measure = await tokenMeasure(params, model, calibration.rates());
  await measure.count(params.prompt);
  compare(call, reported, measure.leastPrompt(params.prompt));
}

function compare({ params, model, warn }: WatchedCall, reported: number, sent: number): void {
  if (reported >= sent * leastReportedShare || sent - reported <= leastMissingTokens) return;
  const hasFile = params.prompt.some(
    ({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'file'),
  );
  if (hasFile) return;
  warn({
    code: 'silent-truncation',
    message:
      `${model.provider}:${model.modelId} reports ${reported} input tokens of about ${sent} that were sent: it may have cut ` +
      'the beginning of the prompt without an error. Set contextLength to what the server is configured for.',
  });
}
