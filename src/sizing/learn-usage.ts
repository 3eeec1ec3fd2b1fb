import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Composition } from '../composing/compose-prompt.ts';
import type { LearnedLimits } from '../overflow/learned-limits.ts';
import type { CallOptions, ModelIdentity, Prompt } from '../prompt/prompt-types.ts';
import { mediaFamilyOf } from '../tokens/model-family.ts';
import { scanPrompt, totalOf, type PromptScan } from '../tokens/scan-prompt.ts';
import type { BoundedMap } from '../util/maps/bounded-map.ts';
import type { ModelCalibration } from './calibration.ts';
import type { SizeInterval } from './count-call.ts';
import { prefixKeys, readUsage, type UsageMemory } from './usage.ts';

/** A call as it was really sent, and what is learned of its model. */
export interface LearningCall {
  readonly params: CallOptions;
  readonly model: ModelIdentity;
  /** What is known of the model is filed under it. */
  readonly modelKey: string;
  readonly memory: {
    readonly usage: Pick<UsageMemory, 'remember'>;
    readonly limits: Pick<LearnedLimits, 'accept'>;
  };
  readonly calibration: ModelCalibration;
  /** Tokens the prompt may take. */
  readonly policy: { readonly limit: number };
  readonly composition: Pick<Composition, 'record'> | undefined;
  /** The prompt as it was when it was measured, and how. */
  readonly scan: PromptScan;
  readonly size: Pick<SizeInterval, 'measuredBy'>;
  /** The prompt that was counted, and what it came to under o200k, if that is known. */
  readonly counted: { readonly prompt: Prompt; readonly tokens: number | undefined };
}

/** Characters that a token of common text hardly ever exceeds on average: English takes 4 to 5. */
const mostCommonCharacters = 6;

/** What an answer says about the size of its call. */
export interface AnswerSize {
  readonly usage: LanguageModelV4Usage;
  readonly finishReason: LanguageModelV4FinishReason;
  /** Characters of the answer: its texts, reasoning and tool-call inputs. */
  readonly characters: number;
}

/**
 * Remembers the usage that a provider reported for a prompt, and learns from it what the model's tokens
 * are and what the provider adds to every prompt. An answer that ended in an error says nothing, nor does
 * a report that leaves more to something hidden than the model has room for: all of it is believed or
 * none, however the prompt was measured.
 */
export function learnUsage(
  { params, model, modelKey, memory, calibration, ...call }: LearningCall,
  { usage, finishReason, characters }: AnswerSize,
): void {
  const reported = readUsage(usage);
  const { policy, composition, counted } = call;
  if (reported === undefined || finishReason.unified === 'error') return;
  const isAsMeasured = call.scan.prompt === params.prompt;
  const scan = isAsMeasured ? call.scan : scanPrompt(params, mediaFamilyOf(model));
  // A prompt that was rewritten since is not the one that was counted.
  const tokens = counted.prompt === params.prompt ? counted.tokens : undefined;
  const texts =
    tokens === undefined
      ? scan.characters / mostCommonCharacters + totalOf(scan.sizes).files
      : tokens - scan.frames;
  const { inputTokens } = reported;
  const hidden = inputTokens - texts * calibration.rates().least;
  if (hidden >= policy.limit) return;
  const scope = { model: modelKey, recordId: composition?.record.id };
  const answered = { ...reported, answerCharacters: characters };
  if (!memory.usage.remember(scan, scope, answered)) return;
  memory.limits.accept(modelKey, inputTokens);
  if (tokens !== undefined) calibration.learn({ counted: tokens, reported: inputTokens });
  // Where only what was new was counted, there is no telling texts from what is hidden.
  if (tokens !== undefined || call.size.measuredBy === 'bound') calibration.learnHidden(hidden);
}

/** What was reported of a conversation's last calls, while the figure stood still. */
export interface StandingUsage {
  readonly reported: number;
  /** Calls in a row that reported about as much. */
  readonly calls: number;
  /** Messages of the last call, and the key of all of them. */
  readonly messages: number;
  readonly key: string | undefined;
}

/** A call as it was sent. */
export interface WatchedCall extends Pick<
  LearningCall,
  'params' | 'model' | 'modelKey' | 'calibration' | 'scan'
> {
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
  { params, model, scan, standing, modelKey, warn, calibration }: WatchedCall,
  usage: LanguageModelV4Usage,
): Promise<SilentCut | undefined> {
  const reported = readUsage(usage)?.inputTokens;
  const isAsMeasured =
    scan.prompt === params.prompt && scan.sizes.every(({ files }) => files === 0);
  if (reported === undefined || !isAsMeasured) return undefined;
  const keyUpTo = (end: number): string | undefined =>
    prefixKeys({ ...scan, sizes: scan.sizes.slice(0, end) }).next().value ?? undefined;
  const place = `${modelKey} ${keyUpTo(1)}`;
  const before = standing.get(place);
  const messages = scan.messages.length;
  const isStill =
    before !== undefined &&
    before.messages < messages &&
    keyUpTo(before.messages) === before.key &&
    Math.abs(reported - before.reported) <= stillShare * before.reported;
  const calls = isStill ? before.calls + 1 : 1;
  standing.set(place, { reported, calls, messages, key: keyUpTo(messages) });
  if (!isStill || calls < tellingCalls) return undefined;

  const { tokenMeasure } = await import('./token-measure.ts');
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
