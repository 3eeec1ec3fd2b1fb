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
  /** Tokens of tools and response schema. */
  readonly overhead: number;
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
  const overhead = Math.ceil(countOverhead(counter, params) * multiplier);

  const message = (entry: Message): number => {
    const known = counted.get(entry);
    if (known !== undefined) return known;
    const tokens = Math.ceil(countMessage(counter, entry, family) * multiplier);
    counted.set(entry, tokens);
    return tokens;
  };
  const messages = (list: readonly Message[]): number =>
    list.reduce((sum, entry) => sum + message(entry), 0);

  return { message, messages, overhead, prompt: (list) => overhead + messages(list) };
}
