import type { CallOptions, Message, ModelIdentity } from '../prompt/prompt-types.ts';
import type { PromptScan } from '../tokens/scan-prompt.ts';
import { sumOf } from '../tokens/text-size.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import type { ModelCalibration } from './model-calibration.ts';
import type { SizeInterval } from './size-interval.ts';
import { promptTokens, type SizeRates } from './size-rates.ts';
import { multiplierOfRest } from './token-calibration.ts';
import {
  callCounter,
  countedPrompt,
  measureWith,
  type CallCounter,
  type TokenMeasure,
} from './token-measure.ts';
import type { UsageAnchor } from './usage-memory.ts';

/**
 * Shares by which what is new may take more tokens than a multiplier says: one learned of other prompts,
 * and one of the conversation itself, in which code may follow prose. Measured by `npm run bench:accuracy`.
 */
const learnedDoubt = 0.3;
const observedDoubt = 0.15;

/** Bytes counted between two intervals: to decide after each message would cost more than it saves. */
const stepBytes = 16_384;
/** Bytes a token takes in common text. */
const bytesPerToken = 4;
/** Bytes not counted, per token counted, up to which the figure is good enough to learn from. */
const mostUncounted = 0.3;

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

type CountedInterval = Omit<SizeInterval, 'tokenizer'>;

/**
 * Counts a call in slices: what no usage speaks of, else all of it. Without the tokenizer all counts are
 * estimates, of which nothing is learned.
 */
export async function* countCall(call: CountedCall): AsyncGenerator<SizeInterval, void, void> {
  const counter = await callCounter(call.params, call.model);
  const rates = await call.calibration.load();
  const intervals =
    call.reported === undefined
      ? countWhole(call, counter, rates)
      : countRest({ ...call, reported: call.reported }, counter, rates);
  for await (const interval of intervals) {
    if (counter.isExact) yield { ...interval, tokenizer: 'exact' };
    else yield { ...interval, ...estimated(interval.measuredBy), tokenizer: 'missing' };
  }
}

function estimated(measuredBy: SizeInterval['measuredBy']): Partial<SizeInterval> {
  const by = measuredBy === 'usage' ? measuredBy : 'estimate';
  return { measuredBy: by, counted: undefined, observed: undefined };
}

/**
 * Counts what came after a call whose usage is known. Then everything, so that the known usage says of
 * this very conversation what a token of o200k comes to.
 */
async function* countRest(
  call: CountedCall & { readonly reported: UsageAnchor },
  counter: CallCounter,
  rates: SizeRates,
): AsyncGenerator<CountedInterval, void, void> {
  const { params, systems, scan, reported, reserve, calibration } = call;
  const { abortSignal, prompt } = params;
  const { given } = calibration;
  const rest = scan.messages.slice(reported.rest);
  const sizeAt = (measure: TokenMeasure, doubt: number): CountedInterval => {
    const restTokens = measure.messages(rest);
    const tokens = reported.tokens + restTokens;
    const most = tokens + restTokens * doubt + reserve;
    const fixedTokens = measure.prompt(systems);
    return { least: most, most, tokens, fixedTokens, measuredBy: 'usage' };
  };
  await counter.countAll(systems, { abortSignal });
  await counter.countAll(rest, { abortSignal });
  const measure = measureWith(counter, rates);
  const size = sizeAt(measure, given === undefined ? learnedDoubt : 0);
  yield size;

  await counter.countAll(prompt, { abortSignal });
  if (given !== undefined) {
    yield { ...size, measure };
    return;
  }
  const sent = [...scan.systems, ...scan.messages.slice(0, reported.sentMessages)];
  const counted = countedPrompt(counter, sent);
  const later = scan.sizes.slice(reported.sentMessages);
  const texts = counted - scan.frames + sumOf(later, 'frames');
  const observed = { counted, texts, reported: reported.inputTokens };
  const added = counter.total(rest);
  const multiplier = multiplierOfRest(calibration.start, rates.multiplier, observed, added);
  const exact = measureWith(counter, { ...rates, multiplier });
  yield { ...sizeAt(exact, observedDoubt), measure: exact, observed };
}

/** Counts a call of which nothing is known: messages that were counted before, then the others one by one. */
async function* countWhole(
  { params, params: { prompt, abortSignal }, systems, scan }: CountedCall,
  counter: CallCounter,
  rates: SizeRates,
): AsyncGenerator<CountedInterval, void, void> {
  const slices = timeSlices({ abortSignal });
  await counter.countAll(scan.systems, { abortSignal });
  let counted = countedPrompt(counter, scan.systems);
  let rest = sumOf(scan.sizes, 'bound');
  const between = (): CountedInterval => ({
    least: counted * rates.least,
    most: promptTokens(counted + rest, prompt.length, rates),
    tokens: promptTokens(counted + rest / bytesPerToken, prompt.length, rates),
    fixedTokens: 0,
    measuredBy: 'count',
    counted: rest <= counted * mostUncounted ? counted + rest / bytesPerToken : undefined,
  });
  const take = (tokens: number, index: number): void => {
    counted += tokens;
    rest -= scan.sizes[index]?.bound ?? 0;
  };
  const known = scan.messages.map(counter.known);
  for (const [index, tokens] of known.entries()) if (tokens !== undefined) take(tokens, index);
  yield between();
  let decidedAt = rest;
  const release = counter.hold();
  try {
    for (const [index, message] of scan.messages.entries()) {
      if (known[index] !== undefined) continue;
      take(await counter.countOne(message, slices), index);
      await slices.pause();
      if (decidedAt - rest < stepBytes) continue;
      decidedAt = rest;
      yield between();
    }
  } finally {
    release();
  }
  yield await countedSize({ params, systems }, counter, rates);
}

async function countedSize(
  { params: { prompt, abortSignal }, systems }: Pick<CountedCall, 'params' | 'systems'>,
  counter: CallCounter,
  rates: SizeRates,
): Promise<CountedInterval> {
  const measure = measureWith(counter, rates);
  await counter.countAll(prompt, { abortSignal });
  await counter.countAll(systems, { abortSignal });
  const tokens = measure.prompt(prompt);
  const size = { least: tokens, most: tokens, tokens, fixedTokens: measure.prompt(systems) };
  return { ...size, measuredBy: 'count', measure, counted: countedPrompt(counter, prompt) };
}
