import type { LanguageModel } from 'ai';
import { optionsAround } from '../../call/options/options-of-model.ts';
import type { SummarizationOptions } from '../../call/options/summarization-options.ts';
import { checkInput } from '../../foundations/checks/check-object.ts';
import { shortenedOutputs } from '../../call/fitting/condensed-messages.ts';
import type { CallOptions } from '../../prompt/messages/prompt-types.ts';
import type {
  ChangedMessage,
  PlanReason,
  ShortenedOutputs,
  SummarizationPlan,
  SummaryCost,
} from '../../planning/plan/plan.ts';
import { type Plan, readAndPlan, summaryPlanOf } from '../../call/run/plan-call.ts';
import type { SummaryRecord, LastSummarization } from '../../foundations/record/summary-record.ts';
import { callContext, middlewareContext } from '../../call/run/call-context.ts';
import { Reporter } from '../../call/report/reporter.ts';
import { type ConversationInput, readConversationInput, readModel } from './conversation-input.ts';
import { callCounter, measureWith } from '../../planning/sizing/token-measure.ts';

/** The call to explain: its `messages`, and its other parameters. */
export type ExplainSummarizationParams = ConversationInput &
  Omit<CallOptions, 'prompt' | 'tools'> & {
    /** The model of the calls, wrapped or not. A string is resolved by the SDK's default provider or the gateway. */
    readonly model: LanguageModel;
    /**
     * The options of the middleware.
     * @default those of the middleware around `model`
     */
    readonly options?: SummarizationOptions | undefined;
  };

/** Result of `explainSummarization`. Token figures are of the wrapped model. */
export interface SummarizationExplanation {
  /**
   * The planned step: none; facts in place of old tool results (`condenseToolResults`); a summary; or, if the prompt
   * does not fit (`emergency`), a summary if there is a `plan`, and further shortening without a model.
   */
  readonly act: 'none' | 'condense' | 'summarize' | 'emergency';
  /** The trigger; without a summary the reason, as in the `skipped` event. */
  readonly reason: PlanReason;
  /** Tokens of the prompt as it stands, a stored record applied. */
  readonly tokens: number;
  /** Tokens the model accepts. */
  readonly contextLength: number;
  /** `tokens` over what a prompt may have: see the event `check`. */
  readonly ratio: number;
  /** Messages after the leading system messages. */
  readonly messageCount: number;
  /** The stored record that stands in the prompt. */
  readonly applied?: SummaryRecord | undefined;
  /**
   * The record that is prepared and stands in no prompt before a summary is due (`background`): it is then put in
   * place without a wait.
   */
  readonly prepared?: SummaryRecord | undefined;
  /** State of the conversation after the last summary. */
  readonly lastSummarization?: LastSummarization | undefined;
  /** Costs and savings of a summary with `optimizeFor: 'cost'`, in tokens at the price of uncached input. */
  readonly cost?: SummaryCost | undefined;
  /** Tool outputs that are shortened in the prompt, with `maxToolOutputTokens`. */
  readonly shortened?: ShortenedOutputs | undefined;
  /** The message that changes beneath the summaries of the conversation, with the reason `changed-history`. */
  readonly changed?: ChangedMessage | undefined;
  /** The planned summary, if one would be made. */
  readonly plan?: SummarizationPlan | undefined;
}

/**
 * Explains what the middleware would do with a call: a dry run without side effects that calls no model and writes
 * nothing. Pass the wrapped model, or the options of its middleware with `store`, `secret` and `namespace`; otherwise the
 * function cannot know the summaries.
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong, and what is allowed; what the
 * provider throws for a model id that it does not know.
 *
 * @example
 * ```ts
 * const { act, reason, plan } = await explainSummarization({ messages, model, options });
 * ```
 */
export async function explainSummarization(
  params: ExplainSummarizationParams,
): Promise<SummarizationExplanation> {
  checkInput(params, 'messages and model');
  const { model: given, options: own, messages: _, tools: _read, ...rest } = params;
  const model = await readModel(given);
  const options = await optionsAround(model, own);
  const call: CallOptions = { ...rest, ...(await readConversationInput(params)) };
  const silent = { ...middlewareContext(options), reporter: new Reporter({}) };
  const { call: facts, plan } = await readAndPlan(callContext(silent, model, call), call);
  const changed = plan.step === 'fit' ? plan.changed : undefined;
  const { policy, view, composition, stored, calibration } = facts;
  const measure =
    plan.measure ??
    measureWith(await callCounter(facts.params, model, calibration), calibration.rates());
  await measure.count(facts.scan.prompt, call.abortSignal);
  const tokens = measure.prompt(facts.scan.prompt);
  const messageCount = view.conversation.length;
  return {
    act: actOf(plan),
    reason: plan.reason,
    tokens,
    contextLength: policy.contextLength,
    ratio: tokens / policy.limit,
    messageCount,
    applied: composition?.record,
    prepared: facts.state.prepared?.record,
    lastSummarization: stored?.lastSummarization,
    cost: facts.cost?.figures,
    shortened: shortenedOutputs(facts.scan.prompt),
    changed: changed && { index: changed.index, role: changed.role },
    plan: plan.step === 'summarize' ? summaryPlanOf(facts, measure, plan.range) : undefined,
  };
}

function actOf({ step, decision }: Plan): SummarizationExplanation['act'] {
  if (step === 'condense') return step;
  return step === 'fit' && decision.act === 'summarize' ? 'none' : decision.act;
}
