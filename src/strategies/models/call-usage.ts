/** Tokens a call was billed, 0 where the provider does not say. */
export interface CallUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Reads the usage of a result, or of an error: an unusable answer is billed like a good one. */
export function usageOf(source: unknown): CallUsage {
  const usage = propertyOf(source, 'usage');
  return {
    inputTokens: tokensIn(usage, 'inputTokens'),
    outputTokens: tokensIn(usage, 'outputTokens'),
  };
}

function tokensIn(usage: unknown, key: string): number {
  const tokens = propertyOf(usage, key);
  return typeof tokens === 'number' && Number.isFinite(tokens) ? tokens : 0;
}

function propertyOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
