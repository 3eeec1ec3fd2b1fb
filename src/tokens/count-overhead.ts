import type { TextCounter } from './load-text-counter.ts';
import { measureOverhead, type OverheadParams } from './measure-overhead.ts';
import type { MediaFamily } from './media-family-of.ts';

/**
 * Counts the tokens of a call besides its messages: tool definitions, response schema and the opening
 * of the answer. Summarising cannot make them fewer. The family decides the size of the preamble that
 * explains tool use.
 */
export function countOverhead(
  counter: TextCounter,
  params: OverheadParams,
  family: MediaFamily = 'other',
): number {
  return measureOverhead(params, { text: counter.count }, family);
}
