import { mediaFamilyOf } from '../tokens/files/media-family-of.ts';
import { scanPrompt, type PromptScan } from '../tokens/scan-prompt.ts';
import { promptTokens, spareFrameTokens } from './size-rates.ts';
import type { ObservedSize } from './token-calibration.ts';
import { upperBoundTokens } from '../tokens/upper-bound-tokens.ts';
import { triggerTokens, type TriggerDecision } from '../planning/decide.ts';
import type { CallContext } from '../call/call-context.ts';
import { modelCalibration } from './model-calibration.ts';
import { inactionBetween, type MeasuredCall } from './measured-call.ts';
import type { TokenMeasure } from './token-measure.ts';

/** The size of a call, known as well as its decision needs. */
export interface CallSize {
  readonly decision: TriggerDecision;
  /** Tokens of the prompt, tools and response schema included: the best figure at hand. */
  readonly tokens: number;
  /** What the decision rests on. */
  readonly measuredBy: 'bound' | 'usage' | 'sample' | 'estimate' | 'count';
  /** Whether texts were counted for it, not only their lengths looked at. */
  readonly tokenized: boolean;
  /** What messages and prompts take; only where all of the prompt has been counted, or has to be. */
  readonly measure: TokenMeasure | undefined;
  /** Tokens of the prompt under o200k, if it was counted or sampled. */
  readonly counted: number | undefined;
  /** The count and the reported size of a call that this one begins like, to be learned from. */
  readonly observed?: ObservedSize | undefined;
  readonly scan: PromptScan;
}

/** Tokens by which an estimate from usage may be short: the worst of 896 calls was 781 short. */
const reserveTokens = 1024;
/** Share of the limit that the reserve never exceeds. */
const reserveShare = 0.01;
/** Characters a token holds in common text. */
const charactersPerToken = 4;

/**
 * Measures a call as far as its decision needs, cheapest first: a bound; the usage reported of a call
 * that it begins like, plus a bound of the rest; the bytes; counts, of which those of known messages are
 * remembered and those of very many unknown ones are sampled. Counts are taken in slices.
 */
export async function measureCall(context: CallContext, call: MeasuredCall): Promise<CallSize> {
  const { model, modelKey, memory } = context;
  const { params, policy, decide } = call;
  const family = mediaFamilyOf(model);
  const scan = scanPrompt(params, family);
  const rates = modelCalibration(context, policy).rates();
  const { multiplier } = rates;
  const atMost = (counted: number): number => promptTokens(counted, params.prompt.length, rates);
  const settled = (
    measuredBy: CallSize['measuredBy'],
    decision: TriggerDecision,
    tokens: number,
  ): CallSize => ({
    decision,
    tokens: Math.ceil(tokens),
    measuredBy,
    tokenized: false,
    measure: undefined,
    counted: undefined,
    scan,
  });
  const below = (tokens: number): TriggerDecision | undefined => {
    const decision = decide(tokens, 0);
    return decision.reason === 'below-trigger' ? decision : undefined;
  };

  const atBound = below(atMost(scan.bound));
  // Nothing but a prompt that is not ours to touch is decided on at any size.
  const aside = inactionBetween(call, 0, Number.POSITIVE_INFINITY);
  const atOnce = atBound ?? aside;
  if (atOnce !== undefined)
    return settled('bound', atOnce, Math.min(scan.estimate, scan.bound) * multiplier);

  const anchor = memory.usage.find(scan, { model: modelKey, recordId: call.recordId });
  const reserve = Math.min(reserveTokens, policy.limit * reserveShare);
  if (anchor !== undefined) {
    const frames = (scan.messages.length - anchor.rest) * spareFrameTokens;
    const most = anchor.tokens + anchor.restBound * multiplier + frames + reserve;
    const decision = inactionBetween(call, anchor.inputTokens, most);
    if (decision !== undefined)
      return settled('usage', decision, anchor.tokens + anchor.restEstimate);
  } else if (scan.characters * multiplier < triggerTokens(policy.limit, policy)) {
    // Otherwise the bytes cannot be below the trigger either.
    const bytes = upperBoundTokens(params, model);
    const atBytes = below(atMost(bytes));
    if (atBytes !== undefined)
      return settled('bound', atBytes, (bytes / charactersPerToken) * multiplier);
  }

  // A module of its own: most calls are decided before anything is counted.
  const { countCall } = await import('./count-call.ts');
  const counted = await countCall(context, call, { scan, anchor, reserve });
  return { scan, tokenized: true, ...counted, tokens: Math.ceil(counted.tokens) };
}
