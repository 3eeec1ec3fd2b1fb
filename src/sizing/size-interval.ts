import type { TokenMeasure } from './token-measure.ts';
import type { ObservedSize } from './token-calibration.ts';

/** Between which sizes a call is known to lie, in tokens of its model: prompt, tools and response schema. */
export interface SizeInterval {
  readonly least: number;
  readonly most: number;
  /** The best figure at hand. */
  readonly tokens: number;
  /** Tokens of what no summary can shorten; 0 as long as nothing is counted. */
  readonly fixedTokens: number;
  /** What the figures rest on. */
  readonly measuredBy: 'bound' | 'usage' | 'estimate' | 'count';
  /** Whether texts were counted for it, or estimated because the tokenizer could not be loaded. */
  readonly tokenizer: 'unused' | 'exact' | 'missing';
  /** What messages and prompts take, once all of the prompt has been counted. */
  readonly measure?: TokenMeasure | undefined;
  /** Tokens of the prompt under o200k, where they were counted well enough to learn from. */
  readonly counted?: number | undefined;
  /** The count and the reported size of a call that this one begins like, to be learned from. */
  readonly observed?: ObservedSize | undefined;
}
