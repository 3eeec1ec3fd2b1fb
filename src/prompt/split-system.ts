import type { Message, SystemMessage } from './prompt-types.ts';

/** A prompt as its leading system messages and the conversation that follows them. */
export interface SplitPrompt {
  readonly systems: readonly SystemMessage[];
  readonly conversation: readonly Message[];
}

/** Splits off the leading run of system messages; later ones belong to the conversation. */
export function splitSystem(prompt: readonly Message[]): SplitPrompt {
  const start = prompt.findIndex((message) => message.role !== 'system');
  const end = start === -1 ? prompt.length : start;
  return {
    systems: prompt.slice(0, end).filter((message) => message.role === 'system'),
    conversation: prompt.slice(end),
  };
}
