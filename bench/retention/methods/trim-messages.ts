import {
  AIMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  trimMessages,
  type BaseMessage,
} from '@langchain/core/messages';
import type { LanguageModelV4Message } from '@ai-sdk/provider';
import { textOf } from '../segments.ts';
import type { Method } from './method.ts';

/** `trimMessages` of LangChain: the last messages that fit, parts of a message allowed. */
export const trimmedMessages: Method = {
  name: 'trimMessages of LangChain',
  compact: async ({ evicted }, budget, count) => {
    const trimmed = await trimMessages(evicted.map(toLangChain), {
      maxTokens: budget,
      strategy: 'last',
      allowPartial: true,
      tokenCounter: (messages) => messages.reduce((sum, { text }) => sum + count(text), 0),
    });
    return trimmed.map(({ text }) => text).join('\n');
  },
};

/** One message for each: what a call asks for stands in the text, so that nothing is lost before. */
function toLangChain(message: LanguageModelV4Message, index: number): BaseMessage {
  const content = textOf([message]);
  switch (message.role) {
    case 'system':
      return new SystemMessage(content);
    case 'user':
      return new HumanMessage(content);
    case 'assistant':
      return new AIMessage(content);
    case 'tool':
      return new ToolMessage({ content, tool_call_id: String(index) });
  }
}
