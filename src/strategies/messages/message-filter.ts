import { checkIsObject, checkObject } from '../../checks/check-object.ts';
import { oneOf, type OptionRule } from '../../checks/option-rule.ts';

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

const anyMode = oneOf('full', 'summary', 'omit');

const filterRules: Readonly<Record<keyof MessageFilter, OptionRule>> = {
  toolResults: anyMode,
  userMessages: anyMode,
  agentMessages: anyMode,
};

/**
 * Puts the defaults in and checks the rest.
 *
 * @throws SummarizationOptionError naming the option.
 */
export function resolveMessageFilter(filter: MessageFilter = {}): ResolvedMessageFilter {
  const names = Object.keys(filterRules).join(', ');
  checkIsObject(filter, 'messageFilter', `an object with ${names}`);
  checkObject(filter, filterRules, 'messageFilter.');
  const { toolResults = 'full', userMessages = 'full', agentMessages = 'full' } = filter;
  return { toolResults, userMessages, agentMessages };
}

/** Whether a filter lets every message through as it is. */
export function isUnfiltered(filter: ResolvedMessageFilter): boolean {
  return Object.values(filter).every((mode) => mode === 'full');
}
