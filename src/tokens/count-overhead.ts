import { sequenceHashes, valueHash, type Hash64 } from '../hash/value-hash.ts';
import { walkJson } from '../json/walk-json.ts';
import { runInSlices } from '../util/async/run-steps.ts';
import type { TimeSlices } from '../util/async/time-slices.ts';
import { countCache, type CountCache } from './count-cache.ts';
import type { MediaFamily } from './files/media-family-of.ts';
import { overheadSteps, type OverheadParams } from './measure-overhead.ts';
import { countText } from './text/count-text.ts';
import type { TextCounter } from './text/create-text-counter.ts';

/**
 * Counts the tokens of a call besides its messages: tool definitions, response schema and the opening
 * of the answer. Summarising cannot make them fewer. The family decides the size of the preamble that
 * explains tool use.
 */
export async function countOverhead(
  counter: TextCounter,
  params: OverheadParams,
  family: MediaFamily,
  slices: TimeSlices,
): Promise<number> {
  const texts: string[] = [];
  const steps = overheadSteps(params, { text: (text) => (texts.push(text), 0) }, family);
  let total = await runInSlices(steps, slices);
  for (const text of texts) total += await countText(text, counter.count, slices);
  return total;
}

/** Sets of tools and schemas remembered in a process. */
const overheadPlaces = 1024;

let cache: CountCache | undefined;

/** Tools that are read at once. */
const toolsHashedAtOnce = 128;

/**
 * Counts tools and response schema, each content once in a process, in slices that leave the event loop
 * to others.
 */
export async function cachedOverhead(
  counter: TextCounter,
  params: OverheadParams,
  family: MediaFamily,
  slices: TimeSlices,
): Promise<number> {
  cache ??= countCache(overheadPlaces);
  const key = await overheadHash(
    `${family} ${counter.isExact} ${counter.vocabulary}`,
    params,
    slices,
  );
  const known = cache.get(key);
  if (known !== undefined) return known;
  const tokens = await countOverhead(counter, params, family, slices);
  cache.set(key, tokens);
  return tokens;
}

const hashOfOverhead = sequenceHashes();

async function overheadHash(
  name: string,
  { tools = [], toolChoice, responseFormat }: OverheadParams,
  slices: TimeSlices,
): Promise<Hash64> {
  const rest = [name, toolChoice, responseFormat];
  if (tools.length <= toolsHashedAtOnce) return hashOfJson([...rest, tools]);
  const hashes = [hashOfJson(rest)];
  for (let first = 0; first < tools.length; first += toolsHashedAtOnce) {
    hashes.push(hashOfJson(tools.slice(first, first + toolsHashedAtOnce)));
    await slices.pause();
  }
  return hashOfOverhead(hashes);
}

function hashOfJson(value: unknown): Hash64 {
  const hash = valueHash();
  walkJson(value, hash);
  return hash.end();
}
