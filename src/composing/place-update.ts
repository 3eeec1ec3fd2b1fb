import { isConfigurationUpdate, messageState } from '../prompt/message-state.ts';
import type { Message, Prompt, SystemMessage } from '../prompt/prompt-types.ts';
import type { StateDialect } from '../prompt/state-dialect.ts';

/**
 * Moves a configuration update to where it is legal: not first, because an update that the call itself
 * asks for goes in front of everything, and beside no other. Behind a user message it is merged with the
 * update that follows, whose word is the later one.
 */
export function placeUpdate(
  prompt: readonly Message[],
  update: SystemMessage | undefined,
  dialect: StateDialect | undefined,
): Prompt {
  const isUpdate = (message: Message | undefined): boolean =>
    isConfigurationUpdate(message, dialect);
  if (update === undefined || !isUpdate(update)) return [...prompt];
  const at = prompt.indexOf(update);
  const before = prompt[at - 1];
  if (before !== undefined && !isUpdate(before) && !isUpdate(prompt[at + 1])) return [...prompt];
  const others = prompt.filter((message) => message !== update);
  const user = others.findIndex((message, index) => index >= at && message.role === 'user');
  const place = user === -1 ? at : user + 1;
  const next = others[place];
  return next?.role === 'system' && isUpdate(next)
    ? others.with(place, merged(update, next, dialect))
    : others.toSpliced(place, 0, update);
}

function merged(
  earlier: SystemMessage,
  later: SystemMessage,
  dialect: StateDialect | undefined,
): SystemMessage {
  const additionalTools = messageState(later, dialect)?.additionalTools ?? [];
  return {
    ...later,
    providerOptions: {
      ...later.providerOptions,
      [dialect ?? 'openai']: {
        ...messageState(earlier, dialect)?.update,
        ...messageState(later, dialect)?.update,
        ...(additionalTools.length === 0 ? {} : { additionalTools }),
      },
    },
  };
}
