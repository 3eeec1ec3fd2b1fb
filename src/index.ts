export {
  countPromptTokens,
  type CountPromptTokensParams,
  type PromptTokenCount,
} from './count-prompt-tokens.ts';
export { ContextOverflowError } from './errors/context-overflow-error.ts';
export { SummarizationError, type SummarizationFailure } from './errors/summarization-error.ts';
export { SummarizationOptionError } from './errors/summarization-option-error.ts';
export type { SummarizationMetadata } from './call/report-call.ts';
export type { SummarizationEvent } from './events/summarization-event.ts';
export {
  explainSummarization,
  type ExplainSummarizationParams,
  type SummarizationExplanation,
  type SummarizationPlan,
} from './explain-summarization.ts';
export { forgetLearnedLimits } from './forget-learned-limits.ts';
export type { Placement } from './injection/resolve-placement.ts';
export { summarizationMiddleware } from './middleware.ts';
export type { SummarizationCallOptions } from './options/summarization-call-options.ts';
export type { ProviderOverrides } from './options/provider-overrides.ts';
export type { SummarizationOptions } from './options/summarization-options.ts';
export type { Message, ModelIdentity } from './prompt/prompt-types.ts';
export type { Conversation } from './call/to-prompt.ts';
export { summaryRecordSchema } from './record/record-schemas.ts';
export type {
  MessageTemplate,
  SummarizationPrompts,
  SummaryPrompts,
} from './prompts/summarization-prompts.ts';
export type {
  ActionItem,
  SummaryContent,
  SummaryContext,
  SummaryLevel,
  SummaryMetrics,
  SummaryRecord,
} from './record/summary-record.ts';
export type { SummaryThresholds } from './record/summary-level.ts';
export type { LastSummarization } from './state/stored-summary.ts';
export { summaryTreeId, type SummaryTreeIdInput } from './state/summary-tree-id.ts';
export type { SummaryStore, SummaryStoreSetOptions } from './state/summary-store.ts';
export type { SummaryTreeNode, SummaryTreeStore } from './stores/summary-tree-store.ts';
export { memoryStore, type MemoryStoreOptions } from './stores/memory-store.ts';
export { summarize } from './summarize/levels/summarize.ts';
export type { SummarizeOptions } from './summarize/levels/summarize-options.ts';
export type { SummaryProgress } from './summarize/levels/summarize-tree.ts';
export type { ContentType, LevelPrompts } from './summarize/levels/level-prompts.ts';
export type {
  ChunkSummary,
  HierarchicalSummary,
  SummaryResult,
} from './summarize/levels/summary-result.ts';
export type { SummarizationTelemetry } from './summarize/call-telemetry.ts';
export { llmStrategy, type LlmStrategyOptions } from './summarize/llm-strategy.ts';
export type {
  MessageFilter,
  MessageFilterMode,
} from './summarize/message-summaries/message-filter.ts';
export type { MessageToCondense } from './summarize/message-summaries/message-to-condense.ts';
export {
  ruleBasedStrategy,
  type RuleBasedStrategyOptions,
} from './summarize/rule-based/rule-based-strategy.ts';
export type { ToolExtractor, ToolSummary, ToolUse } from './summarize/rule-based/tool-summary.ts';
export type {
  SummaryAttempt,
  SummaryInput,
  SummaryOutput,
  SummaryStrategy,
} from './summarize/summary-strategy.ts';
export {
  summarizeConversation,
  type SummarizeConversationInput,
  type SummarizeConversationResult,
} from './summarize-conversation.ts';
export { contextLengthOf, type ContextLength } from './tokens/context-length-of.ts';
export {
  middleTruncate,
  type MiddleTruncateOptions,
  type MiddleTruncation,
} from './tokens/middle-truncate.ts';
export type { TriggerReason } from './trigger/decide.ts';
