import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import { isObject } from '../util/is-object.ts';
import { checkMessages } from './check-messages.ts';
import { readCall, type Conversation, type GivenCall, type ReadCall } from './to-prompt.ts';

/** The messages of a call, under one of the two names that `generateText` has for them. */
export type GivenConversation = Pick<GivenCall, 'tools'> &
  (
    | {
        /** Messages as `generateText` takes them or as a middleware sees them, or the text of one. */
        readonly prompt: string | Conversation;
        readonly messages?: undefined;
      }
    | {
        /** The same as a list. */
        readonly messages: Conversation;
        readonly prompt?: undefined;
      }
  );

/**
 * Checks messages and tools of a caller who may have no types, and reads them.
 *
 * @throws {SummarizationOptionError} naming what is wrong and what is allowed.
 */
export async function readConversation(given: GivenConversation): Promise<ReadCall> {
  const { prompt, messages, tools } = given;
  if ((prompt === undefined) === (messages === undefined))
    throw new SummarizationOptionError({
      option: 'messages',
      value: messages,
      allowed: `a list of messages ${messages === undefined ? 'where there is no prompt' : 'or a prompt, not both'}`,
    });
  checkTools(tools);
  if (typeof prompt === 'string')
    return readCall({ messages: [{ role: 'user', content: prompt }], tools });
  const conversation = messages === undefined ? prompt : messages;
  const name = messages === undefined ? 'prompt' : 'messages';
  checkMessages(conversation, name);
  return readCall({ messages: conversation, tools, name });
}

function checkTools(tools: unknown): void {
  if (tools === undefined) return;
  const list: unknown = isObject(tools) ? Object.values(tools) : tools;
  if (Array.isArray(list) && list.every(isObject)) return;
  throw new SummarizationOptionError({
    option: 'tools',
    value: tools,
    allowed: 'an object of tools by name, or a list of tools as a middleware gets them',
  });
}
