export { summarize } from '../strategies/levels/summarize.ts';
export type { SummarizeOptions } from '../strategies/levels/summarize-options.ts';
export type { ContentType, LevelPrompts } from '../strategies/levels/summarize-options.ts';
export type { SummaryProgress } from '../strategies/summary-strategy.ts';
export type { SummaryThresholds } from '../record/summary-level.ts';
export type { SummaryLevel } from '../record/summary-record.ts';
export type { ChunkSummary, HierarchicalSummary, SummaryResult } from '../record/summary-result.ts';
export { summarizeTool, type SummarizeToolInput } from './summarize-tool.ts';
export type {
  ToolExtractor,
  ToolExtractors,
  ToolMatcher,
  ToolSummary,
  ToolUse,
} from '../strategies/tool-summary.ts';
export { middleTruncate } from './middle-truncate.ts';
export type { MiddleTruncateOptions, MiddleTruncation } from '../tokens/text/cut-middle.ts';
