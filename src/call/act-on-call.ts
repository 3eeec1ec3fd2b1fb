import { SummarizationError } from '../errors/summarization-error.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { targetTokens } from '../trigger/decide.ts';
import type { CallContext } from './call-context.ts';
import { chooseCoverage, type Coverage } from './choose-coverage.ts';
import { composePrompt } from './compose-prompt.ts';
import { condenseToolResults } from './condense-tool-results.ts';
import { fitCall, type Draft, type FittedCall } from './fit-call.ts';
import type { CallInspection } from './inspect-call.ts';
import { makeSummary } from './make-summary.ts';
import type { TokenMeasure } from './token-measure.ts';

/** Summarises a call whose trigger has fired, and makes it fit. */
export async function actOnCall(
  context: CallContext,
  inspection: CallInspection,
  measure: TokenMeasure,
): Promise<FittedCall> {
  const { params, composition } = inspection;
  const draft = (await summarize(context, inspection, measure)) ?? {
    prompt: composition?.prompt ?? params.prompt,
    composition,
  };
  const fitted = await fitCall(context, inspection, measure, draft);
  if (fitted.recovery !== undefined)
    context.emitForCall({ type: 'recovered', reason: 'too-long', ...fitted.recovery });
  return fitted;
}

/** Makes the next record and puts it in place, or finds that condensing is enough. */
async function summarize(
  context: CallContext,
  inspection: CallInspection,
  measure: TokenMeasure,
): Promise<Draft | undefined> {
  const { emitForCall, strategy, failures, options } = context;
  const { view, style, state, stored, policy, decision, callOptions } = inspection;
  const halted =
    policy.atMaxDepth === 'halt' && (stored?.record.depth ?? -1) >= policy.maxSummaryChainDepth;
  if (strategy === undefined || halted) {
    emitForCall({ type: 'skipped', reason: halted ? 'max-depth' : 'no-strategy' });
    return undefined;
  }
  const coverage = canFit(inspection, measure) ? chooseCoverage(inspection, measure) : undefined;
  if (coverage === undefined) {
    emitForCall({ type: 'skipped', reason: 'nothing-to-cover' });
    return undefined;
  }
  if (options.condenseToolResults === true && decision.reason !== 'forced') {
    const condensed = condensedPrompt(context, inspection, coverage);
    if (measure.prompt(condensed) <= targetTokens(policy.limit, policy)) {
      emitForCall({ type: 'skipped', reason: 'condensed' });
      return { prompt: condensed, composition: inspection.composition };
    }
  }
  try {
    const recent =
      callOptions.force === true ? undefined : failures.recall(await state.keyOf(coverage.count));
    if (recent !== undefined) {
      emitForCall({ type: 'skipped', reason: 'recent-failure' });
      throw recent;
    }
    const made = await makeSummary(context, { inspection, measure, coverage });
    const composition = composePrompt(view, style, { record: made.record, cut: coverage.cut });
    return { prompt: composition.prompt, composition };
  } catch (error) {
    if (options.abortOnFailure === true || !SummarizationError.isInstance(error)) throw error;
    return undefined;
  }
}

/** Whether what must stay leaves any room: a summary is not paid for when the call is refused anyway. */
function canFit({ view, policy }: CallInspection, measure: TokenMeasure): boolean {
  const latestUser = view.conversation.findLast(({ role }) => role === 'user');
  const least = latestUser === undefined ? view.systems : [...view.systems, latestUser];
  return measure.prompt(least) <= policy.limit;
}

/** The prompt as it stands, with the tool outputs that would be covered replaced by their facts. */
function condensedPrompt(
  { options }: CallContext,
  { view, params, composition }: CallInspection,
  coverage: Coverage,
): CallOptions['prompt'] {
  const stale = new Set(view.conversation.slice(0, coverage.cut));
  return condenseToolResults(composition?.prompt ?? params.prompt, stale, options);
}
