import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { CallOptions, ModelIdentity } from '../prompt/prompt-types.ts';
import type { PromptScan } from '../tokens/scan-prompt.ts';
import type { BoundedMap } from '../util/maps/bounded-map.ts';
import type { ModelCalibration } from './model-calibration.ts';
import { readUsage } from './read-usage.ts';
import { tokenMeasure } from './token-measure.ts';

/** What was reported of a conversation's last calls, while the figure stood still. */
export interface StandingUsage {
  readonly reported: number;
  /** Calls in a row that reported about as much. */
  readonly calls: number;
  /** Messages of the last call, and the key of all of them. */
  readonly messages: number;
  readonly key: number | undefined;
}

/** A call as it was sent. */
export interface WatchedCall {
  readonly params: CallOptions;
  readonly model: ModelIdentity;
  /** What is known of the model is filed under it. */
  readonly modelKey: string;
  readonly calibration: ModelCalibration;
  /** The prompt as it was when it was measured. */
  readonly scan: PromptScan;
  /** By model and beginning of a conversation. */
  readonly standing: BoundedMap<StandingUsage>;
  readonly warn: (warning: {
    readonly code: 'silent-truncation';
    readonly message: string;
  }) => void;
}

/** What a server reads of prompts that it cuts without an error. */
export interface SilentCut {
  /** Tokens that it reported of the last prompt. */
  readonly reported: number;
  /** Tokens that were sent, at the least. */
  readonly sent: number;
}

/** Calls in a row that tell: one may be an answer from a cache, or a prompt that was sent otherwise. */
const tellingCalls = 3;

/** By how much figures that stand still differ: a server cuts between messages, or at a block of its cache. */
const stillShare = 0.04;

/**
 * A provider that reports less than this share of what was sent has cut the prompt: no tokenizer is that far from the
 * least that ours makes of it, and Ollama, known to cut, keeps half of its context.
 */
const leastReportedShare = 0.6;

/**
 * A report of so much more than what is new since the last call is not one of what was in no cache: servers such as
 * llama.cpp leave out what they have read before.
 */
const leastOverNew = 1.5;

/**
 * Notices a server that cuts the beginning of prompts that are too long, system message and task first, without an error:
 * the conversation grows, and what it reports of it stands still, three calls in a row. Warns once for a model. Counts
 * only then, after the answer. Files are the provider's own affair: a conversation with one is not judged.
 *
 * @returns what the server reads at the most; `undefined` where nothing speaks of a cut.
 */
export async function watchUsage(
  call: WatchedCall,
  usage: LanguageModelV4Usage,
): Promise<SilentCut | undefined> {
  const { params, model, scan, standing, modelKey, warn, calibration } = call;
  const reported = readUsage(usage)?.inputTokens;
  const isAsMeasured =
    scan.prompt === params.prompt && scan.sizes.every(({ files }) => files === 0);
  if (reported === undefined || !isAsMeasured) return undefined;
  const place = `${modelKey} ${scan.prefixKeys[0]}`;
  const before = standing.get(place);
  const isStill =
    before !== undefined &&
    before.messages < scan.messages.length &&
    scan.prefixKeys[before.messages - 1] === before.key &&
    Math.abs(reported - before.reported) <= stillShare * before.reported;
  const calls = isStill ? before.calls + 1 : 1;
  const messages = scan.messages.length;
  standing.set(place, { reported, calls, messages, key: scan.prefixKeys.at(-1) });
  if (!isStill || calls < tellingCalls) return undefined;

  const measure = await tokenMeasure(params, model, calibration.rates());
  await measure.count(params.prompt);
  const sent = measure.leastPrompt(params.prompt);
  const added = measure.messages(scan.messages.slice(before.messages));
  if (reported >= sent * leastReportedShare || reported <= added * leastOverNew) return undefined;
  warn({
    code: 'silent-truncation',
    message:
      `${model.provider}:${model.modelId} reports ${reported} input tokens of about ${sent} that were sent, as of the calls before: ` +
      `it cuts the beginning of prompts without an error. They are kept below that for an hour. Raise what the server is ` +
      `configured for (num_ctx with Ollama), and set contextLength to it.`,
  });
  return { reported, sent };
}
