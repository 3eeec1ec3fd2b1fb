import type { Message } from '../prompt/prompt-types.ts';

type CacheOptions = NonNullable<Message['providerOptions']>;

/** Breakpoints one prompt may carry; Anthropic drops the fifth and later. */
const maxCacheBreakpoints = 4;

/** Counts the cache breakpoints of messages and their parts. */
export function countCacheBreakpoints(messages: readonly Message[]): number {
  let count = 0;
  for (const message of messages) {
    if (breakpointIn(message.providerOptions) !== undefined) count += 1;
    if (typeof message.content === 'string') continue;
    for (const part of message.content)
      if (breakpointIn(part.providerOptions) !== undefined) count += 1;
  }
  return count;
}

/**
 * Finds the breakpoint that the summary inherits: the last one on a summarised message, if what is kept
 * leaves room for it.
 */
export function inheritedBreakpoint(
  summarised: readonly Message[],
  kept: readonly Message[],
): CacheOptions | undefined {
  for (let index = summarised.length - 1; index >= 0; index -= 1) {
    const message = summarised[index];
    const breakpoint = message && lastBreakpointOf(message);
    if (breakpoint !== undefined)
      return countCacheBreakpoints(kept) >= maxCacheBreakpoints ? undefined : breakpoint;
  }
  return undefined;
}

function lastBreakpointOf(message: Message): CacheOptions | undefined {
  const own = breakpointIn(message.providerOptions);
  if (own !== undefined || typeof message.content === 'string') return own;
  for (let index = message.content.length - 1; index >= 0; index -= 1) {
    const breakpoint = breakpointIn(message.content[index]?.providerOptions);
    if (breakpoint !== undefined) return breakpoint;
  }
  return undefined;
}

function breakpointIn(options: CacheOptions | undefined): CacheOptions | undefined {
  if (options === undefined) return undefined;
  const anthropic =
    options['anthropic']?.['cacheControl'] ?? options['anthropic']?.['cache_control'];
  if (anthropic !== undefined) return { anthropic: { cacheControl: anthropic } };
  const bedrock = options['bedrock']?.['cachePoint'];
  return bedrock === undefined ? undefined : { bedrock: { cachePoint: bedrock } };
}
