import { countText } from './text/count-text.ts';
import type { TextCounter } from './text/create-text-counter.ts';
import { overheadSteps, type OverheadParams } from './measure-overhead.ts';
import type { MediaFamily } from './files/media-family-of.ts';
import { runInSlices } from '../util/run-steps.ts';
import type { TimeSlices } from '../util/time-slices.ts';

/**
 * Counts the tokens of a call besides its messages: tool definitions, response schema and the opening
 * of the answer. Summarising cannot make them fewer. The family decides the size of the preamble that
 * explains tool use.
 */
export async function countOverhead(
  counter: TextCounter,
  params: OverheadParams,
  family: MediaFamily,
  slices: TimeSlices,
): Promise<number> {
  const texts: string[] = [];
  const steps = overheadSteps(
    params,
    {
      text: (text) => {
        texts.push(text);
        return 0;
      },
    },
    family,
  );
  const frame = await runInSlices(steps, slices);
  let total = frame;
  for (const text of texts) total += await countText(text, counter.count, slices);
  return total;
}
