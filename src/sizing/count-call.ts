import type { CallOptions, Message, ModelIdentity } from '../prompt/prompt-types.ts';
import { fileTokens, type PromptFile } from '../tokens/files/file-tokens.ts';
import { mediaFamilyOf } from '../tokens/files/media-family-of.ts';
import { measureSteps } from '../tokens/measure-message.ts';
import type { PromptScan } from '../tokens/scan-prompt.ts';
import { textTokens } from '../tokens/text-tokens.ts';
import { runInSlices } from '../util/async/run-steps.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import { utf8Length } from '../util/strings/utf8-length.ts';
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
  const { params, systems, model, scan, reported, reserve, calibration } = call;
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
  await counter.countAll(systems, abortSignal);
  await counter.countAll(rest, abortSignal);
  const measure = measureWith(counter, rates);
  const size = sizeAt(measure, given === undefined ? learnedDoubt : 0);
  yield size;

  await counter.countAll(prompt, abortSignal);
  if (given !== undefined) {
    yield { ...size, measure };
    return;
  }
  const sent = [...systems, ...scan.messages.slice(0, reported.sentMessages)];
  await counter.countAll(sent, abortSignal);
  const counted = countedPrompt(counter, sent);
  const texts = textTokens({ ...params, prompt: sent }, counted, mediaFamilyOf(model));
  const observed = { counted, texts, reported: reported.inputTokens };
  const added = counter.total(rest);
  const multiplier = multiplierOfRest(calibration.start, rates.multiplier, observed, added);
  const exact = measureWith(counter, { ...rates, multiplier });
  yield { ...sizeAt(exact, observedDoubt), measure: exact, observed };
}

/** Counts a call of which nothing is known: messages that were counted before, then the others one by one. */
async function* countWhole(
  { params, systems, model }: CountedCall,
  counter: CallCounter,
  rates: SizeRates,
): AsyncGenerator<CountedInterval, void, void> {
  const { prompt, abortSignal } = params;
  const { known, unknown, bytes } = await knownPart({ params, model }, counter);
  const between = intervalBetween(prompt.length, rates);
  let counted = known;
  let rest = bytes.reduce((total, each) => total + each, 0);
  const byCount = (): CountedInterval => {
    const interval = between(counted, counted + rest, counted + rest / bytesPerToken);
    return rest <= counted * mostUncounted ? interval : { ...interval, counted: undefined };
  };
  yield byCount();
  let index = 0;
  let decidedAt = rest;
  for await (const tokens of counter.counts(unknown, { abortSignal })) {
    counted += tokens;
    rest -= bytes[index] ?? 0;
    index += 1;
    if (decidedAt - rest < stepBytes) continue;
    decidedAt = rest;
    yield byCount();
  }
  const measure = measureWith(counter, rates);
  await counter.countAll(prompt, abortSignal);
  await counter.countAll(systems, abortSignal);
  const tokens = measure.prompt(prompt);
  const size = { least: tokens, most: tokens, tokens, fixedTokens: measure.prompt(systems) };
  yield { ...size, measuredBy: 'count', measure, counted: countedPrompt(counter, prompt) };
}

/** Makes intervals of a prompt from the least, the most and the likely tokens of o200k. */
function intervalBetween(
  messages: number,
  rates: SizeRates,
): (least: number, most: number, counted: number) => CountedInterval {
  const scaled = (counted: number): number => promptTokens(counted, messages, rates);
  return (least, most, counted) => ({
    least: least * rates.least,
    most: scaled(most),
    tokens: scaled(counted),
    fixedTokens: 0,
    measuredBy: 'count',
    counted,
  });
}

/** What has been counted before, and the bytes of each message that has not. */
async function knownPart(
  { params: { prompt, abortSignal }, model }: Pick<CountedCall, 'params' | 'model'>,
  counter: CallCounter,
): Promise<{ known: number; unknown: readonly Message[]; bytes: readonly number[] }> {
  const family = mediaFamilyOf(model);
  const measure = { text: utf8Length, file: (file: PromptFile) => fileTokens(file, family) };
  const unknown: Message[] = [];
  const bytes: number[] = [];
  let known = counter.overhead;
  const slices = timeSlices({ abortSignal });
  for (const message of prompt) {
    const pause = slices.pause();
    if (pause !== undefined) await pause;
    const found = counter.known(message, slices);
    const tokens = found instanceof Promise ? await found : found;
    known += tokens ?? 0;
    if (tokens !== undefined) continue;
    // One message may hold megabytes: looking it up and writing its JSON are two steps.
    await slices.pause();
    unknown.push(message);
    bytes.push(await runInSlices(measureSteps([message], measure), slices));
  }
  return { known, unknown, bytes };
}
