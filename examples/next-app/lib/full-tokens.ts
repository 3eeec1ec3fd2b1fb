import type { ContextReading } from 'ai-sdk-summarization/ui';

/** What all messages would have come to with a call. */
export function fullTokensOf(call: ContextReading): number {
  const counted: unknown = Reflect.get(call, 'fullTokens');
  return typeof counted === 'number' ? counted : call.tokens;
}
