import { mediaFamilyOf, type MediaFamily } from '../tokens/files/media-family-of.ts';
import type { PromptScan } from '../tokens/scan-prompt.ts';
import { textTokens } from '../tokens/text-tokens.ts';
import { multiplierOfRest } from './token-calibration.ts';
import type { SizeRates } from './size-rates.ts';
import { timeSlices } from '../util/time-slices.ts';
import type { UsageAnchor } from './usage-memory.ts';
import type { CallContext } from '../call/call-context.ts';
import { countUntilDecided } from './count-until-decided.ts';
import type { CallSize } from './measure-call.ts';
import { modelCalibration } from './model-calibration.ts';
import type { MeasuredCall } from './measured-call.ts';
import {
  callCounter,
  countedPrompt,
  measureWith,
  type CallCounter,
  type TokenMeasure,
} from './token-measure.ts';

/** What is known of a call before it is counted. */
export interface KnownSize {
  readonly scan: PromptScan;
  readonly anchor: UsageAnchor | undefined;
  /** Tokens by which an estimate from usage may be short. */
  readonly reserve: number;
}

/**
 * Shares by which what is new may take more tokens than a multiplier says: one learned of other prompts,
 * and one of the conversation itself, in which code may follow prose. Measured by `npm run bench:accuracy`.
 */
const learnedDoubt = 0.3;
const observedDoubt = 0.15;

/** What counting adds to what is known. */
export type CountedSize = Omit<CallSize, 'scan' | 'tokenized'>;

/**
 * Counts a call as far as its decision needs: what no usage speaks of, else all of it. Without the
 * tokenizer all counts are estimates, of which nothing is learned.
 */
export async function countCall(
  context: CallContext,
  call: MeasuredCall,
  known: KnownSize,
): Promise<CountedSize> {
  const counter = await callCounter(call.params, context.model);
  const size = await countWith(counter, context, call, known);
  if (counter.isExact) return size;
  warnOfEstimates(context);
  const measuredBy = size.measuredBy === 'usage' ? size.measuredBy : 'estimate';
  return { ...size, measuredBy, counted: undefined, observed: undefined };
}

async function countWith(
  counter: CallCounter,
  context: CallContext,
  call: MeasuredCall,
  known: KnownSize,
): Promise<CountedSize> {
  const { model } = context;
  const { params, policy, decide, systems } = call;
  const rates = await modelCalibration(context, policy).load();
  const family = mediaFamilyOf(model);
  if (known.anchor !== undefined) {
    return countRest(call, { ...known, anchor: known.anchor, counter, rates, family });
  }
  const partly = await countUntilDecided(counter, call, { family, rates });
  if (partly !== undefined) return { ...partly, measure: undefined };
  const measure = measureWith(counter, rates);
  const slices = timeSlices({ abortSignal: params.abortSignal });
  const tokens = measure.prompt(params.prompt);
  await slices.pause();
  return {
    decision: decide(tokens, measure.prompt(systems)),
    tokens,
    measuredBy: 'count',
    measure,
    counted: countedPrompt(counter, params.prompt),
  };
}

/**
 * Counts what came after a call whose usage is known. Where what a token of o200k comes to makes a
 * difference, everything is counted, so that the known usage says it of this very conversation.
 */
async function countRest(
  call: MeasuredCall,
  {
    scan,
    anchor,
    reserve,
    counter,
    rates,
    family,
  }: KnownSize & {
    readonly anchor: UsageAnchor;
    readonly counter: CallCounter;
    readonly rates: SizeRates;
    readonly family: MediaFamily;
  },
): Promise<CountedSize> {
  const { params, policy, decide, systems } = call;
  const { abortSignal, prompt } = params;
  const rest = scan.messages.slice(anchor.rest);
  await counter.countInSlices([...systems, ...rest], { abortSignal });
  const sizeAt = (measure: TokenMeasure, doubt: number): CountedSize => {
    const restTokens = measure.messages(rest);
    const tokens = anchor.tokens + restTokens;
    const decision = decide(tokens + restTokens * doubt + reserve, measure.prompt(systems));
    const needed = decision.act === 'none' ? undefined : measure;
    return { decision, tokens, measuredBy: 'usage', measure: needed, counted: undefined };
  };
  const measure = measureWith(counter, rates);
  const size = sizeAt(measure, policy.tokenMultiplierGiven ? 0 : learnedDoubt);
  if (size.measure === undefined) return size;

  await counter.countInSlices(prompt, { abortSignal });
  if (policy.tokenMultiplierGiven) return size;
  const sent = [...systems, ...scan.messages.slice(0, anchor.sentMessages)];
  const counted = countedPrompt(counter, sent);
  const texts = textTokens({ ...params, prompt: sent }, counted, family);
  const observed = { counted, texts, reported: anchor.inputTokens };
  const added = rest.reduce((total, message) => total + counter.count(message), 0);
  const multiplier = multiplierOfRest(policy.tokenMultiplier, rates.multiplier, observed, added);
  const exact = measureWith(counter, { ...rates, multiplier });
  return { ...sizeAt(exact, observedDoubt), observed };
}

function warnOfEstimates({ warnForCall }: CallContext): void {
  warnForCall({
    code: 'tokenizer-missing',
    cause: 'tokenizer',
    message:
      'The tokenizer could not be loaded: tokens are estimated until the provider reports some.',
  });
}
