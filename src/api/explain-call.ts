import type {
  ExplainSummarizationParams,
  SummarizationExplanation,
} from './explain-summarization.ts';
import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import { checkInput } from '../errors/check-input.ts';
import { checkOptions } from '../options/check-options.ts';
import { optionRules } from '../options/option-rules.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import type { TriggerDecision } from '../planning/decide.ts';
import { inspectCall } from '../call/inspect-call.ts';
import { callContext, middlewareContext } from '../call/middleware-context.ts';
import { modelCalibration } from '../sizing/model-calibration.ts';
import { planSummary, type SummaryPlan } from '../planning/plan-summary.ts';
import { readConversation } from './given-conversation.ts';
import { readModel } from './given-model.ts';
import { tokenMeasure } from '../sizing/token-measure.ts';

/** The part of `explainSummarization` that loads when it is called. */
export async function explainCall(
  params: ExplainSummarizationParams,
): Promise<SummarizationExplanation> {
  checkInput(params, 'prompt or messages, and model');
  refuseOptionsOfMiddleware(params);
  const { model: given, options = {}, prompt: _, messages: _same, tools: _read, ...rest } = params;
  checkOptions(options);
  const model = await readModel(given);
  const { prompt, tools } = await readConversation(params);
  const call: CallOptions = { ...rest, prompt: [...prompt], ...(tools && { tools }) };
  const silent = middlewareContext({ ...options, onEvent: undefined, debug: false });
  const context = callContext(silent, model, call);
  const inspection = await inspectCall(context, call);
  const { decision, policy, view, composition, stored } = inspection;
  const rates = await modelCalibration(context, policy).load();
  const measure = inspection.measure ?? (await tokenMeasure(inspection.params, model, rates));
  const composed = composition?.prompt ?? inspection.params.prompt;
  await measure.count(composed, call.abortSignal);
  const tokens = measure.prompt(composed);
  const plan =
    decision.act === 'none' ? undefined : await planSummary(context, inspection, measure);
  const coverage = plan?.step === 'summarize' ? plan.coverage : undefined;
  const messageCount = view.conversation.length;
  return {
    act: actOf(decision, plan),
    reason: plan?.step === 'skip' ? plan.reason : decision.reason,
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

function actOf(
  { act }: TriggerDecision,
  plan: SummaryPlan | undefined,
): SummarizationExplanation['act'] {
  if (plan?.step === 'condense') return 'condense';
  return plan?.step === 'skip' && act === 'summarize' ? 'none' : act;
}

/** Left beside the call, they would be taken for nothing. */
function refuseOptionsOfMiddleware(params: object): void {
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || !Object.hasOwn(optionRules, name)) continue;
    const allowed = `options.${name}: what the middleware is given stands in options`;
    throw new SummarizationOptionError({ option: name, value, allowed });
  }
}
