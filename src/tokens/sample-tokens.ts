import { countUpTo } from '../util/count-up-to.ts';
import { splitsSurrogatePair } from '../util/strings/splits-surrogate-pair.ts';
import type { TimeSlices } from '../util/async/time-slices.ts';

/** Samples taken of a long text at the most, and characters of each. */
export const samples = 256;
export const sampleLength = 512;

/**
 * Share by which an estimate from so many samples may be off: six standard deviations, one being 1.5 %
 * at 256 samples.
 */
const sampleErrors: readonly (readonly [samples: number, error: number])[] = [
  [64, 0.18],
  [128, 0.13],
  [samples, 0.1],
];

/** How far a sample is moved to begin and end between words. */
const sampleReach = 48;

/** What is estimated, and by which share that may be off. */
export interface SampledTokens {
  readonly tokens: number;
  readonly error: number;
}

/**
 * Estimates the tokens of long texts from samples spread evenly over them: three times, of ever more
 * samples. Deterministic.
 */
export async function* sampleTokens(
  texts: readonly string[],
  count: (text: string) => number,
  slices: TimeSlices,
): AsyncGenerator<SampledTokens, void, void> {
  const starts: number[] = [];
  let total = 0;
  for (const text of texts) {
    starts.push(total);
    total += text.length;
  }
  let rates = 0;
  let taken = 0;
  for (const [until, error] of sampleErrors) {
    // Each round is spread over the whole: every fourth place, those between them, then the others.
    const first = taken === 0 ? 0 : samples / until;
    const step = taken === 0 ? samples / until : 2 * first;
    for (let place = first; place < samples; place += step) {
      // Moved within its stride, or a text of one period would be sampled at one place of it.
      const position = Math.floor(((place + ((place * 0.618_034) % 1)) * total) / samples);
      const text = countUpTo(starts, position) - 1;
      const sample = sampleAt(texts[text] ?? '', position - (starts[text] ?? 0));
      // Each sample stands for as much text as any other, however short it is.
      rates += sample === '' ? 0 : count(sample) / sample.length;
      // Waiting for nothing would still let the tokenizer forget what the samples share.
      await slices.pause();
    }
    taken = until;
    yield { tokens: (rates / taken) * total, error };
  }
}

function sampleAt(text: string, position: number): string {
  const start = sampleStart(text, Math.max(0, Math.min(position, text.length - sampleLength)));
  return text.slice(start, sampleStart(text, Math.min(text.length, start + sampleLength)));
}

function sampleStart(text: string, from: number): number {
  if (from === 0) return 0;
  const last = Math.min(text.length, from + sampleReach);
  for (let index = from; index < last; index += 1) if (text.charCodeAt(index) === 32) return index;
  return splitsSurrogatePair(text, from) ? from - 1 : from;
}
