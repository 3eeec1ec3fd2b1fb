import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Composition } from '../composing/compose-prompt.ts';
import type { LearnedLimits } from '../overflow/learned-limits.ts';
import type { CallOptions, ModelIdentity, Prompt } from '../prompt/prompt-types.ts';
import { mediaFamilyOf } from '../tokens/files/media-family-of.ts';
import { scanPrompt, type PromptScan } from '../tokens/scan-prompt.ts';
import { sumOf } from '../tokens/text-size.ts';
import { runInSlices } from '../util/async/run-steps.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import type { HiddenTokens } from './hidden-tokens.ts';
import type { ModelCalibration } from './model-calibration.ts';
import { readUsage } from './read-usage.ts';
import type { SizeInterval } from './size-interval.ts';
import type { UsageMemory } from './usage-memory.ts';

/** A call as it was really sent, and what is learned of its model. */
export interface LearningCall {
  readonly params: CallOptions;
  readonly model: ModelIdentity;
  /** What is known of the model is filed under it. */
  readonly modelKey: string;
  readonly memory: {
    readonly usage: Pick<UsageMemory, 'remember'>;
    readonly hidden: Pick<HiddenTokens, 'learn'>;
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
 * none, however the prompt was measured. A prompt that was rewritten is read in slices; nobody waits.
 */
export async function learnUsage(
  { params, model, modelKey, memory, calibration, ...call }: LearningCall,
  { usage, finishReason, characters }: AnswerSize,
): Promise<void> {
  const reported = readUsage(usage);
  const { policy, composition, counted } = call;
  if (reported === undefined || finishReason.unified === 'error') return;
  const scan =
    call.scan.prompt === params.prompt
      ? call.scan
      : await runInSlices(scanPrompt(params, mediaFamilyOf(model)), timeSlices());
  // A prompt that was rewritten since is not the one that was counted.
  const tokens = counted.prompt === params.prompt ? counted.tokens : undefined;
  const texts =
    tokens === undefined
      ? scan.characters / mostCommonCharacters + sumOf(scan.sizes, 'files')
      : tokens - scan.frames;
  const { inputTokens } = reported;
  const hidden = inputTokens - texts * calibration.rates().least;
  if (hidden >= policy.limit) return;
  const scope = { model: modelKey, recordId: composition?.record.id };
  const isRemembered = memory.usage.remember(scan, scope, {
    ...reported,
    answerCharacters: characters,
  });
  if (!isRemembered) return;
  memory.limits.accept(modelKey, inputTokens);
  if (tokens !== undefined) calibration.learn({ counted: tokens, reported: inputTokens });
  // Where only what was new was counted, there is no telling texts from what is hidden.
  if (tokens !== undefined || call.size.measuredBy === 'bound')
    memory.hidden.learn(modelKey, hidden);
}
