import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ContextOverflow } from './context-overflow.ts';

/** The overflow that an answer without content stands for, if it does. */
export function overflowOfResult({
  finishReason,
  content,
}: LanguageModelV4GenerateResult): ContextOverflow | undefined {
  const saysNothing = content.every((part) => part.type === 'text' && part.text === '');
  return saysNothing && isFull(finishReason) ? {} : undefined;
}

/** The overflow that the first part of a stream stands for, if it does: of an error, what `ofError` says. */
export function overflowOfPart(
  part: LanguageModelV4StreamPart,
  ofError: (error: unknown) => ContextOverflow | undefined,
): ContextOverflow | undefined {
  if (part.type === 'error') return ofError(part.error);
  return part.type === 'finish' && isFull(part.finishReason) ? {} : undefined;
}

/** Claude from 4.5 on, and z.ai, raise no error when the prompt fills the context. */
function isFull({ raw }: LanguageModelV4GenerateResult['finishReason']): boolean {
  return raw === 'model_context_window_exceeded';
}
