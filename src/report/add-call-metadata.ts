import type {
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import { providerOptionsKey } from '../prompt/own-options.ts';
import { readUsage } from '../sizing/usage.ts';
import type { SummarizationMetadata } from './report-call.ts';

/** Adds what happened to a call to the metadata of its answer, as `providerMetadata.summarization`. */
export function withCallMetadata<
  T extends Pick<FinishPart, 'usage'> & {
    readonly providerMetadata?: FinishPart['providerMetadata'];
  },
>(answer: T, report: SummarizationMetadata): T & { providerMetadata: SharedV4ProviderMetadata } {
  const tokens = readUsage(answer.usage)?.inputTokens ?? report.tokens;
  return {
    ...answer,
    providerMetadata: { ...answer.providerMetadata, [providerOptionsKey]: { ...report, tokens } },
  };
}

type FinishPart = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

/** Characters that a part of a stream, or of a whole answer, adds to the answer. */
export function charactersOf(part: LanguageModelV4StreamPart | LanguageModelV4Content): number {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return lengthOf(part.delta);
    case 'text':
    case 'reasoning':
      return lengthOf(part.text);
    case 'tool-call':
      return lengthOf(part.toolName) + lengthOf(part.input);
    default:
      return 0;
  }
}

/** A provider without types may leave a text out. */
function lengthOf(text: unknown): number {
  return typeof text === 'string' ? text.length : 0;
}
