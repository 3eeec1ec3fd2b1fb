export {
  compact,
  compactTool,
  readCompactCommand,
  type CompactInput,
  type CompactResult,
  type CompactToolInput,
  type CompactToolOptions,
} from './api/compact.ts';
export {
  contextLengthOf,
  countPromptTokens,
  type CountPromptTokensParams,
  type PromptTokenCount,
} from './api/count-prompt-tokens.ts';
export {
  explainSummarization,
  type ExplainSummarizationParams,
  type SummarizationExplanation,
} from './api/explain-summarization.ts';
export {
  prepareSummary,
  type PrepareSummaryInput,
  type PrepareSummaryResult,
} from './api/prepare-summary.ts';
export {
  eraseConversation,
  listSummaries,
  readArchive,
  undoSummarization,
  type EraseConversationInput,
  type EraseConversationResult,
  type ListedSummary,
  type ListSummariesInput,
  type ReadArchiveInput,
  type ReadArchiveResult,
  type UndoSummarizationInput,
  type UndoSummarizationResult,
} from './api/stored-summaries.ts';
export {
  summarizeConversation,
  type SummarizeConversationInput,
  type SummarizeConversationResult,
} from './api/summarize-conversation.ts';
export { summarizeToolCall, type AnsweredToolCall } from './api/summarize-tool-call.ts';
export type { Conversation } from './api/conversation-input.ts';
export type { Placement } from './composing/place-summary.ts';
export { ContextOverflowError } from './errors/context-overflow-error.ts';
export { SummarizationError, type SummarizationFailure } from './errors/summarization-error.ts';
export { SummarizationOptionError } from './errors/summarization-option-error.ts';
export { summarizationMiddleware, type SummarizationMiddleware } from './middleware.ts';
export type { SummarizationCallOptions } from './options/call-options.ts';
export type { ProviderOverrides, TokenPrices } from './options/provider-overrides.ts';
export type { SummarizationOptions } from './options/summarization-options.ts';
export type { SummaryJob, SummaryQueue } from './options/summary-queue.ts';
export { isContextOverflow, type ContextOverflow } from './overflow/context-overflow.ts';
export type { TriggerReason } from './planning/decide.ts';
export type { ProposedSummary, SummarizationPlan } from './planning/plan.ts';
export type { Message, ModelIdentity } from './prompt/prompt-types.ts';
export type { SummarizationPrompts } from './prompts/summarization-prompts.ts';
export { summaryRecordSchema } from './record/record-schemas.ts';
export type {
  ActionItem,
  ChunkSummary,
  ItemOrigin,
  ItemOrigins,
  SummaryContent,
  SummaryContext,
  SummaryRecord,
  SummaryResult,
} from './record/summary-record.ts';
export type { SummarizationEvent, SummarizationStats } from './report/events.ts';
export type { SummarizationMetadata } from './report/report-call.ts';
export type { Priority } from './selection/conversation-view.ts';
export { memoryStore, type MemoryStoreOptions } from './stores/memory-store.ts';
export {
  summaryTreeId,
  type CompareAndSet,
  type KeyValueStore,
  type SummaryStore,
  type SummaryTreeIdInput,
  type SummaryTreeNode,
  type SummaryTreeStore,
} from './stores/summary-store.ts';
export {
  defineStrategy,
  type DefinedStrategy,
  type StrategyDefinition,
} from './strategies/define-strategy.ts';
export { llmStrategy } from './strategies/llm/llm-strategy.ts';
export type { LlmStrategyOptions } from './strategies/llm/llm-writer.ts';
export type { MessageFilter } from './strategies/messages/message-filter.ts';
export {
  ruleBasedStrategy,
  type RuleBasedStrategyOptions,
} from './strategies/rule-based/rule-based-strategy.ts';
export type {
  SummaryAttempt,
  SummaryInput,
  SummaryOutput,
  SummaryProgress,
  SummaryStrategy,
  ToolExtractor,
  ToolResultOptions,
  ToolSummary,
  ToolUse,
} from './strategies/summary-strategy.ts';
export type { SummarizationTelemetry } from './telemetry/telemetry.ts';
export type { ContextLength } from './tokens/context-lengths.ts';
