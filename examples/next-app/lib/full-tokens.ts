import type { ContextReading } from 'ai-sdk-summarization/ui';

/** Tokens of a call with all messages. */
export function fullTokensOf(call: ContextReading): number {
  const counted: unknown = Reflect.get(call, 'fullTokens');
  return typeof counted === 'number' ? counted : call.tokens;
}
