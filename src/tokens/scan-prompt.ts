import type { CallOptions, Message } from '../prompt/prompt-types.ts';
import { fileTokens } from './files/file-tokens.ts';
import { measureMessage, type PromptMeasure } from './measure-message.ts';
import { overheadSteps } from './measure-overhead.ts';
import type { MediaFamily } from './files/media-family-of.ts';
import {
  maxWalked,
  walkJson,
  walkSteps,
  type JsonVisitor,
  type WalkBudget,
} from '../json/walk-json.ts';
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

// Bytes of UTF-8 that a UTF-16 unit can take, as it is and escaped in JSON.
const unitBytes = 3;
const jsonUnitBytes = 6;
/** Bytes that any JSON number, literal or bracket with its comma can take. */
const jsonScalarBytes = 26;

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
  let characters = 0;
  let textBound = 0;
  let filesTotal = 0;
  let high = 0;
  let low = 0;
  const mix = (value: number): void => {
    high = Math.imul(high ^ value, 0x9e3779b1);
    low = Math.imul(low ^ high, 0x85ebca77);
    high ^= low >>> 15;
    low ^= high >>> 13;
  };
  const addText = (text: string, bytes: number): number => {
    const { length } = text;
    characters += length;
    textBound += bytes;
    mix(length);
    if (length > 0) {
      // Each place in a text that was just parsed is a wait for memory; the first comes with the length.
      mix(text.charCodeAt(0) | (text.charCodeAt(length >> 1) << 16));
    }
    return bytes;
  };
  let jsonBytes = 0;
  // Tools are the developer's own; of messages, what goes beyond it is walked in steps.
  let budget: WalkBudget | undefined;
  let large: unknown[] = [];
  const json: JsonVisitor = {
    text: (text) => {
      // Quotes and a colon or comma.
      jsonBytes += addText(text, text.length * jsonUnitBytes) + 4;
    },
    number: (number) => {
      jsonBytes += jsonScalarBytes;
      mix(number);
    },
  };
  const measure: PromptMeasure = {
    text: (text) => addText(text, text.length * unitBytes),
    json: (value) => {
      const before = [characters, textBound] as const;
      jsonBytes = 0;
      if (walkJson(value, json, budget)) return jsonBytes;
      [characters, textBound] = before;
      large.push(value);
      return 0;
    },
    file: (file) => {
      const tokens = fileTokens(file, family);
      filesTotal += tokens;
      mix(tokens);
      return tokens;
    },
  };

  const overheadBound = yield* overheadSteps(params, measure, undefined);
  const overheadHash = hashOfHalves(high, low);
  let bound = overheadBound;
  let first = 0;
  const overheadCharacters = characters;
  for (; first < prompt.length; first += 1) {
    const message = prompt[first];
    if (message?.role !== 'system') break;
    bound += measureMessage(message, measure);
    if (first % scannedAtOnce === scannedAtOnce - 1) yield;
  }
  const systemCharacters = characters - overheadCharacters;
  let walked = 0;
  high = 0;
  low = 0;
  const messages = prompt.slice(first);
  const bounds: number[] = [];
  const lengths: number[] = [];
  const files: number[] = [];
  const prefixHashes: number[] = [];
  for (const message of messages) {
    const before = characters;
    const filesBefore = filesTotal;
    mix(message.role.length);
    budget = { left: maxWalked };
    let tokens = measureMessage(message, measure);
    if (large.length > 0) {
      jsonBytes = 0;
      for (const value of large) yield* walkSteps(value, json);
      tokens += jsonBytes;
      large = [];
    }
    walked += maxWalked - budget.left;
    bound += tokens;
    bounds.push(tokens);
    lengths.push(characters - before);
    files.push(filesTotal - filesBefore);
    prefixHashes.push(hashOfHalves(high, low));
    if (prefixHashes.length % scannedAtOnce !== 0 && walked < maxWalked) continue;
    walked = 0;
    yield;
  }
  return {
    prompt,
    overheadBound,
    bound,
    estimate: bound - textBound + characters / 4,
    characters,
    overheadHash,
    systemCharacters,
    messages,
    bounds,
    lengths,
    files,
    prefixHashes,
  };
}

/** As many bits of the two halves as a number holds exactly. */
function hashOfHalves(high: number, low: number): number {
  return (high >>> 0) * 0x10_0000 + (low >>> 12);
}
