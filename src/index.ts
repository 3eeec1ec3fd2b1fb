export {
  compact,
  compactTool,
  readCompactCommand,
  type CompactInput,
  type CompactResult,
  type CompactToolInput,
  type CompactToolOptions,
} from './entries/api/compact.ts';
export {
  contextLengthOf,
  countPromptTokens,
  type CountPromptTokensParams,
  type PromptTokenCount,
} from './entries/api/count-prompt-tokens.ts';
export {
  explainSummarization,
  type ExplainSummarizationParams,
  type SummarizationExplanation,
} from './entries/api/explain-summarization.ts';
export {
  prepareSummary,
  type PrepareSummaryInput,
  type PrepareSummaryResult,
} from './entries/api/prepare-summary.ts';
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
} from './entries/api/stored-summaries.ts';
export {
  summarizeConversation,
  type SummarizeConversationInput,
  type SummarizeConversationResult,
} from './entries/api/summarize-conversation.ts';
export { summarizeToolCall, type AnsweredToolCall } from './entries/api/summarize-tool-call.ts';
export type { Conversation } from './entries/api/conversation-input.ts';
export type { Placement } from './planning/composing/place-summary.ts';
export { ContextOverflowError } from './foundations/errors/context-overflow-error.ts';
export {
  SummarizationError,
  type SummarizationFailure,
} from './foundations/errors/summarization-error.ts';
export { SummarizationOptionError } from './foundations/errors/summarization-option-error.ts';
export { summarizationMiddleware, type SummarizationMiddleware } from './middleware.ts';
export type { SummarizationCallOptions } from './call/options/call-options.ts';
export type { ProviderOverrides, TokenPrices } from './call/options/provider-overrides.ts';
export type { SummarizationOptions } from './call/options/summarization-options.ts';
export type { SummaryJob, SummaryQueue } from './call/options/summary-queue.ts';
export { isContextOverflow, type ContextOverflow } from './sizes/overflow/context-overflow.ts';
export type { TriggerReason } from './planning/plan/decide.ts';
export type { ProposedSummary, SummarizationPlan } from './planning/plan/plan.ts';
export type { Message, ModelIdentity } from './prompt/messages/prompt-types.ts';
export type { SummarizationPrompts } from './summaries/templates/summarization-prompts.ts';
export { summaryRecordSchema } from './foundations/record/record-schemas.ts';
export type {
  ActionItem,
  ChunkSummary,
  ItemOrigin,
  ItemOrigins,
  SummaryContent,
  SummaryContext,
  SummaryRecord,
  SummaryResult,
} from './foundations/record/summary-record.ts';
export type { SummarizationEvent, SummarizationStats } from './call/report/events.ts';
export type { SummarizationMetadata } from './call/report/report-call.ts';
export type { Priority } from './planning/selection/conversation-view.ts';
export { memoryStore, type MemoryStoreOptions } from './state/stores/memory-store.ts';
export {
  summaryTreeId,
  type CompareAndSet,
  type KeyValueStore,
  type SummaryStore,
  type SummaryTreeIdInput,
  type SummaryTreeNode,
  type SummaryTreeStore,
} from './state/stores/summary-store.ts';
export {
  defineStrategy,
  type DefinedStrategy,
  type StrategyDefinition,
} from './summaries/strategies/define-strategy.ts';
export { llmStrategy } from './summaries/llm/llm-strategy.ts';
export type { LlmStrategyOptions } from './summaries/llm/llm-writer.ts';
export type { MessageFilter } from './summaries/messages/message-filter.ts';
export {
  ruleBasedStrategy,
  type RuleBasedStrategyOptions,
} from './summaries/rule-based/rule-based-strategy.ts';
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
} from './summaries/strategies/summary-strategy.ts';
export type { SummarizationTelemetry } from './foundations/telemetry/telemetry.ts';
export type { ContextLength } from './sizes/tokens/context-lengths.ts';
