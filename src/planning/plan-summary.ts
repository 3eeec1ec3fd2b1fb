import type { SummarizationError } from '../errors/summarization-error.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { targetTokens } from './decide.ts';
import type { CallContext } from '../call/call-context.ts';
import { chooseCoverage, type Coverage } from './choose-coverage.ts';
import { timeSlices } from '../util/time-slices.ts';
import { condenseToolResults } from '../fitting/condense-tool-results.ts';
import type { CallInspection } from '../call/inspect-call.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';

/** What is to be done about a call whose trigger has fired. */
export type SummaryPlan =
  | { readonly step: 'summarize'; readonly coverage: Coverage }
  /** Condensing old tool results is enough. */
  | { readonly step: 'condense'; readonly prompt: CallOptions['prompt'] }
  | {
      readonly step: 'skip';
      readonly reason: 'max-depth' | 'no-strategy' | 'nothing-to-cover' | 'recent-failure';
      /** How the same summary failed a short while ago. */
      readonly failure?: SummarizationError | undefined;
    };

/**
 * Plans what is done about a call whose trigger has fired. The middleware carries it out and
 * `explainSummarization` tells it, so that what is explained is what happens.
 */
export async function planSummary(
  context: CallContext,
  inspection: CallInspection,
  measure: TokenMeasure,
): Promise<SummaryPlan> {
  const { strategy, failures, options } = context;
  const { state, stored, policy, decision, callOptions } = inspection;
  if (policy.atMaxDepth === 'halt' && (stored?.record.depth ?? -1) >= policy.maxSummaryChainDepth)
    return { step: 'skip', reason: 'max-depth' };
  if (strategy === undefined) return { step: 'skip', reason: 'no-strategy' };
  const coverage = canFit(inspection, measure)
    ? await chooseCoverage(inspection, measure)
    : undefined;
  if (coverage === undefined) return { step: 'skip', reason: 'nothing-to-cover' };
  if (options.condenseToolResults === true && decision.reason !== 'forced') {
    const prompt = await condensedPrompt(context, inspection, coverage);
    await measure.count(prompt, inspection.params.abortSignal);
    if (measure.prompt(prompt) <= targetTokens(policy.limit, policy))
      return { step: 'condense', prompt };
  }
  const failure =
    callOptions.force === true ? undefined : failures.recall(await state.keyOf(coverage.count));
  if (failure !== undefined) return { step: 'skip', reason: 'recent-failure', failure };
  return { step: 'summarize', coverage };
}

/** Whether what must stay leaves any room: a summary is not paid for when the call is refused anyway. */
function canFit({ view, policy }: CallInspection, measure: TokenMeasure): boolean {
  const latestUser = view.conversation.findLast(({ role }) => role === 'user');
  const least = latestUser === undefined ? view.systems : [...view.systems, latestUser];
  return measure.prompt(least) <= policy.limit;
}

/** The prompt as it stands, with the tool outputs that would be covered replaced by their facts. */
async function condensedPrompt(
  { toolResults }: CallContext,
  { view, params, composition }: CallInspection,
  coverage: Coverage,
): Promise<CallOptions['prompt']> {
  const stale = new Set(view.conversation.slice(0, coverage.cut));
  const slices = timeSlices({ abortSignal: params.abortSignal });
  return condenseToolResults(composition?.prompt ?? params.prompt, stale, slices, toolResults);
}
