/** Tokens of a summary over those of what it was made from, clamped to [0, 1]; 0 when that is nothing. */
export function compressionRatio(inputTokens: number, outputTokens: number): number {
  return inputTokens > 0 ? Math.min(1, outputTokens / inputTokens) : 0;
}
