import type { CallOptions, Message, ModelIdentity } from '../../prompt/messages/prompt-types.ts';
import { sendingRulesOf } from '../../sizes/tokens/model-family.ts';
import { sampleTexts, type TextSample } from '../../sizes/tokens/sample-texts.ts';
import { vocabularyOf } from '../../sizes/tokens/vocabularies.ts';
import {
  messageTexts,
  overheadTexts,
  totalOf,
  type PromptScan,
} from '../../sizes/tokens/scan-prompt.ts';
import { boundedMap } from '../../foundations/util/maps/bounded-map.ts';
import { oncePerTexts } from '../../foundations/util/async/digest-texts.ts';
import { promptTokens, spareFrameTokens, type ModelCalibration } from './calibration.ts';
import { callCounter, measureWith, type TokenMeasure } from './token-measure.ts';
import type { UsageAnchor, UsageMemory } from './usage.ts';

/** Bounds of the size of a call, in tokens of its model: prompt, tools and response schema. */
export interface SizeInterval {
  readonly least: number;
  readonly most: number;
  /** The best figure at hand. */
  readonly tokens: number;
  /** Source of the figures: an estimate reads a sample, or the whole prompt without a tokenizer. */
  readonly measuredBy: 'bound' | 'usage' | 'estimate' | 'count';
  /** Measure of messages and prompts, once the whole prompt has been counted. */
  readonly measure?: TokenMeasure | undefined;
}

/** A call to measure. */
export interface SizedCall {
  readonly params: CallOptions;
  readonly systems: readonly Message[];
  readonly model: ModelIdentity;
  /** The prompt as it would be sent, and its sizes. */
  readonly scan: PromptScan;
  readonly calibration: ModelCalibration;
  /** Reported sizes of calls, and the scope of those that may apply to this one. */
  readonly usage: Pick<UsageMemory, 'find'>;
  readonly scope: string;
  /** Tokens the prompt may take. */
  readonly limit: number;
}

/** Tokens by which an estimate from usage may be short: the worst of 896 calls was 781 short. */
const reserveTokens = 1024;
/** Share of the limit that the reserve never exceeds. */
const reserveShare = 0.01;

/**
 * Share by which new messages may take more tokens than the known part of a conversation suggests: code may follow
 * prose. Measured by `npm run bench -- accuracy`.
 */
const doubt = 0.15;

/**
 * Measures a call in ever narrower intervals, cheapest first, for as long as the caller asks: a bound by its bytes; the
 * usage reported for a call with the same beginning, plus a bound of the rest; a sample of the texts that no usage
 * covers; everything counted. Without the tokenizer all counts are estimates, from which nothing is learned. The last
 * interval is one size.
 */
export async function* sizeOf(call: SizedCall): AsyncGenerator<SizeInterval, void, void> {
  const { params, systems, scan, calibration, limit } = call;
  const { prompt } = scan;
  const known = calibration.rates();
  yield {
    least: 0,
    most: promptTokens(scan.bound, prompt.length, known),
    tokens: Math.min(scan.estimate, scan.bound) * known.multiplier,
    measuredBy: 'bound',
  };
  const reported = call.usage.find(scan, call.scope);
  const reserve = Math.min(reserveTokens, limit * reserveShare);
  if (reported !== undefined) {
    const sizes = scan.sizes.slice(reported.rest);
    const added = totalOf(sizes);
    const frames = sizes.length * spareFrameTokens;
    yield {
      least: reported.inputTokens,
      most: reported.tokens + added.bound * known.multiplier + frames + reserve,
      tokens: reported.tokens + added.estimate * known.multiplier,
      measuredBy: 'usage',
    };
  }

  yield await sampledSize(call, reported, reserve);

  const counter = await callCounter(params, call.model, calibration);
  await counter.count([...systems, ...prompt], params.abortSignal);
  const measure = measureWith(counter, known);
  if (reported === undefined) {
    const tokens = measure.prompt(prompt);
    const measuredBy = counter.isExact ? 'count' : 'estimate';
    yield { least: tokens, most: tokens, tokens, measuredBy, measure };
    return;
  }
  const added = measure.messages(prompt.slice(scan.start + reported.rest));
  const most = reported.tokens + added * (calibration.isGiven ? 1 : 1 + doubt) + reserve;
  const tokens = reported.tokens + added;
  yield { least: most, most, tokens, measuredBy: 'usage', measure };
}

/** Samples remembered in a process, about 250 bytes each, by their texts. */
const maxSamples = 2000;
const samples = boundedMap<TextSample>(maxSamples);

/**
 * Estimates the size of a call by a sample of the texts that no usage covers. If the call may exceed the limit, the
 * upper bound is the most that it may take. Otherwise the likely size decides: if the prompt is beyond the trigger
 * after all, the usage of this call tells the next one.
 */
async function sampledSize(
  { params, model, scan, calibration, limit }: SizedCall,
  reported: UsageAnchor | undefined,
  reserve: number,
): Promise<SizeInterval> {
  const { prompt } = scan;
  const rules = sendingRulesOf(model);
  const messages = reported === undefined ? prompt : prompt.slice(scan.start + reported.rest);
  const sized = reported === undefined ? scan : totalOf(scan.sizes.slice(reported.rest));
  const { characters, frames, files } = sized;
  const texts = messages.map((message) => messageTexts(message, rules).texts);
  if (reported === undefined) texts.unshift(overheadTexts(params, rules).texts);
  const vocabulary = calibration.isGiven ? undefined : vocabularyOf(model);
  const sample = await oncePerTexts(samples, `${vocabulary?.name}`, texts, () =>
    sampleTexts(texts, characters, vocabulary),
  );
  const rates = calibration.rates();
  const { multiplier } = rates;
  const sizeOfTexts = (tokens: number): number => {
    const counted = frames + files + tokens;
    return reported === undefined
      ? promptTokens(counted, messages.length, rates)
      : reported.tokens + counted * multiplier + messages.length * spareFrameTokens + reserve;
  };
  const most = sizeOfTexts(sample.most);
  return {
    least: reported?.inputTokens ?? (frames + files + sample.least) * rates.least,
    most: most < limit ? sizeOfTexts(sample.likely) : most,
    tokens: (reported?.tokens ?? 0) + (frames + files + sample.tokens) * multiplier,
    measuredBy: reported === undefined ? 'estimate' : 'usage',
  };
}
