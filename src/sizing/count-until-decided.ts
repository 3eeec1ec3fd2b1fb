import type { Message } from '../prompt/prompt-types.ts';
import { fileTokens } from '../tokens/files/file-tokens.ts';
import { measureMessage } from '../tokens/measure-message.ts';
import type { MediaFamily } from '../tokens/files/media-family-of.ts';
import { sampleLength, samples } from '../tokens/sample-tokens.ts';
import { promptTokens, type SizeRates } from './size-rates.ts';
import { timeSlices } from '../util/time-slices.ts';
import { utf8Length } from '../util/utf8-length.ts';
import type { TriggerDecision } from '../planning/decide.ts';
import { inactionBetween, type MeasuredCall } from './measured-call.ts';
import type { CallCounter } from './token-measure.ts';

/** A size that was decided on before everything was counted. */
export interface PartialCount {
  readonly decision: TriggerDecision;
  readonly tokens: number;
  readonly measuredBy: 'sample' | 'count';
  /** Tokens under o200k, where the figure is good enough to learn from. */
  readonly counted: number | undefined;
}

/** Bytes from which samples are quicker than counting: twice what they hold. */
const sampledBytes = 2 * samples * sampleLength;
/** Bytes a token takes in common text. */
const bytesPerToken = 4;
/** Bytes not counted, per token counted, up to which the figure is good enough to learn from. */
const mostUncounted = 0.3;

/**
 * Counts the messages that are not known yet, until they cannot change that there is nothing to do.
 * Very long ones are sampled first, and counted only where the samples come within 10 % of a trigger.
 * `undefined` when everything has been counted.
 */
export async function countUntilDecided(
  counter: CallCounter,
  call: MeasuredCall,
  { family, rates }: { readonly family: MediaFamily; readonly rates: SizeRates },
): Promise<PartialCount | undefined> {
  const { prompt, abortSignal } = call.params;
  const unknown: Message[] = [];
  const bytes: number[] = [];
  let known = counter.overhead;
  let unknownBytes = 0;
  const slices = timeSlices({ abortSignal });
  for (const message of prompt) {
    const pause = slices.pause();
    if (pause !== undefined) await pause;
    const tokens = counter.known(message);
    if (tokens === undefined) {
      // One message may hold megabytes: looking it up and writing its JSON are two steps.
      const between = slices.pause();
      if (between !== undefined) await between;
      const bound = bytesOf(message, family);
      unknown.push(message);
      bytes.push(bound);
      unknownBytes += bound;
    } else known += tokens;
  }
  const last = slices.pause();
  if (last !== undefined) await last;
  const atMost = (tokens: number): number => promptTokens(tokens, prompt.length, rates);
  const partial = (
    least: number,
    most: number,
    result: Pick<PartialCount, 'tokens' | 'measuredBy' | 'counted'>,
  ): PartialCount | undefined => {
    const decision = inactionBetween(call, least * rates.least, atMost(most));
    return decision && { ...result, decision };
  };
  const byCount = (counted: number, rest: number): PartialCount | undefined =>
    partial(counted, counted + rest, {
      tokens: atMost(counted + rest / bytesPerToken),
      measuredBy: 'count',
      counted: rest <= counted * mostUncounted ? counted + rest / bytesPerToken : undefined,
    });

  const before = byCount(known, unknownBytes);
  if (before !== undefined || unknown.length === 0) return before;
  let result: PartialCount | undefined;
  if (unknownBytes >= sampledBytes) {
    await counter.sample(unknown, {
      abortSignal,
      decided: (tokens, error) => {
        const counted = known + tokens;
        result = partial(known + tokens * (1 - error), known + tokens * (1 + error), {
          tokens: atMost(counted),
          measuredBy: 'sample',
          counted,
        });
        return result !== undefined;
      },
    });
    if (result !== undefined) return result;
  }
  let counted = known;
  let rest = unknownBytes;
  await counter.countInSlices(unknown, {
    abortSignal,
    decided: (index, tokens) => {
      counted += tokens;
      rest -= bytes[index] ?? 0;
      result = byCount(counted, rest);
      return result !== undefined;
    },
  });
  return result;
}

function bytesOf(message: Message, family: MediaFamily): number {
  return measureMessage(message, {
    text: utf8Length,
    file: (file) => fileTokens(file, family),
  });
}
