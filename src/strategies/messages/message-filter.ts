import { oneOf, optionsOf, type OptionRule } from '../../checks/option-rule.ts';

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

/** What the option `messageFilter` accepts. */
export function messageFilterRule(): OptionRule<MessageFilter> {
  const mode = oneOf('full', 'summary', 'omit');
  return optionsOf<MessageFilter>(
    { toolResults: mode, userMessages: mode, agentMessages: mode },
    { allowed: 'an object of modes' },
  );
}

/** A checked filter with every mode in place. */
export function resolveMessageFilter({
  toolResults = 'full',
  userMessages = 'full',
  agentMessages = 'full',
}: MessageFilter = {}): ResolvedMessageFilter {
  return { toolResults, userMessages, agentMessages };
}

/** Whether a filter lets every message through as it is. */
export function isUnfiltered(filter: ResolvedMessageFilter): boolean {
  return Object.values(filter).every((mode) => mode === 'full');
}
