import type { CallOptions, Message } from '../prompt/prompt-types.ts';
import { measureMessage } from './measure-message.ts';
import { overheadSteps } from './measure-overhead.ts';
import type { MediaFamily } from './files/media-family-of.ts';
import { maxWalked, walkSteps } from '../json/walk-json.ts';
import { promptTally, type PromptTally } from './prompt-tally.ts';
import { runAtOnce, type Steps } from '../util/async/run-steps.ts';

/** What a prompt comes to without looking at its characters. Tokens are of o200k. */
export interface PromptScan {
  readonly prompt: CallOptions['prompt'];
  /** Tokens that tools, response schema and the opening of the answer cannot exceed. */
  readonly overheadBound: number;
  /** Tokens that the prompt and its overhead cannot exceed: three bytes a character. */
  readonly bound: number;
  /** Tokens of prompt and overhead at four characters a token, the usual figure. */
  readonly estimate: number;
  /** Characters of text that are sent. A prompt takes hardly fewer tokens than an eighth of them. */
  readonly characters: number;
  /** Hash of the tools and the response schema. */
  readonly overheadHash: number;
  /** Length of the leading system messages in characters. */
  readonly systemCharacters: number;
  /** Messages after the leading system messages. */
  readonly messages: readonly Message[];
  /** Bound of each of these messages. */
  readonly bounds: readonly number[];
  /** Characters of each of these messages. */
  readonly lengths: readonly number[];
  /** Tokens of the files in each of these messages, by the provider's published rule. */
  readonly files: readonly number[];
  /** Hashes of these messages up to and including each: 52 bits of lengths and some characters. */
  readonly prefixHashes: readonly number[];
}

/** Messages between two steps: under 1 ms. */
const scannedAtOnce = 1024;

/**
 * Walks over a prompt, its texts by their length and two characters of each. Linear in the number of
 * messages and JSON values, not in the size of texts.
 */
export function scanPrompt(
  params: Pick<CallOptions, 'prompt'> & Partial<CallOptions>,
  family: MediaFamily,
): PromptScan {
  return runAtOnce(scanSteps(params, family));
}

/** The same in steps between which others may work. */
export function* scanSteps(
  params: Pick<CallOptions, 'prompt'> & Partial<CallOptions>,
  family: MediaFamily,
): Steps<PromptScan> {
  const { prompt } = params;
  const tally = promptTally(family);
  const { measure } = tally;
  const overheadBound = yield* overheadSteps(params, measure, undefined);
  const overheadHash = hashOf(tally);
  const overheadCharacters = tally.characters;
  let bound = overheadBound;
  let first = 0;
  for (; first < prompt.length; first += 1) {
    const message = prompt[first];
    if (message?.role !== 'system') break;
    bound += measureMessage(message, measure);
    if (first % scannedAtOnce === scannedAtOnce - 1) yield;
  }
  const systemCharacters = tally.characters - overheadCharacters;
  const messages = prompt.slice(first);
  const scanned = yield* messageSteps(messages, tally);
  for (const tokens of scanned.bounds) bound += tokens;
  const { characters } = tally;
  const estimate = bound - tally.textBound + characters / 4;
  const sizes = { overheadBound, bound, estimate, characters, overheadHash, systemCharacters };
  return { prompt, ...sizes, messages, ...scanned };
}

function* messageSteps(
  messages: readonly Message[],
  tally: PromptTally,
): Steps<Pick<PromptScan, 'bounds' | 'lengths' | 'files' | 'prefixHashes'>> {
  let walked = 0;
  tally.high = 0;
  tally.low = 0;
  const bounds: number[] = [];
  const lengths: number[] = [];
  const files: number[] = [];
  const prefixHashes: number[] = [];
  for (const message of messages) {
    const { characters, files: filesBefore } = tally;
    tally.mix(message.role.length);
    const budget = { left: maxWalked };
    tally.budget = budget;
    let tokens = measureMessage(message, tally.measure);
    if (tally.large.length > 0) {
      tally.jsonBytes = 0;
      for (const value of tally.large) yield* walkSteps(value, tally.json);
      tokens += tally.jsonBytes;
      tally.large = [];
    }
    walked += maxWalked - budget.left;
    bounds.push(tokens);
    lengths.push(tally.characters - characters);
    files.push(tally.files - filesBefore);
    prefixHashes.push(hashOf(tally));
    if (prefixHashes.length % scannedAtOnce !== 0 && walked < maxWalked) continue;
    walked = 0;
    yield;
  }
  return { bounds, lengths, files, prefixHashes };
}

/** As many bits of the two halves as a number holds exactly. */
function hashOf({ high, low }: PromptTally): number {
  return (high >>> 0) * 0x10_0000 + (low >>> 12);
}
