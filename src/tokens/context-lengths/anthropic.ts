import type { ContextLengthTable } from './context-length-table.ts';

/** Anthropic's models. A newer one than these counts as 200,000 until it is listed. */
export const anthropic: ContextLengthTable = {
  claude: 200_000,
  'claude-2.0': 100_000,
  'claude-instant': 100_000,
  'claude-fable-5': 1_000_000,
  'claude-opus-4.6': 1_000_000,
  'claude-opus-4.7': 1_000_000,
  'claude-opus-4.8': 1_000_000,
  'claude-sonnet-4.6': 1_000_000,
  'claude-sonnet-5': 1_000_000,
};
