import type { Message } from '../prompt/prompt-types.ts';

type CacheOptions = NonNullable<Message['providerOptions']>;

/** Breakpoints one prompt may carry; Anthropic drops the fifth and later. */
const maxCacheBreakpoints = 4;

/** Counts the cache breakpoints of messages and their parts. */
export function countCacheBreakpoints(messages: readonly Message[]): number {
  return messages.reduce((count, message) => count + breakpointsOf(message).length, 0);
}

/**
 * Finds the breakpoint that the summary inherits: the last one on a summarised message, if what is kept
 * leaves room for it.
 */
export function inheritedBreakpoint(
  summarised: readonly Message[],
  kept: readonly Message[],
): CacheOptions | undefined {
  for (const message of summarised.toReversed()) {
    const breakpoint = breakpointsOf(message).at(-1);
    if (breakpoint !== undefined)
      return countCacheBreakpoints(kept) >= maxCacheBreakpoints ? undefined : breakpoint;
  }
  return undefined;
}

/** Those of the parts, then that of the message itself. */
function breakpointsOf({ content, providerOptions }: Message): readonly CacheOptions[] {
  const parts = typeof content === 'string' ? [] : content;
  return [...parts, { providerOptions }]
    .map((part) => breakpointIn(part.providerOptions))
    .filter((breakpoint) => breakpoint !== undefined);
}

function breakpointIn(options: CacheOptions | undefined): CacheOptions | undefined {
  if (options === undefined) return undefined;
  const anthropic =
    options['anthropic']?.['cacheControl'] ?? options['anthropic']?.['cache_control'];
  if (anthropic !== undefined) return { anthropic: { cacheControl: anthropic } };
  const bedrock = options['bedrock']?.['cachePoint'];
  return bedrock === undefined ? undefined : { bedrock: { cachePoint: bedrock } };
}
