import type { Message, Prompt, SystemMessage } from '../prompt/prompt-types.ts';
import { inheritedBreakpoint } from './cache-breakpoints.ts';
import type { Placement } from './resolve-placement.ts';

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
export function injectSummary({
  text,
  placement,
  systems,
  summarised,
  kept,
  recent,
}: Injection): Prompt {
  const rest = [...kept, ...recent];
  const part = { type: 'text', text } as const;
  const firstUser = rest.findIndex((message) => message.role === 'user');
  if (firstUser === -1) return [...systems, { role: 'user', content: [part] }, ...rest];
  switch (placement) {
    case 'system': {
      const providerOptions = inheritedBreakpoint(summarised, [...systems, ...rest]);
      const summary: SystemMessage = { role: 'system', content: text };
      return [...systems, providerOptions ? { ...summary, providerOptions } : summary, ...rest];
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
