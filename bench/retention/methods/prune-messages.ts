import { pruneMessages, type ModelMessage } from 'ai';
import type { Method } from './method.ts';
import { tailOf } from './drop-oldest.ts';

/**
 * `pruneMessages` of the AI SDK, all tool calls and reasoning removed as its documentation shows for long
 * conversations; it knows no budget, so of what it leaves the end is kept.
 */
export const prunedMessages: Method = {
  name: 'pruneMessages of ai',
  compact: ({ evicted }, budget, count) => {
    const messages = pruneMessages({
      // oxlint-disable-next-line no-unsafe-type-assertion -- texts and tool parts are spelled alike in both forms
      messages: evicted as ModelMessage[],
      reasoning: 'all',
      toolCalls: 'all',
      emptyMessages: 'remove',
    });
    const texts = messages.flatMap(({ content }) =>
      typeof content === 'string'
        ? [content]
        : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
    );
    return tailOf(texts.join('\n'), budget, count);
  },
};
