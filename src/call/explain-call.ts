import type { LanguageModelV4 } from '@ai-sdk/provider';
import type {
  ExplainSummarizationParams,
  SummarizationExplanation,
} from '../explain-summarization.ts';
import type { SummarizationOptions } from '../options/summarization-options.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { chooseCoverage } from './choose-coverage.ts';
import { inspectCall } from './inspect-call.ts';
import { callContext, middlewareContext } from './middleware-context.ts';
import { modelCalibration } from './model-calibration.ts';
import { toPrompt } from './to-prompt.ts';
import { tokenMeasure } from './token-measure.ts';

/** The part of `explainSummarization` that loads when it is called. */
export async function explainCall(
  params: ExplainSummarizationParams,
  model: LanguageModelV4,
  options: SummarizationOptions,
): Promise<SummarizationExplanation> {
  const call: CallOptions = { ...params, prompt: [...(await toPrompt(params.prompt, 'prompt'))] };
  const silent = middlewareContext({ ...options, onEvent: undefined, debug: false });
  const context = callContext(silent, model, call);
  const inspection = await inspectCall(context, call);
  const { decision, policy, view, composition, stored } = inspection;
  const rates = await modelCalibration(context, policy).load();
  const measure = inspection.measure ?? (await tokenMeasure(inspection.params, model, rates));
  const tokens = measure.prompt(composition?.prompt ?? inspection.params.prompt);
  const coverage = decision.act === 'none' ? undefined : chooseCoverage(inspection, measure);
  const messageCount = view.conversation.length;
  return {
    act: decision.act,
    reason: decision.reason,
    tokens,
    contextLength: policy.contextLength,
    ratio: tokens / policy.limit,
    messageCount,
    applied: composition && {
      recordId: composition.record.id,
      depth: composition.record.depth,
      coveredMessages: composition.cut,
    },
    lastSummarization: stored?.lastSummarization,
    plan: coverage && {
      coveredMessages: coverage.cut,
      tailMessages: messageCount - coverage.cut,
      summarizerInputTokens: measure.messages(
        view.conversation.slice(coverage.start, coverage.cut),
      ),
      maxSummaryTokens: policy.maxSummaryTokens,
    },
  };
}
