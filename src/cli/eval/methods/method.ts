import type { Message, WrappedModel } from '../../../prompt/prompt-types.ts';

/** What a method makes a conversation ready with. */
export interface MethodInput {
  readonly prompt: readonly Message[];
  /** Whose calls are counted. */
  readonly model: WrappedModel;
  readonly contextLength: number;
  readonly maxOutputTokens: number;
  /** Told of each summary; it is degraded where the rules wrote it because the model failed. */
  readonly onSummary: (isDegraded: boolean) => void;
}

/** Asks a question behind a conversation that was made ready. */
export type Ask = (
  question: Message,
) => PromiseLike<Awaited<ReturnType<WrappedModel['doGenerate']>>>;

/** A way to keep a conversation within a context. */
export type Method = (input: MethodInput) => Promise<Ask>;

/** Tokens that prompts may take: as much as the middleware lets them grow to, so that all have the same. */
export function roomOf({ contextLength, maxOutputTokens }: MethodInput): number {
  return (contextLength - maxOutputTokens) * 0.8;
}
