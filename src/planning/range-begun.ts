import { timeSlices } from '../util/async/time-slices.ts';
import type { CallFacts, SummaryRange } from './plan.ts';

/** What the summary stands for that is being written already: another one would be paid for besides. */
export async function rangeBegun({
  view,
  composition,
  writing: count,
  params,
}: Pick<CallFacts, 'view' | 'composition' | 'writing' | 'params'>): Promise<
  SummaryRange | undefined
> {
  if (count === undefined) return undefined;
  await view.read(timeSlices({ abortSignal: params.abortSignal }));
  const start = composition?.cut ?? 0;
  const cut = view.identity.indexAfter(count) ?? start;
  return cut > start && view.groups.isBoundary(cut) ? { start, cut, count } : undefined;
}
