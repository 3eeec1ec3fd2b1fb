import type { Message } from '../prompt/prompt-types.ts';

type ProviderOptions = NonNullable<Message['providerOptions']>;

/** Breakpoints one prompt may carry; Anthropic drops the fifth and later. */
const maxCacheBreakpoints = 4;

/** Counts the cache breakpoints of messages and their parts. */
export function countCacheBreakpoints(messages: readonly Message[]): number {
  return messages.flatMap(breakpointsOf).length;
}

/**
 * Finds the breakpoint that the summary inherits: the last one on a covered message, if what is kept
 * leaves room for it.
 */
export function inheritedBreakpoint(
  covered: readonly Message[],
  kept: readonly Message[],
): ProviderOptions | undefined {
  if (countCacheBreakpoints(kept) >= maxCacheBreakpoints) return undefined;
  return covered.flatMap(breakpointsOf).at(-1);
}

function breakpointsOf(message: Message): readonly ProviderOptions[] {
  const parts = typeof message.content === 'string' ? [] : message.content;
  return [...parts, message].flatMap(({ providerOptions }) => {
    const breakpoint = providerOptions && breakpointIn(providerOptions);
    return breakpoint === undefined ? [] : [breakpoint];
  });
}

function breakpointIn(options: ProviderOptions): ProviderOptions | undefined {
  const anthropic =
    options['anthropic']?.['cacheControl'] ?? options['anthropic']?.['cache_control'];
  if (anthropic !== undefined) return { anthropic: { cacheControl: anthropic } };
  const bedrock = options['bedrock']?.['cachePoint'];
  return bedrock === undefined ? undefined : { bedrock: { cachePoint: bedrock } };
}
