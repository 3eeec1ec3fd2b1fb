import type { LanguageModelV4Prompt } from '@ai-sdk/provider';

/** Says what a provider would refuse about the form of a prompt: the rules that hold for every chat API. */
export function legalityFault(prompt: LanguageModelV4Prompt): string | undefined {
  const conversation = prompt.filter(({ role }) => role !== 'system');
  if (conversation[0]?.role !== 'user') return 'does not begin with the user';
  if (conversation.at(-1)?.role === 'assistant') return 'ends with the assistant';
  let open = new Set<string>();
  for (const message of conversation) {
    if (message.role === 'system') continue;
    if (message.role !== 'tool' && open.size > 0) return 'a tool call without its result';
    if (message.role === 'assistant') open = new Set();
    for (const part of message.content) {
      if (part.type === 'tool-call') open.add(part.toolCallId);
      if (part.type === 'tool-result' && !open.delete(part.toolCallId))
        return 'a tool result without its call';
    }
  }
  return open.size > 0 ? 'a tool call without its result' : undefined;
}
