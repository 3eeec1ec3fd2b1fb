export type { CountPromptTokensParams, PromptTokenCount } from './api/count-prompt.ts';
export { countPromptTokens } from './api/count-prompt-tokens.ts';
export { eraseConversation } from './api/records/erase-conversation.ts';
export type {
  EraseConversationInput,
  EraseConversationResult,
} from './api/records/erase-state-of.ts';
export { listSummaries } from './api/records/list-summaries.ts';
export type { ListedSummary, ListSummariesInput } from './api/records/list-summaries-of.ts';
export { readArchive } from './api/records/read-archive.ts';
export type { ReadArchiveInput, ReadArchiveResult } from './api/records/read-archive-of.ts';
export type { OmittedFile } from './archive/stored-archive.ts';
export type { StateInput } from './api/arguments/state-input.ts';
export { ContextOverflowError } from './errors/context-overflow-error.ts';
export { SummarizationError, type SummarizationFailure } from './errors/summarization-error.ts';
export { SummarizationOptionError } from './errors/summarization-option-error.ts';
export type { SummarizationMetadata } from './report/report-call.ts';
export type { SummarizationEvent } from './report/summarization-event.ts';
export type {
  ExplainedRecord,
  ExplainedWay,
  ExplainSummarizationParams,
  SummarizationExplanation,
} from './api/explain-call.ts';
export { explainSummarization } from './api/explain-summarization.ts';
export { forgetLearnedLimits } from './api/forget-learned-limits.ts';
export type { Placement } from './composing/place-summary.ts';
export type { DurationFigures, SummarizationStats } from './report/call-figures.ts';
export type { CacheFigures } from './util/maps/cache-figures.ts';
export { summarizationMiddleware, type SummarizationMiddleware } from './middleware.ts';
export type { SummarizationCallOptions } from './options/call-options.ts';
export type { ProviderOverrides, TokenPrices } from './options/provider-overrides.ts';
export type { SummarizationOptions } from './options/summarization-options.ts';
export type { Message, ModelIdentity } from './prompt/prompt-types.ts';
export type { Conversation } from './api/arguments/given-conversation.ts';
export { summaryRecordSchema } from './record/record-schemas.ts';
export type {
  MessageTemplate,
  SummarizationPrompts,
  SummaryPrompts,
} from './prompts/summarization-prompts.ts';
export type { ItemOrigin, OriginRole } from './record/item-origin.ts';
export type {
  ActionItem,
  ItemField,
  ItemOrigins,
  ReplacedConstraint,
  SummaryContent,
  SummaryContext,
  SummaryLevel,
  SummaryMetrics,
  SummaryRecord,
} from './record/summary-record.ts';
export type { LastSummarization } from './record/stored-summary.ts';
export {
  summaryTreeId,
  type CompareAndSet,
  type KeyValueStore,
  type SummaryStore,
  type SummaryTreeIdInput,
  type SummaryTreeNode,
  type SummaryTreeStore,
} from './stores/summary-store.ts';
export { memoryStore, type MemoryStoreOptions } from './stores/memory-store.ts';
export type { ChunkSummary, HierarchicalSummary, SummaryResult } from './record/summary-result.ts';
export type { SummarizationTelemetry } from './strategies/call-telemetry.ts';
export {
  defineStrategy,
  type DefinedStrategy,
  type StrategyDefinition,
} from './strategies/define-strategy.ts';
export type { StandardSchema } from './checks/check-object.ts';
export { llmStrategy } from './strategies/llm/llm-strategy.ts';
export type { LlmStrategyOptions } from './strategies/llm/llm-writer.ts';
export type { MessageFilter, MessageFilterMode } from './strategies/messages/message-filter.ts';
export {
  ruleBasedStrategy,
  type RuleBasedStrategyOptions,
} from './strategies/rule-based/rule-based-strategy.ts';
export type {
  ToolExtractor,
  ToolExtractors,
  ToolMatcher,
  ToolSummary,
  ToolUse,
} from './strategies/tool-summary.ts';
export type {
  SummaryAttempt,
  SummaryInput,
  SummaryOutput,
  SummaryProgress,
  SummaryStrategy,
} from './strategies/summary-strategy.ts';
export { prepareSummary } from './api/prepare-summary.ts';
export type { PrepareSummaryInput, PrepareSummaryResult } from './api/prepare-summary-of.ts';
export type { SummaryJob, SummaryQueue } from './options/summary-queue.ts';
export { summarizeConversation } from './api/summarize-conversation.ts';
export type {
  SummarizeConversationInput,
  SummarizeConversationResult,
} from './api/summarize-messages.ts';
export { readCompactCommand, type CompactCommand } from './api/read-compact-command.ts';
export { compactTool } from './api/compact-tool.ts';
export type { CompactToolInput, CompactToolOptions } from './api/compact-tool.ts';
export { undoSummarization } from './api/records/undo-summarization.ts';
export type {
  UndoSummarizationInput,
  UndoSummarizationResult,
} from './api/records/undo-summarization-of.ts';
export { contextLengthOf } from './api/context-length-of.ts';
export type { ContextLength } from './tokens/context-lengths/length-in-table.ts';
export type { ProposedSummary, SummarizationPlan, SummaryVerdict } from './planning/plan.ts';
export type { Priority } from './selection/conversation-view.ts';
export type { SummaryCost, SummaryOutcome } from './planning/plan.ts';
export type { TriggerReason } from './planning/decide.ts';
