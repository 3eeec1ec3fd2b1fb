import {
  AIMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  trimMessages,
  type BaseMessage,
} from '@langchain/core/messages';
import type { LanguageModelV4Message } from '@ai-sdk/provider';
import { messageTokens } from '../../cache/encode-prompt.ts';
import { withPrompt, type Method } from '../../cache/methods/method.ts';

/** `trimMessages` of LangChain as its documentation shows it for chat models, with exact counts. */
export const trimmedMessages: Method = {
  name: 'LangChain `trimMessages`',
  open: ({ model, contextLength }) =>
    withPrompt(model, async ({ prompt }) => {
      const kept = await trimMessages(prompt.map(toLangChain), {
        maxTokens: contextLength,
        strategy: 'last',
        startOn: 'human',
        endOn: ['human', 'tool'],
        includeSystem: true,
        tokenCounter: (messages) =>
          messages.reduce((sum, message) => sum + tokensAt(prompt, message), 0),
      });
      // Where nothing but the system message fits, the list ends with undefined.
      return kept.filter(Boolean).flatMap(({ id }) => prompt[Number(id)] ?? []);
    }),
};

function tokensAt(prompt: readonly LanguageModelV4Message[], { id }: BaseMessage): number {
  const message = prompt[Number(id)];
  return message === undefined ? 0 : messageTokens(message);
}

/** The messages are looked up again by their place. */
export function toLangChain(message: LanguageModelV4Message, index: number): BaseMessage {
  const fields = { id: String(index), content: JSON.stringify(message.content) };
  switch (message.role) {
    case 'system':
      return new SystemMessage(fields);
    case 'user':
      return new HumanMessage(fields);
    case 'assistant':
      return new AIMessage(fields);
    case 'tool':
      return new ToolMessage({ ...fields, tool_call_id: fields.id });
  }
}
