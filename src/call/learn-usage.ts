import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { mediaFamilyOf } from '../tokens/media-family-of.ts';
import { scanPrompt } from '../tokens/scan-prompt.ts';
import type { CallContext } from './call-context.ts';
import type { CallInspection } from './inspect-call.ts';
import { modelCalibration } from './model-calibration.ts';
import type { SentCall } from './report-call.ts';

/** What an answer says about the size of its call. */
export interface AnswerSize {
  readonly usage: LanguageModelV4Usage;
  readonly finishReason: LanguageModelV4FinishReason;
  /** Characters of the answer: its texts, reasoning and tool-call inputs. */
  readonly characters: number;
}

/**
 * Remembers the usage that a provider reported for a prompt, and learns the model's multiplier from it
 * where the prompt was counted. An answer that ended in an error says nothing, nor does a size that cannot
 * be that of the prompt: a server may have cut it.
 *
 * @param params - The call as it was really sent.
 */
export function learnUsage(
  { context, inspection, composition }: SentCall,
  params: CallOptions,
  { usage, finishReason, characters }: AnswerSize,
): void {
  const inputTokens = usage.inputTokens.total;
  if (finishReason.unified === 'error' || inputTokens === undefined) return;
  const { model, modelKey, memory } = context;
  const { policy, size } = inspection;
  const calibration = modelCalibration(context, policy);
  // A prompt that was rewritten since is not the one that was counted.
  const observed =
    size.counted === undefined || size.scan.prompt !== params.prompt
      ? undefined
      : { counted: size.counted, reported: inputTokens };
  if (observed !== undefined && !calibration.isPlausible(observed)) return;
  const scan =
    size.scan.prompt === params.prompt ? size.scan : scanPrompt(params, mediaFamilyOf(model));
  memory.usage.remember(
    scan,
    { model: modelKey, recordId: composition?.record.id },
    {
      inputTokens,
      outputTokens: usage.outputTokens.total,
      reasoningTokens: usage.outputTokens.reasoning,
      answerCharacters: characters,
    },
  );
  if (observed !== undefined) calibration.learn(observed);
}

/** Learns from what was found while a call was measured; not part of measuring, which writes nothing. */
export function learnObserved(context: CallContext, { policy, size }: CallInspection): void {
  if (size.observed !== undefined) modelCalibration(context, policy).learn(size.observed);
}
