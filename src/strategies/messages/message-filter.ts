import { SummarizationOptionError } from '../../errors/summarization-option-error.ts';

/** How much of a message the summariser reads: all, a condensed text, or a marker that it was there. */
export type MessageFilterMode = 'full' | 'summary' | 'omit';

/** What the summariser reads of each type of message. */
export interface MessageFilter {
  /**
   * Outputs of tools. Their calls are always read.
   * @default 'full' (2,000 characters, head and tail)
   */
  readonly toolResults?: MessageFilterMode | undefined;
  /**
   * Texts of the user.
   * @default 'full'
   */
  readonly userMessages?: MessageFilterMode | undefined;
  /**
   * Texts of the assistant.
   * @default 'full'
   */
  readonly agentMessages?: MessageFilterMode | undefined;
}

/** A filter with every mode in place. */
export type ResolvedMessageFilter = Readonly<Record<keyof MessageFilter, MessageFilterMode>>;

const full: ResolvedMessageFilter = {
  toolResults: 'full',
  userMessages: 'full',
  agentMessages: 'full',
};
const modes: ReadonlySet<unknown> = new Set(['full', 'summary', 'omit']);

/**
 * Puts the defaults in and checks the rest.
 *
 * @throws SummarizationOptionError naming the option, its value and what is allowed.
 */
export function resolveMessageFilter(filter: MessageFilter = {}): ResolvedMessageFilter {
  const names = Object.keys(full);
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) {
    throw new SummarizationOptionError({
      option: 'messageFilter',
      value: filter,
      allowed: `an object with ${names.join(', ')}`,
    });
  }
  for (const [name, mode] of Object.entries(filter)) {
    const isKnown = names.includes(name);
    if (isKnown && (mode === undefined || modes.has(mode))) continue;
    throw new SummarizationOptionError({
      option: `messageFilter.${name}`,
      value: mode,
      allowed: isKnown ? "'full', 'summary' or 'omit'" : `one of these names: ${names.join(', ')}`,
    });
  }
  const { toolResults = 'full', userMessages = 'full', agentMessages = 'full' } = filter;
  return { toolResults, userMessages, agentMessages };
}

/** Whether a filter lets every message through as it is. */
export function isUnfiltered(filter: ResolvedMessageFilter): boolean {
  return Object.values(filter).every((mode) => mode === 'full');
}
