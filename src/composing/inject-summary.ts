import type { Message, Prompt, SystemMessage } from '../prompt/prompt-types.ts';
import { placements, type Placement } from './resolve-placement.ts';
import { splitSystem } from '../prompt/split-system.ts';

/** The pieces of a rewritten prompt, in order, and the rendered summary that joins them. */
export interface Injection {
  /** The rendered summary. */
  readonly text: string;
  readonly placement: Placement;
  /** The leading system messages. */
  readonly systems: readonly SystemMessage[];
  /** The messages the summary stands for. */
  readonly summarised: readonly Message[];
  /** Earlier messages that stay verbatim: anchor and pins. */
  readonly kept: readonly Message[];
  /** The messages after the summarised ones. */
  readonly recent: readonly Message[];
}

/**
 * Builds the rewritten prompt: leading system messages, summary, kept messages, recent messages.
 * Those go in by reference, except the one user message that the placement `user` adds a part to.
 * A conversation without any user message gets the summary as its first one.
 */
export function injectSummary(injection: Injection): Prompt {
  const { text, placement, systems, summarised, kept, recent } = injection;
  const rest = [...kept, ...recent];
  const part = { type: 'text', text } as const;
  const firstUser = rest.findIndex((message) => message.role === 'user');
  if (firstUser === -1) return [...systems, { role: 'user', content: [part] }, ...rest];
  switch (placement) {
    case 'system': {
      const providerOptions = inheritedBreakpoint(summarised, [...systems, ...rest]);
      const told: SystemMessage = { role: 'system', content: text };
      return [...systems, providerOptions ? { ...told, providerOptions } : told, ...rest];
    }
    case 'system-merged': {
      // One without a text carries settings that providers take only as long as it has none.
      const at = systems.findLastIndex(({ content }) => content !== '');
      const last = systems[at];
      if (last === undefined) return [...systems, { role: 'system', content: text }, ...rest];
      return [...systems.with(at, { ...last, content: `${last.content}\n\n${text}` }), ...rest];
    }
    case 'user':
      return [
        ...systems,
        ...rest.map((message, index) =>
          index === firstUser && message.role === 'user'
            ? { ...message, content: [part, ...message.content] }
            : message,
        ),
      ];
  }
}

/**
 * The prompt with its summary in the next place, in which it can stand otherwise than it does; `undefined` where there
 * is none, or the summary does not stand in it.
 *
 * @param text - The rendered summary.
 */
export function moveSummary(
  prompt: Prompt,
  text: string,
  from: Placement,
): { readonly prompt: Prompt; readonly placement: Placement } | undefined {
  const others = withoutSummary(prompt, text);
  if (others === undefined) return undefined;
  const { systems, conversation } = splitSystem(others);
  const pieces = { text, systems, summarised: [], kept: [], recent: conversation };
  for (const placement of placements.slice(placements.indexOf(from) + 1)) {
    const moved = injectSummary({ ...pieces, placement });
    // Without another system message to be merged into, it would be what it was.
    if (placement === 'user' || moved.length < prompt.length) return { prompt: moved, placement };
  }
  return undefined;
}

function withoutSummary(prompt: Prompt, text: string): Prompt | undefined {
  for (const [index, message] of prompt.entries()) {
    if (message.role !== 'system') continue;
    const { content } = message;
    if (content === text) return prompt.toSpliced(index, 1);
    if (content.endsWith(`\n\n${text}`))
      return prompt.with(index, { ...message, content: content.slice(0, -text.length - 2) });
  }
  return undefined;
}

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
