import type { ModelMessage, ToolSet } from 'ai';
import { z } from 'zod/v4';
import type { Message } from '../../prompt/prompt-types.ts';

/**
 * Tools in place of those of a conversation. The AI SDK runs the calls that the last message approves before
 * it asks the model; where nothing is asked no tool may run, and its result counts as empty.
 */
export function standInTools(messages: readonly (ModelMessage | Message)[]): ToolSet {
  const standIn = { inputSchema: z.unknown(), execute: () => '' };
  const tools: [name: string, tool: ToolSet[string]][] = [];
  for (const { role, content } of messages) {
    if (role !== 'assistant' || typeof content === 'string') continue;
    for (const part of content)
      if (part.type === 'tool-call' && typeof part.toolName === 'string')
        tools.push([part.toolName, standIn]);
  }
  return Object.fromEntries(tools);
}
