import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { mediaFamilyOf } from '../tokens/files/media-family-of.ts';
import { readUsage } from './read-usage.ts';
import { scanPrompt } from '../tokens/scan-prompt.ts';
import { leastTextTokens, textTokens } from '../tokens/text-tokens.ts';
import { modelCalibration } from './model-calibration.ts';
import type { SentCall } from '../report/report-call.ts';

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
 * one to a history that the provider holds, nor a report that leaves more to something hidden than the
 * model has room for: all of it is believed or none, however the prompt was measured.
 *
 * @param params - The call as it was really sent.
 */
export function learnUsage(
  { context, inspection, composition, counted }: SentCall,
  params: CallOptions,
  { usage, finishReason, characters }: AnswerSize,
): void {
  const reported = readUsage(usage);
  const { policy, size, decision } = inspection;
  if (reported === undefined || finishReason.unified === 'error') return;
  if (decision.reason === 'server-managed') return;
  const { model, modelKey, memory } = context;
  const family = mediaFamilyOf(model);
  const scan =
    inspection.scan.prompt === params.prompt ? inspection.scan : scanPrompt(params, family);
  // A prompt that was rewritten since is not the one that was counted.
  const tokens = counted.prompt === params.prompt ? counted.tokens : undefined;
  const texts = tokens === undefined ? leastTextTokens(scan) : textTokens(params, tokens, family);
  const { inputTokens } = reported;
  const calibration = modelCalibration(context, policy);
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
  if (tokens !== undefined || size.measuredBy === 'bound') memory.hidden.learn(modelKey, hidden);
}
