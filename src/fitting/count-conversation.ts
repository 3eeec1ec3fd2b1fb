import type { CountedConversation, CountTokens } from './zones/counted-conversation.ts';
import { keptMessages } from '../selection/kept-messages.ts';
import { timeSlices } from '../util/time-slices.ts';
import { legalCuts } from '../selection/legal-cuts.ts';
import type { CallInspection } from '../call/read-call.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';

/** Counts a conversation that is to be shortened, behind the record that applies. */
export async function countConversation(
  inspection: CallInspection,
  measure: TokenMeasure,
): Promise<CountedConversation> {
  const { params, view, composition } = inspection;
  const { abortSignal } = params;
  const messages = view.conversation;
  const start = composition?.cut ?? 0;
  await measure.count(messages, abortSignal);
  const tokensOf = (index: number): number => {
    const message = messages[index];
    return message === undefined ? 0 : measure.unscaled.message(message);
  };
  const tokens = messages.map((_, index) => (index < start ? 0 : tokensOf(index)));
  const { pause } = timeSlices({ abortSignal });
  const count: CountTokens = async (message) => {
    await pause();
    await measure.count([message], abortSignal);
    return measure.unscaled.message(message);
  };
  const kept = (cut: number): readonly number[] => keptMessages({ ...view, cut }).indexes;
  const keptTokens = (cut: number): number =>
    kept(cut).reduce((total, index) => total + tokensOf(index), 0);
  const all = measure.unscaled.prompt(composition?.prompt ?? params.prompt);
  const history = tokens.reduce((total, each) => total + each, 0);
  return {
    messages,
    tokens,
    history,
    fixed: all - history - keptTokens(start),
    start,
    boundaries: view.groups.boundaries,
    cuts: legalCuts(view, start),
    kept,
    keptTokens,
    count,
    pause,
  };
}
