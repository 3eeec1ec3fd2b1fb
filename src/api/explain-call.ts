import type {
  ExplainSummarizationParams,
  SummarizationExplanation,
} from './explain-summarization.ts';
import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import { checkInput } from '../checks/check-object.ts';
import { checkOptions } from '../options/check-options.ts';
import { optionRules } from '../options/option-rules.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { planCall, type Plan } from '../planning/plan-call.ts';
import { readCall } from '../call/read-call.ts';
import { callContext, middlewareContext } from '../call/middleware-context.ts';
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
  const facts = await readCall(context, call);
  const plan = await planCall(facts);
  const { policy, view, composition, stored, calibration } = facts;
  const rates = await calibration.load();
  const measure = plan.measure ?? (await tokenMeasure(facts.params, model, rates));
  const composed = composition?.prompt ?? facts.params.prompt;
  await measure.count(composed, call.abortSignal);
  const tokens = measure.prompt(composed);
  const messageCount = view.conversation.length;
  return {
    act: actOf(plan),
    reason: plan.reason,
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
    plan:
      plan.step === 'summarize'
        ? {
            coveredMessages: plan.range.cut,
            tailMessages: messageCount - plan.range.cut,
            summarizerInputTokens: measure.messages(
              view.conversation.slice(plan.range.start, plan.range.cut),
            ),
            maxSummaryTokens: policy.maxSummaryTokens,
          }
        : undefined,
  };
}

function actOf({ step, decision }: Plan): SummarizationExplanation['act'] {
  if (step === 'condense') return step;
  return step === 'fit' && decision.act === 'summarize' ? 'none' : decision.act;
}

/** Left beside the call, they would be taken for nothing. */
function refuseOptionsOfMiddleware(params: object): void {
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || !Object.hasOwn(optionRules, name)) continue;
    const allowed = `options.${name}: what the middleware is given stands in options`;
    throw new SummarizationOptionError({ option: name, value, allowed });
  }
}
