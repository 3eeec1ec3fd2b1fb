import { walkJson, type JsonVisitor, type WalkBudget } from '../json/walk-json.ts';
import { fileTokens } from './files/file-tokens.ts';
import type { MediaFamily } from './files/media-family-of.ts';
import type { PromptMeasure } from './measure-message.ts';

/** What the texts, JSON values and files of a prompt come to so far. */
export interface PromptTally {
  characters: number;
  /** Bytes that the texts can take. */
  textBound: number;
  /** Tokens of files. */
  files: number;
  /** Bytes that the JSON value being read can take. */
  jsonBytes: number;
  /** Two halves of a hash of the lengths and of some characters. */
  high: number;
  low: number;
  /** How much of JSON is walked at once. */
  budget: WalkBudget | undefined;
  /** JSON values beyond that, of which nothing is counted yet. */
  large: unknown[];
  readonly mix: (value: number) => void;
  readonly measure: PromptMeasure;
  readonly json: JsonVisitor;
}

// Bytes of UTF-8 that a UTF-16 unit can take, as it is and escaped in JSON.
const unitBytes = 3;
const jsonUnitBytes = 6;
/** Bytes that any JSON number, literal or bracket with its comma can take. */
const jsonScalarBytes = 26;

/** Begins a tally. */
export function promptTally(family: MediaFamily): PromptTally {
  const mix = (value: number): void => {
    tally.high = Math.imul(tally.high ^ value, 0x9e3779b1);
    tally.low = Math.imul(tally.low ^ tally.high, 0x85ebca77);
    tally.high ^= tally.low >>> 15;
    tally.low ^= tally.high >>> 13;
  };
  const json: JsonVisitor = {
    // Quotes and a colon or comma.
    text: (text) => void (tally.jsonBytes += addText(tally, text, text.length * jsonUnitBytes) + 4),
    number: (number) => {
      tally.jsonBytes += jsonScalarBytes;
      mix(number);
    },
  };
  const measure: PromptMeasure = {
    text: (text) => addText(tally, text, text.length * unitBytes),
    json: (value) => {
      const { characters, textBound } = tally;
      tally.jsonBytes = 0;
      if (walkJson(value, json, tally.budget)) return tally.jsonBytes;
      Object.assign(tally, { characters, textBound });
      tally.large.push(value);
      return 0;
    },
    file: (file) => {
      const tokens = fileTokens(file, family);
      tally.files += tokens;
      mix(tokens);
      return tokens;
    },
  };
  const nothing = { characters: 0, textBound: 0, files: 0, jsonBytes: 0, high: 0, low: 0 };
  // Tools are the developer's own: what they hold is walked at once.
  const tally: PromptTally = { ...nothing, budget: undefined, large: [], mix, measure, json };
  return tally;
}

function addText(tally: PromptTally, text: string, bytes: number): number {
  const { length } = text;
  tally.characters += length;
  tally.textBound += bytes;
  tally.mix(length);
  // Each place in a text that was just parsed is a wait for memory; the first comes with the length.
  if (length > 0) tally.mix(text.charCodeAt(0) | (text.charCodeAt(length >> 1) << 16));
  return bytes;
}
