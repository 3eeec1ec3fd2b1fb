import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { mediaFamilyOf } from '../tokens/media-family-of.ts';
import { scanPrompt } from '../tokens/scan-prompt.ts';
import type { CallContext } from './call-context.ts';
import type { CallInspection } from './inspect-call.ts';
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
 * where the prompt was counted. An answer that ended in an error says nothing.
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
  const { model, memory, calibrations, store } = context;
  const { policy, size } = inspection;
  const modelName = `${model.provider}:${model.modelId}`;
  const scan =
    size.scan.prompt === params.prompt ? size.scan : scanPrompt(params, mediaFamilyOf(model));
  memory.usage.remember(
    scan,
    { model: modelName, recordId: composition?.record.id },
    { inputTokens, outputTokens: usage.outputTokens.total, answerCharacters: characters },
  );
  if (policy.tokenMultiplierGiven || size.counted === undefined) return;
  // A prompt that was rewritten since is not the one that was counted.
  if (size.scan.prompt !== params.prompt) return;
  memory.calibration.learn(modelName, policy.tokenMultiplier, {
    counted: size.counted,
    reported: inputTokens,
  });
  calibrations.save(store, modelName);
}

/** Learns from what was found while a call was measured; not part of measuring, which writes nothing. */
export function learnObserved(
  { model, memory, calibrations, store }: CallContext,
  { policy, size }: CallInspection,
): void {
  if (size.observed === undefined) return;
  const modelName = `${model.provider}:${model.modelId}`;
  memory.calibration.learn(modelName, policy.tokenMultiplier, size.observed);
  calibrations.save(store, modelName);
}
