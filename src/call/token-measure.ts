import type { CallOptions, Message, ModelIdentity } from '../prompt/prompt-types.ts';
import { countMessage } from '../tokens/count-message.ts';
import { countOverhead } from '../tokens/count-overhead.ts';
import { loadTextCounter } from '../tokens/load-text-counter.ts';
import { mediaFamilyOf } from '../tokens/media-family-of.ts';

/** Counts what one call would send, in tokens of its model. */
export interface TokenMeasure {
  /** Tokens of a message. Counted once for each message object. */
  readonly message: (message: Message) => number;
  /** Tokens of several messages. */
  readonly messages: (messages: readonly Message[]) => number;
  /** Tokens of a prompt with tools and response schema. */
  readonly prompt: (messages: readonly Message[]) => number;
}

/**
 * Opens a measure for one call. This is where calibration by real usage belongs: everything else takes
 * its figures from here.
 */
export async function tokenMeasure(
  params: CallOptions,
  model: ModelIdentity,
  multiplier: number,
): Promise<TokenMeasure> {
  const counter = await loadTextCounter();
  const family = mediaFamilyOf(model);
  const counted = new WeakMap<Message, number>();
  const overhead = countOverhead(counter, params, family) * multiplier;

  const message = (entry: Message): number => {
    const known = counted.get(entry);
    if (known !== undefined) return known;
    const tokens = countMessage(counter, entry, family) * multiplier;
    counted.set(entry, tokens);
    return tokens;
  };
  const sum = (list: readonly Message[]): number =>
    list.reduce((total, entry) => total + message(entry), 0);

  // Rounded only here: a rounding for each message would add up to a token for each.
  return {
    message: (entry) => Math.ceil(message(entry)),
    messages: (list) => Math.ceil(sum(list)),
    prompt: (list) => Math.ceil(overhead + sum(list)),
  };
}
