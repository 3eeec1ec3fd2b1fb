import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { Prompt } from '../prompt/prompt-types.ts';
import { contextOverflowOf, type ContextOverflow } from './context-overflow.ts';
import { isObject } from '../util/is-object.ts';
import { quotedIn } from './quoted-text.ts';
import { runInSlices } from '../util/async/run-steps.ts';
import { timeSlices } from '../util/async/time-slices.ts';

/** What was sent to a model that answers with an error. */
export interface SentPrompt {
  readonly prompt: Prompt;
  /** How full the model was: tokens of the prompt over those it may take. */
  readonly fullness: number;
}

/** Fullness from which a prompt may have been too long for a model whose word is in doubt. */
const leastFullness = 0.5;

/**
 * The overflow that the error of a call stands for, if it does. Words that stand in the prompt too may be
 * a quotation: of an overflow that nothing else speaks of, only a prompt near the limit is believed, and
 * nothing is learned from it.
 */
export async function overflowOfError(
  error: unknown,
  { prompt, fullness }: SentPrompt,
): Promise<ContextOverflow | undefined> {
  // Of most errors, whatever they quote: the prompt is not read for them.
  if (contextOverflowOf(error) === undefined) return undefined;
  const isQuoted = await runInSlices(quotedIn(prompt), timeSlices());
  const overflow = contextOverflowOf(error, isQuoted);
  if (overflow?.isQuoted !== true) return overflow;
  return fullness >= leastFullness ? { isUnexplained: true } : undefined;
}

/** The overflow that an answer without content stands for, if it does. */
export function overflowOfResult({
  finishReason,
  content,
}: LanguageModelV4GenerateResult): ContextOverflow | undefined {
  const saysNothing =
    Array.isArray(content) &&
    content.every((part) => isObject(part) && part.type === 'text' && part.text === '');
  return saysNothing && isFull(finishReason) ? {} : undefined;
}

/** The overflow that the first part of a stream stands for, if it does. */
export async function overflowOfPart(
  part: LanguageModelV4StreamPart,
  sent: SentPrompt,
): Promise<ContextOverflow | undefined> {
  if (part.type === 'error') return overflowOfError(part.error, sent);
  return part.type === 'finish' && isFull(part.finishReason) ? {} : undefined;
}

/** Claude from 4.5 on, and z.ai, raise no error when the prompt fills the context. */
function isFull({ raw }: LanguageModelV4GenerateResult['finishReason']): boolean {
  return raw === 'model_context_window_exceeded';
}
