import { oneOf, optionsOf, type OptionRule } from '../../foundations/checks/option-rule.ts';

/** How much of a message the summarizing model reads: all, a condensed text, or a marker that it was there. */
export type MessageFilterMode = 'full' | 'summary' | 'omit';

/** Part of each type of message that the summarizing model reads. */
export interface MessageFilter {
  /**
   * Outputs of tools. Their calls are always read.
   * @default 'full' (long ones share the room of one call, head and tail, 2,000 characters each at least)
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

/** Makes the rule of the option `messageFilter`. */
export function messageFilterRule(): OptionRule<MessageFilter> {
  const mode = oneOf('full', 'summary', 'omit');
  return optionsOf<MessageFilter>(
    { toolResults: mode, userMessages: mode, agentMessages: mode },
    { allowed: 'an object of modes' },
  );
}
