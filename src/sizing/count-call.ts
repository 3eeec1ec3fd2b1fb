import type { CallOptions, Message, ModelIdentity } from '../prompt/prompt-types.ts';
import { totalOf, type PromptScan } from '../tokens/scan-prompt.ts';
import { sumOf } from '../util/numbers.ts';
import {
  multiplierOfRest,
  type ModelCalibration,
  type ObservedSize,
  type SizeRates,
} from './calibration.ts';
import { callCounter, measureWith, type CallCounter, type TokenMeasure } from './token-measure.ts';
import type { UsageAnchor } from './usage.ts';

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
  /** Tokens of the prompt under o200k, where they were counted. */
  readonly counted?: number | undefined;
  /** The count and the reported size of a call that this one begins like, to be learned from. */
  readonly observed?: ObservedSize | undefined;
}

/** A call that is to be counted. */
export interface CountedCall {
  /** The call, with its prompt as it would be sent. */
  readonly params: CallOptions;
  readonly systems: readonly Message[];
  readonly model: ModelIdentity;
  readonly scan: PromptScan;
  readonly calibration: ModelCalibration;
  /** A call that this one begins like, and whose size was reported. */
  readonly reported: UsageAnchor | undefined;
  /** Tokens by which an estimate from usage may be short. */
  readonly reserve: number;
}

/**
 * Shares by which what is new may take more tokens than a multiplier says: one learned of other prompts,
 * and one of the conversation itself, in which code may follow prose. Measured by `npm run bench:accuracy`.
 */
const learnedDoubt = 0.3;
const observedDoubt = 0.15;

/**
 * Counts a call: all of it where no usage speaks of its beginning. Without the tokenizer all counts are estimates, of
 * which nothing is learned.
 */
export async function* countCall(call: CountedCall): AsyncGenerator<SizeInterval, void, void> {
  const { params, systems, reported } = call;
  const counter = await callCounter(params, call.model);
  const rates = await call.calibration.load();
  if (reported !== undefined) {
    yield* countRest({ ...call, reported }, counter, rates);
    return;
  }
  const { prompt, abortSignal } = params;
  const measure = measureWith(counter, rates);
  await counter.count([...systems, ...prompt], abortSignal);
  const tokens = measure.prompt(prompt);
  yield {
    least: tokens,
    most: tokens,
    tokens,
    fixedTokens: measure.prompt(systems),
    measuredBy: counter.isExact ? 'count' : 'estimate',
    tokenizer: counter.isExact ? 'exact' : 'missing',
    measure,
    counted: measure.counted(prompt),
  };
}

/**
 * Counts what came after a call whose usage is known. Then everything, so that the known usage says of
 * this very conversation what a token of o200k comes to.
 */
async function* countRest(
  call: CountedCall & { readonly reported: UsageAnchor },
  counter: CallCounter,
  rates: SizeRates,
): AsyncGenerator<SizeInterval, void, void> {
  const { params, systems, scan, reported, calibration } = call;
  const { abortSignal, prompt } = params;
  const { given, start } = calibration;
  const tokenizer = counter.isExact ? 'exact' : 'missing';
  const rest = scan.messages.slice(reported.rest);
  const sizeBy = (measure: TokenMeasure, doubt: number): SizeInterval => {
    const added = measure.messages(rest);
    const tokens = reported.tokens + added;
    const most = tokens + added * doubt + call.reserve;
    const fixedTokens = measure.prompt(systems);
    return { least: most, most, tokens, fixedTokens, measuredBy: 'usage', tokenizer };
  };
  const measure = measureWith(counter, rates);
  await counter.count([...systems, ...rest], abortSignal);
  const size = sizeBy(measure, given === undefined ? learnedDoubt : 0);
  yield size;

  await counter.count(prompt, abortSignal);
  if (given !== undefined) {
    yield { ...size, measure };
    return;
  }
  const sent = [...scan.systems, ...scan.messages.slice(0, reported.sentMessages)];
  const counted = counter.prompt(sent);
  const texts = counted - scan.frames + totalOf(scan.sizes.slice(reported.sentMessages)).frames;
  const observed = { counted, texts, reported: reported.inputTokens };
  const added = sumOf(rest, counter.message);
  const multiplier = multiplierOfRest(start, rates.multiplier, observed, added);
  const exact = measureWith(counter, { ...rates, multiplier });
  const learned = counter.isExact ? { observed } : {};
  yield { ...sizeBy(exact, observedDoubt), measure: exact, ...learned };
}
