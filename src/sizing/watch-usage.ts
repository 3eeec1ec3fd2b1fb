import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { readUsage } from './read-usage.ts';
import { modelCalibration } from './model-calibration.ts';
import type { SentCall } from '../report/report-call.ts';
import { tokenMeasure } from './token-measure.ts';

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
export function watchUsage(call: SentCall, params: CallOptions, usage: LanguageModelV4Usage): void {
  const reported = readUsage(usage)?.inputTokens;
  if (reported === undefined) return;
  const { inspection } = call;
  if (inspection.decision.reason === 'server-managed') return;
  if (inspection.measure !== undefined)
    warn(call, params, reported, inspection.measure.leastPrompt(params.prompt));
  else if (inspection.scan.characters - reported * suspiciousCharacters > leastMissingTokens) {
    void countAndWarn(call, params, reported).catch(() => {});
  }
}

/** After the answer, and once for a model: a warning is not worth a tokenizer run on every call. */
async function countAndWarn(call: SentCall, params: CallOptions, reported: number): Promise<void> {
  const { context, inspection } = call;
  const { model, countedModels } = context;
  const name = `${model.provider}:${model.modelId}`;
  if (countedModels.has(name)) return;
  countedModels.add(name);
  const rates = modelCalibration(context, inspection.policy).rates();
  const measure = await tokenMeasure(inspection.params, model, rates);
  await measure.count(params.prompt);
  warn(call, params, reported, measure.leastPrompt(params.prompt));
}

function warn(
  { context }: SentCall,
  { prompt }: CallOptions,
  reported: number,
  sent: number,
): void {
  if (reported >= sent * leastReportedShare || sent - reported <= leastMissingTokens) return;
  const hasFile = prompt.some(
    ({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'file'),
  );
  if (hasFile) return;
  const { provider, modelId } = context.model;
  context.warnForCall({
    code: 'silent-truncation',
    message:
      `${provider}:${modelId} reports ${reported} input tokens of about ${sent} that were sent: it may have cut ` +
      'the beginning of the prompt without an error. Set contextLength to what the server is configured for.',
  });
}
